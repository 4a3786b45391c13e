package io.headgate.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Excess;
import io.headgate.graph.Execution;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.NameForm;
import io.headgate.graph.ReferenceProjection;
import io.headgate.graph.ReportedGraph;
import io.headgate.graph.Unavailability;
import io.headgate.lineage.LineageAnswer.Outcome;
import io.headgate.state.ExecutionFence;
import io.headgate.wire.Digests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From what a source says to the kind of answer (L21), with a source that says what it is told. */
class LookupClassificationTest {
  private static final int CAP = 1 << 20;
  private static final Deadline FAR = Deadline.in(Duration.ofHours(1));
  private static final Execution EXECUTION = Execution.ofLocalTime("2026-11-30 09:41:54");
  private static final ReportedGraph REPORT =
      ReportedGraph.chain(3).withSource(9, "shop.orders", null);

  /** A fence that lets everything pass as it is. */
  private static final ExecutionFence OPEN =
      (graph, execution, form) ->
          CompletableFuture.completedStage(new ExecutionFence.Passed.Serve(graph));

  @Test
  void L21_a_consistent_graph_is_the_whole_response_with_its_tag() {
    LineageAnswer answer = answer(found(REPORT));
    String expected = ReferenceProjection.json(REPORT);
    byte[] bytes = expected.getBytes(StandardCharsets.UTF_8);
    assertThat(answer.outcome()).isEqualTo(Outcome.OK);
    assertThat(answer.reason()).isEqualTo("ok");
    assertThat(new String(answer.body().toByteArray(), StandardCharsets.UTF_8)).isEqualTo(expected);
    assertThat(answer.etag()).isEqualTo(Digests.etag(bytes, bytes.length));
  }

  @Test
  void L21_a_job_nobody_knows_is_not_found() {
    assertAnswer(new Lookup.NotFound(), Outcome.NOT_FOUND, "not-found");
  }

  @ParameterizedTest
  @EnumSource(Inconsistency.class)
  void L21_an_inconsistent_job_is_unavailable(Inconsistency reason) {
    assertAnswer(new Lookup.Inconsistent(reason, false), Outcome.UNAVAILABLE, reason.label());
  }

  @ParameterizedTest
  @EnumSource(Excess.class)
  void L21_a_graph_past_a_limit_is_too_large(Excess reason) {
    assertAnswer(new Lookup.TooLarge(reason, false), Outcome.TOO_LARGE, reason.label());
  }

  @ParameterizedTest
  @EnumSource(Unavailability.class)
  void L21_a_source_that_can_say_nothing_is_temporarily_unavailable(Unavailability reason) {
    assertAnswer(new Lookup.Unavailable(reason), Outcome.TEMPORARILY_UNAVAILABLE, reason.label());
  }

  @Test
  void L21_the_words_for_reasons_are_few_distinct_and_fit_for_a_metric() {
    List<String> labels = new ArrayList<>();
    for (Inconsistency reason : Inconsistency.values()) {
      labels.add(reason.label());
    }
    for (Excess reason : Excess.values()) {
      labels.add(reason.label());
    }
    for (Unavailability reason : Unavailability.values()) {
      labels.add(reason.label());
    }
    assertThat(labels).doesNotHaveDuplicates().allMatch(label -> label.matches("[a-z]+(-[a-z]+)*"));
  }

  @Test
  void L10_a_graph_of_another_job_than_the_one_asked_for_is_unavailable() {
    Lookup other = found(new ReportedGraph(8, REPORT.nodes(), REPORT.edges()));
    assertAnswer(other, Outcome.UNAVAILABLE, Inconsistency.OTHER_JOB.label());
  }

  @Test
  void L16_a_graph_that_comes_after_the_deadline_is_not_projected() {
    List<Runnable> projections = new ArrayList<>();
    LineageService service =
        new LineageService((job, deadline) -> Call.of(found(REPORT)), OPEN, CAP, projections::add);
    Call<LineageAnswer> call = service.begin(7, new Deadline(System.nanoTime() - 1));
    assertThat(join(call.answer()))
        .usingRecursiveComparison()
        .ignoringFields("times")
        .isEqualTo(LineageAnswer.without(Outcome.TEMPORARILY_UNAVAILABLE, "deadline"));
    assertThat(projections).isEmpty();
  }

  @Test
  void L22a_an_execution_that_the_fence_refuses_is_temporarily_unavailable() {
    ExecutionFence shut =
        (graph, execution, form) ->
            CompletableFuture.completedStage(new ExecutionFence.Passed.Older());
    Call<LineageAnswer> call =
        new LineageService((job, deadline) -> Call.of(found(REPORT)), shut, CAP, Runnable::run)
            .begin(7, FAR);
    assertThat(join(call.answer()))
        .usingRecursiveComparison()
        .ignoringFields("times")
        .isEqualTo(LineageAnswer.without(Outcome.TEMPORARILY_UNAVAILABLE, "older-execution"));
  }

  @ParameterizedTest
  @EnumSource(Unavailability.class)
  void L22a_a_graph_that_the_fence_can_not_judge_is_temporarily_unavailable(Unavailability reason) {
    ExecutionFence unsure =
        (graph, execution, form) ->
            CompletableFuture.completedStage(new ExecutionFence.Passed.Refused(reason));
    Call<LineageAnswer> call =
        new LineageService((job, deadline) -> Call.of(found(REPORT)), unsure, CAP, Runnable::run)
            .begin(7, FAR);
    assertThat(join(call.answer()))
        .usingRecursiveComparison()
        .ignoringFields("times")
        .isEqualTo(LineageAnswer.without(Outcome.TEMPORARILY_UNAVAILABLE, reason.label()));
  }

  @Test
  void L22b_what_is_written_is_the_graph_that_the_fence_gives() {
    ReportedGraph served = new ReportedGraph(7, ReportedGraph.chain(2).nodes(), List.of());
    List<Object> asked = new ArrayList<>();
    ExecutionFence renumbering =
        (graph, execution, form) -> {
          asked.add(execution);
          asked.add(form.digest());
          return CompletableFuture.completedStage(
              new ExecutionFence.Passed.Serve(served.checked()));
        };
    Call<LineageAnswer> call =
        new LineageService(
                (job, deadline) -> Call.of(found(REPORT)), renumbering, CAP, Runnable::run)
            .begin(7, FAR);
    assertThat(new String(join(call.answer()).body().toByteArray(), StandardCharsets.UTF_8))
        .isEqualTo(ReferenceProjection.json(served));
    assertThat(asked).containsExactly(EXECUTION, NameForm.of(REPORT.checked()).digest());
  }

  @Test
  void L13_a_response_of_exactly_the_cap_is_answered_and_one_byte_more_is_too_large() {
    int length = ReferenceProjection.json(REPORT).getBytes(StandardCharsets.UTF_8).length;
    assertThat(capped(length).outcome()).isEqualTo(Outcome.OK);
    assertThat(capped(length - 1))
        .usingRecursiveComparison()
        .ignoringFields("times")
        .isEqualTo(LineageAnswer.without(Outcome.TOO_LARGE, Excess.RESPONSE_BYTES.label()));
  }

  private static LineageAnswer capped(int cap) {
    JobGraphSource source = (job, deadline) -> Call.of(found(REPORT));
    return join(new LineageService(source, OPEN, cap, Runnable::run).begin(7, FAR).answer());
  }

  @Test
  void L25_the_source_is_asked_once_with_the_id_and_the_deadline_of_the_request() {
    List<Object> asked = new ArrayList<>();
    JobGraphSource source =
        (job, deadline) -> {
          asked.add(job);
          asked.add(deadline);
          return Call.of(new Lookup.NotFound());
        };
    new LineageService(source, OPEN, CAP, Runnable::run).begin(Long.MAX_VALUE, FAR);
    assertThat(asked).containsExactly(Long.MAX_VALUE, FAR);
  }

  @Test
  void L13_the_projection_runs_on_the_workers_and_not_where_the_source_answers() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    CompletableFuture<Lookup> lookup = new CompletableFuture<>();
    LineageService service =
        new LineageService((job, deadline) -> Call.of(lookup), OPEN, CAP, tasks::add);
    Call<LineageAnswer> call = service.begin(7, FAR);
    lookup.complete(found(REPORT));
    assertThat(isDone(call.answer())).as("answered by the source's thread").isFalse();
    int run = 0;
    while (!tasks.isEmpty()) {
      assertThat(tasks).as("tasks of one call at once").hasSize(1);
      tasks.remove().run();
      run++;
    }
    assertThat(run).as("worker tasks").isPositive();
    assertThat(join(call.answer()).outcome()).isEqualTo(Outcome.OK);
  }

  @Test
  void L16_the_call_ends_with_the_source_s_work_and_not_with_its_answer() {
    CompletableFuture<Void> open = new CompletableFuture<>();
    Call<LineageAnswer> call = begin(new Call<>(stage(new Lookup.NotFound()), open));
    assertThat(join(call.answer()).outcome()).isEqualTo(Outcome.NOT_FOUND);
    assertThat(isDone(call.ended())).as("ended while the source still works").isFalse();
    open.complete(null);
    assertThat(isDone(call.ended())).as("ended with the source's work").isTrue();
  }

  @Test
  void L16_the_call_never_ends_before_it_is_answered() {
    CompletableFuture<Lookup> lookup = new CompletableFuture<>();
    Call<LineageAnswer> call = begin(new Call<>(lookup, stage("over")));
    assertThat(isDone(call.ended())).as("ended before its answer").isFalse();
    lookup.complete(new Lookup.NotFound());
    assertThat(isDone(call.ended())).isTrue();
  }

  @Test
  void L16_the_call_never_ends_before_its_projection_is_done() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    LineageService service =
        new LineageService((job, deadline) -> Call.of(found(REPORT)), OPEN, CAP, tasks::add);
    Call<LineageAnswer> call = service.begin(7, FAR);
    while (!tasks.isEmpty()) {
      assertThat(isDone(call.ended())).as("ended with work to do").isFalse();
      tasks.remove().run();
    }
    assertThat(isDone(call.ended())).isTrue();
  }

  @Test
  void L16_a_source_that_never_answers_is_waited_for_by_nobody() {
    Call<LineageAnswer> call =
        begin(new Call<>(new CompletableFuture<>(), new CompletableFuture<>()));
    assertThat(isDone(call.answer())).isFalse();
    assertThat(isDone(call.ended())).isFalse();
  }

  private static Call<LineageAnswer> begin(Call<Lookup> lookup) {
    return new LineageService((job, deadline) -> lookup, OPEN, CAP, Runnable::run).begin(7, FAR);
  }

  private static void assertAnswer(Lookup lookup, Outcome outcome, String reason) {
    assertThat(answer(lookup))
        .usingRecursiveComparison()
        .ignoringFields("times")
        .isEqualTo(LineageAnswer.without(outcome, reason));
  }

  private static LineageAnswer answer(Lookup lookup) {
    return join(begin(Call.of(lookup)).answer());
  }

  private static Lookup found(ReportedGraph report) {
    JobGraph graph = report.checked();
    return new Lookup.Found(graph, EXECUTION, false);
  }

  private static <T> CompletionStage<T> stage(T value) {
    return CompletableFuture.completedStage(value);
  }

  private static boolean isDone(CompletionStage<?> stage) {
    return stage.toCompletableFuture().isDone();
  }

  private static <T> T join(CompletionStage<T> stage) {
    assertThat(isDone(stage)).as("answered").isTrue();
    return stage.toCompletableFuture().join();
  }
}
