package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.NameForm;
import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import io.headgate.state.ExecutionFence.Passed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the fence of one gateway lets pass, and under which numbering. */
class ExecutionFenceTest {
  private static final Duration HOLD = Duration.ofMinutes(5);

  private static final Execution MORNING = at("2026-11-30 07:00:00");
  private static final Execution NOON = at("2026-11-30 12:00:00");
  private static final Execution EVENING = at("2026-11-30 19:00:00");

  /** One graph under two numberings. */
  private static final ReportedGraph ONE_TWO_THREE = report(1, 2, 3);

  private static final ReportedGraph NINE_SIX_SEVEN = report(9, 6, 7);

  /** Begins shortly before it wraps, as the JVM's clock may. */
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000);

  private final InProcessFence fence =
      new InProcessFence(new FenceConfig(100, Duration.ofHours(2), HOLD), clock::get);

  @Test
  void L22a_the_first_execution_seen_is_served_whatever_it_is() {
    assertServed(pass(ONE_TWO_THREE, MORNING));
    assertServed(pass(ONE_TWO_THREE, MORNING));
    assertThat(fence.refused()).isZero();
  }

  @Test
  void L22a_an_older_execution_than_the_one_served_is_refused() {
    assertServed(pass(ONE_TWO_THREE, NOON));
    assertRefused(pass(ONE_TWO_THREE, MORNING));
    assertServed(pass(ONE_TWO_THREE, NOON));
    assertThat(fence.refused()).isEqualTo(1);
  }

  @Test
  void L22a_a_newer_execution_takes_the_place_of_the_one_served() {
    assertServed(pass(ONE_TWO_THREE, MORNING));
    assertServed(pass(ONE_TWO_THREE, NOON));
    assertRefused(pass(ONE_TWO_THREE, MORNING));
    assertServed(pass(ONE_TWO_THREE, EVENING));
    assertRefused(pass(ONE_TWO_THREE, NOON));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-11-30 10:00:00", "2026-11-30 11:59:59", "2026-11-30 14:00:00"})
  void L22a_times_that_differ_by_no_more_than_the_skew_order_nothing(String other) {
    assertServed(pass(ONE_TWO_THREE, NOON));
    assertServed(pass(ONE_TWO_THREE, at(other)));
  }

  @Test
  void L22a_one_second_past_the_skew_is_older() {
    assertServed(pass(ONE_TWO_THREE, NOON));
    assertRefused(pass(ONE_TWO_THREE, at("2026-11-30 09:59:59")));
  }

  @Test
  void L22a_what_was_replaced_once_is_older_although_the_times_do_not_say_so() {
    assertServed(pass(ONE_TWO_THREE, at("2026-11-30 12:00:00")));
    assertServed(pass(ONE_TWO_THREE, at("2026-11-30 12:03:00")));
    assertRefused(pass(ONE_TWO_THREE, at("2026-11-30 12:00:00")));
    assertServed(pass(ONE_TWO_THREE, at("2026-11-30 12:06:00")));
    assertRefused(pass(ONE_TWO_THREE, at("2026-11-30 12:00:00")));
    assertRefused(pass(ONE_TWO_THREE, at("2026-11-30 12:03:00")));
  }

  @Test
  void L22a_a_creation_time_that_is_no_time_identifies_by_equality() {
    assertServed(pass(ONE_TWO_THREE, at("first")));
    assertServed(pass(ONE_TWO_THREE, at("first")));
    assertServed(pass(ONE_TWO_THREE, at("second")));
    assertRefused(pass(ONE_TWO_THREE, at("first")));
  }

  @Test
  void L22a_exact_epochs_order_by_any_difference() {
    assertServed(pass(ONE_TWO_THREE, epoch(5)));
    assertRefused(pass(ONE_TWO_THREE, epoch(4)));
    assertServed(pass(ONE_TWO_THREE, epoch(6)));
  }

  @Test
  void L22a_if_only_the_older_one_keeps_coming_the_fence_yields_after_the_hold() {
    assertServed(pass(ONE_TWO_THREE, NOON));
    assertRefused(pass(ONE_TWO_THREE, MORNING));
    clock.addAndGet(HOLD.toNanos() - 1);
    assertRefused(pass(ONE_TWO_THREE, MORNING));
    assertThat(fence.yielded()).isZero();
    clock.addAndGet(1);
    assertServed(pass(ONE_TWO_THREE, MORNING));
    assertThat(fence.yielded()).isEqualTo(1);
    assertServed(pass(ONE_TWO_THREE, MORNING));
    assertThat(fence.yielded()).as("it yields once").isEqualTo(1);
  }

  @Test
  void L22a_the_hold_begins_anew_whenever_the_newer_one_is_seen() {
    assertServed(pass(ONE_TWO_THREE, NOON));
    for (int i = 0; i < 5; i++) {
      assertRefused(pass(ONE_TWO_THREE, MORNING));
      clock.addAndGet(HOLD.toNanos() - 1);
      assertServed(pass(ONE_TWO_THREE, NOON));
      clock.addAndGet(HOLD.toNanos() - 1);
    }
    assertThat(fence.yielded()).isZero();
  }

  @Test
  void L22a_the_hold_counts_from_the_first_older_answer_not_from_the_last_newer_one() {
    assertServed(pass(ONE_TWO_THREE, NOON));
    clock.addAndGet(10 * HOLD.toNanos());
    assertRefused(pass(ONE_TWO_THREE, MORNING));
  }

  @Test
  void L22a_after_the_fence_yielded_the_newer_one_is_served_as_soon_as_it_is_back() {
    assertServed(pass(ONE_TWO_THREE, NOON));
    assertRefused(pass(ONE_TWO_THREE, MORNING));
    clock.addAndGet(HOLD.toNanos());
    assertServed(pass(ONE_TWO_THREE, MORNING));
    assertServed(pass(ONE_TWO_THREE, NOON));
    assertRefused(pass(ONE_TWO_THREE, MORNING));
  }

  @Test
  void L22a_jobs_do_not_disturb_each_other() {
    ReportedGraph other = new ReportedGraph(8, ONE_TWO_THREE.nodes(), ONE_TWO_THREE.edges());
    assertServed(pass(ONE_TWO_THREE, NOON));
    assertServed(pass(other, MORNING));
    assertRefused(pass(ONE_TWO_THREE, MORNING));
    assertThat(fence.jobs()).isEqualTo(2);
  }

  @Test
  void L22b_the_same_graph_under_other_ids_is_answered_with_the_numbering_served_first() {
    JobGraph first = pass(ONE_TWO_THREE, NOON);
    JobGraph second = pass(NINE_SIX_SEVEN, NOON);
    assertThat(ReportedGraph.json(second)).isEqualTo(ReportedGraph.json(first));
    assertThat(ReportedGraph.json(pass(ONE_TWO_THREE, NOON))).isEqualTo(ReportedGraph.json(first));
  }

  @Test
  void L22b_a_graph_that_has_changed_is_answered_with_its_own_ids_which_then_stay() {
    pass(ONE_TWO_THREE, NOON);
    ReportedGraph changed = NINE_SIX_SEVEN.withEdge(2, 9, 7);
    assertThat(ReportedGraph.json(pass(changed, NOON))).isEqualTo(changed.json());
    ReportedGraph renumbered = ONE_TWO_THREE.withEdge(2, 1, 3);
    assertThat(ReportedGraph.json(pass(renumbered, NOON))).isEqualTo(changed.json());
  }

  @Test
  void L22b_nothing_is_promised_across_executions() {
    pass(ONE_TWO_THREE, MORNING);
    assertThat(ReportedGraph.json(pass(NINE_SIX_SEVEN, NOON))).isEqualTo(NINE_SIX_SEVEN.json());
  }

  @Test
  void L22b_where_names_are_not_unique_the_engine_s_ids_are_served_as_they_come() {
    for (ReportedGraph report : List.of(ONE_TWO_THREE, NINE_SIX_SEVEN, ONE_TWO_THREE)) {
      ReportedGraph ambiguous = sameNames(report);
      assertThat(ReportedGraph.json(pass(ambiguous, NOON))).isEqualTo(ambiguous.json());
    }
  }

  @Test
  void L22b_a_refused_answer_does_not_change_the_numbering() {
    pass(ONE_TWO_THREE, NOON);
    assertRefused(pass(NINE_SIX_SEVEN, MORNING));
    assertThat(ReportedGraph.json(pass(NINE_SIX_SEVEN, NOON))).isEqualTo(ONE_TWO_THREE.json());
  }

  @Test
  void L22b_of_many_threads_one_claims_the_numbering_for_all() throws Exception {
    int threads = 8;
    Set<String> answers = ConcurrentHashMap.newKeySet();
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        ReportedGraph mine = i % 2 == 0 ? ONE_TWO_THREE : NINE_SIX_SEVEN;
        runs.add(
            pool.submit(
                () -> {
                  go.await();
                  for (int times = 0; times < 500; times++) {
                    answers.add(ReportedGraph.json(pass(mine, NOON)));
                  }
                  return null;
                }));
      }
      go.countDown();
      for (Future<?> run : runs) {
        run.get(30, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(answers).as("distinct answers for one graph").hasSize(1);
  }

  @Test
  void L22a_jobs_are_bounded_and_the_least_recently_used_goes_first() {
    InProcessFence small =
        new InProcessFence(new FenceConfig(3, Duration.ofHours(2), HOLD), clock::get);
    for (long job = 1; job <= 3; job++) {
      pass(small, job, NOON);
    }
    pass(small, 1, NOON);
    pass(small, 4, NOON);
    assertThat(small.jobs()).isEqualTo(3);
    assertThat(small.evicted()).isEqualTo(1);
    assertServed(pass(small, 2, MORNING)); // forgotten, so any execution is the first
    assertRefused(pass(small, 1, MORNING));
    assertRefused(pass(small, 4, MORNING));
  }

  @Test
  void L22b_the_ids_that_are_kept_are_bounded_over_all_jobs() {
    // 4 Mi ids hold the numbering of 41 jobs of 100,000 nodes.
    ReportedGraph huge = ReportedGraph.chain(100_000);
    NameForm form = NameForm.of(huge.checked());
    for (long job = 1; job <= 42; job++) {
      JobGraph graph = new ReportedGraph(job, huge.nodes(), huge.edges()).checked();
      assertThat(passed(fence, graph, NOON, form)).isSameAs(graph);
    }
    assertThat(fence.jobs()).isEqualTo(41);
    assertThat(fence.evicted()).isEqualTo(1);
  }

  @Test
  void L22b_the_ids_of_a_job_count_once_however_often_they_change() {
    // 100 changes of 50,000 ids each would pass the bound, were the old ones not let go.
    pass(ONE_TWO_THREE, NOON);
    ReportedGraph huge = new ReportedGraph(8, ReportedGraph.chain(50_000).nodes(), List.of());
    for (int i = 0; i < 100; i++) {
      JobGraph graph = huge.withEdge(i, 1, 2).checked();
      fence.pass(graph, NOON, NameForm.of(graph));
    }
    assertThat(fence.jobs()).isEqualTo(2);
    assertThat(fence.evicted()).isZero();
  }

  private @Nullable JobGraph pass(ReportedGraph report, Execution execution) {
    return pass(fence, report, execution);
  }

  private static @Nullable JobGraph pass(InProcessFence fence, long job, Execution execution) {
    ReportedGraph report = new ReportedGraph(job, ONE_TWO_THREE.nodes(), ONE_TWO_THREE.edges());
    return pass(fence, report, execution);
  }

  private static @Nullable JobGraph pass(
      InProcessFence fence, ReportedGraph report, Execution execution) {
    JobGraph graph = report.checked();
    return passed(fence, graph, execution, NameForm.of(graph));
  }

  private static @Nullable JobGraph passed(
      InProcessFence fence, JobGraph graph, Execution execution, @Nullable NameForm form) {
    CompletableFuture<Passed> answer = fence.pass(graph, execution, form).toCompletableFuture();
    assertThat(answer).as("the fence of one process never makes anybody wait").isDone();
    return answer.join() instanceof Passed.Serve serve ? serve.graph() : null;
  }

  private static void assertServed(@Nullable JobGraph graph) {
    assertThat(graph).as("this execution is served").isNotNull();
  }

  private static void assertRefused(@Nullable JobGraph graph) {
    assertThat(graph).as("this execution is refused").isNull();
  }

  private static Execution epoch(long epoch) {
    return Execution.ofEpoch(epoch, Instant.parse("2026-11-30T12:00:00Z"));
  }

  private static Execution at(String created) {
    return Execution.ofLocalTime(created);
  }

  private static ReportedGraph report(long in, long via, long out) {
    return ReportedGraph.empty()
        .with(new ReportedGraph.Node(in, NodeKind.SOURCE, "in", List.of("a.b")))
        .with(new ReportedGraph.Node(via, NodeKind.TRANSFORM, "via", List.of()))
        .with(new ReportedGraph.Node(out, NodeKind.SINK, "out", List.of("c.d")))
        .withEdge(1, in, via)
        .withEdge(1, via, out);
  }

  private static ReportedGraph sameNames(ReportedGraph report) {
    return new ReportedGraph(
        report.jobId(),
        report.nodes().stream()
            .map(n -> new ReportedGraph.Node(n.id(), n.kind(), "same", n.paths()))
            .toList(),
        report.edges());
  }
}
