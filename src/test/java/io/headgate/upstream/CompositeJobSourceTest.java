package io.headgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Excess;
import io.headgate.graph.Execution;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.ReportedGraph;
import io.headgate.graph.Unavailability;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/**
 * Current against retained over several sources (L22), with sources that say what they are told.
 */
class CompositeJobSourceTest {
  private static final Lookup UNKNOWN = new Lookup.NotFound();
  private static final Lookup ACTIVE = found(1, false);
  private static final Lookup OTHER_ACTIVE = found(2, false);
  private static final Lookup RETAINED = found(3, true);
  private static final Lookup OTHER_RETAINED = found(4, true);
  private static final Lookup ACTIVE_WITHOUT_GRAPH =
      new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, false);
  private static final Lookup RETAINED_WITHOUT_GRAPH =
      new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, true);
  private static final Lookup ACTIVE_TOO_LARGE = new Lookup.TooLarge(Excess.NODES, false);
  private static final Lookup RETAINED_TOO_LARGE = new Lookup.TooLarge(Excess.NODES, true);
  private static final Lookup DOWN = new Lookup.Unavailable(Unavailability.UNREACHABLE);
  private static final Lookup LATE = new Lookup.Unavailable(Unavailability.DEADLINE);

  private final List<Integer> asked = new ArrayList<>();

  private static Lookup found(long epoch, boolean retained) {
    JobGraph graph = ReportedGraph.chain(2).checked();
    return new Lookup.Found(graph, Execution.ofEpoch(epoch, Instant.EPOCH), retained);
  }

  @Test
  void L22_the_first_active_record_wins_and_nobody_behind_it_is_asked() {
    assertThat(answer(UNKNOWN, ACTIVE, OTHER_ACTIVE)).isEqualTo(ACTIVE);
    assertThat(asked).containsExactly(0, 1);
  }

  @Test
  void L22_active_beats_retained_wherever_it_stands() {
    assertThat(answer(RETAINED, ACTIVE)).isEqualTo(ACTIVE);
    assertThat(answer(ACTIVE, RETAINED)).isEqualTo(ACTIVE);
  }

  @Test
  void L22_an_active_record_without_a_usable_graph_is_not_replaced_by_a_retained_one() {
    assertThat(answer(RETAINED, ACTIVE_WITHOUT_GRAPH)).isEqualTo(ACTIVE_WITHOUT_GRAPH);
    assertThat(answer(ACTIVE_WITHOUT_GRAPH, RETAINED)).isEqualTo(ACTIVE_WITHOUT_GRAPH);
    assertThat(answer(RETAINED, ACTIVE_TOO_LARGE)).isEqualTo(ACTIVE_TOO_LARGE);
  }

  @Test
  void L22_the_first_retained_record_wins_once_nobody_has_the_job_as_active() {
    assertThat(answer(UNKNOWN, RETAINED, OTHER_RETAINED)).isEqualTo(RETAINED);
    assertThat(answer(RETAINED_WITHOUT_GRAPH, RETAINED)).isEqualTo(RETAINED_WITHOUT_GRAPH);
    assertThat(answer(RETAINED_TOO_LARGE, UNKNOWN)).isEqualTo(RETAINED_TOO_LARGE);
  }

  @Test
  void L22_no_retained_record_is_served_while_a_source_can_not_be_asked() {
    assertThat(answer(DOWN, RETAINED)).isEqualTo(DOWN);
    assertThat(answer(RETAINED, DOWN)).isEqualTo(DOWN);
    assertThat(answer(RETAINED_WITHOUT_GRAPH, DOWN)).isEqualTo(DOWN);
    assertThat(answer(LATE, RETAINED, DOWN)).isEqualTo(LATE);
  }

  @Test
  void L22_an_active_graph_is_served_though_an_earlier_source_can_not_be_asked() {
    assertThat(answer(DOWN, ACTIVE)).isEqualTo(ACTIVE);
  }

  @Test
  void L22_an_active_record_without_a_graph_says_nothing_while_an_earlier_source_is_down() {
    assertThat(answer(DOWN, ACTIVE_WITHOUT_GRAPH)).isEqualTo(DOWN);
    assertThat(answer(DOWN, ACTIVE_TOO_LARGE)).isEqualTo(DOWN);
  }

  @Test
  void L21_a_job_is_unknown_only_if_every_source_says_so() {
    assertThat(answer(UNKNOWN, UNKNOWN)).isEqualTo(UNKNOWN);
    assertThat(answer(UNKNOWN, DOWN)).isEqualTo(DOWN);
  }

  /**
   * Whatever the sources say, what is served is something that one of them said, and rightly so.
   */
  @Property
  void L22_holds_for_every_way_of_answering(@ForAll("sayings") List<Lookup> sayings) {
    asked.clear();
    Lookup answer = answer(sayings.toArray(Lookup[]::new));
    boolean anyDown = sayings.stream().anyMatch(Lookup.Unavailable.class::isInstance);
    if (answer instanceof Lookup.Found found && found.retained()) {
      assertThat(anyDown).isFalse();
      assertThat(sayings).doesNotContain(ACTIVE, ACTIVE_WITHOUT_GRAPH);
    } else if (answer instanceof Lookup.NotFound) {
      assertThat(sayings).containsOnly(UNKNOWN);
    } else if (answer instanceof Lookup.Unavailable) {
      int broken = sayings.indexOf(ACTIVE_WITHOUT_GRAPH);
      List<Lookup> heard = broken < 0 ? sayings : sayings.subList(0, broken);
      assertThat(heard).doesNotContain(ACTIVE).contains(DOWN);
    }
  }

  @Provide
  Arbitrary<List<Lookup>> sayings() {
    return Arbitraries.of(
            UNKNOWN, ACTIVE, RETAINED, ACTIVE_WITHOUT_GRAPH, RETAINED_WITHOUT_GRAPH, DOWN)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  @Test
  void L16_each_source_gets_an_equal_share_of_the_time_that_is_left() {
    List<Deadline> shares = new ArrayList<>();
    JobGraphSource noting =
        (jobId, deadline) -> {
          shares.add(deadline);
          return Call.of(UNKNOWN);
        };
    Deadline whole = Deadline.in(Duration.ofHours(4));
    new CompositeJobSource(List.of(noting, noting, noting)).lookup(7, whole);
    assertThat(Duration.ofNanos(whole.atNanos() - shares.get(0).atNanos()).toMinutes())
        .isBetween(159L, 160L);
    assertThat(Duration.ofNanos(whole.atNanos() - shares.get(1).atNanos()).toMinutes())
        .isBetween(119L, 120L);
    assertThat(shares.get(2)).isEqualTo(whole);
  }

  @Test
  void L16_the_lookup_ends_when_no_call_to_any_source_is_open() {
    CompletableFuture<Void> still = new CompletableFuture<>();
    JobGraphSource slow =
        (jobId, deadline) -> new Call<>(CompletableFuture.completedStage(DOWN), still);
    Call<Lookup> call =
        new CompositeJobSource(List.of(slow, saying(1, ACTIVE)))
            .lookup(7, Deadline.in(Duration.ofHours(1)));
    assertThat(call.answer().toCompletableFuture()).isCompletedWithValue(ACTIVE);
    assertThat(call.ended().toCompletableFuture()).isNotDone();
    still.complete(null);
    assertThat(call.ended().toCompletableFuture()).isDone();
  }

  @Test
  void L21_a_source_that_fails_fails_the_lookup_and_ends_it() {
    JobGraphSource throwing =
        (jobId, deadline) -> {
          throw new IllegalStateException("of the test");
        };
    JobGraphSource failing =
        (jobId, deadline) ->
            Call.of(CompletableFuture.failedStage(new IllegalStateException("of the test")));
    for (JobGraphSource broken : List.of(throwing, failing)) {
      Call<Lookup> call =
          new CompositeJobSource(List.of(saying(0, UNKNOWN), broken, saying(2, ACTIVE)))
              .lookup(7, Deadline.in(Duration.ofHours(1)));
      assertThatThrownBy(() -> call.answer().toCompletableFuture().join())
          .hasMessageContaining("of the test");
      assertThat(call.ended().toCompletableFuture()).isCompleted();
    }
    assertThat(asked).doesNotContain(2);
  }

  private Lookup answer(Lookup... sayings) {
    List<JobGraphSource> sources = new ArrayList<>();
    for (int i = 0; i < sayings.length; i++) {
      sources.add(saying(i, sayings[i]));
    }
    Call<Lookup> call = new CompositeJobSource(sources).lookup(7, Deadline.in(Duration.ofHours(1)));
    assertThat(call.ended().toCompletableFuture()).isCompleted();
    return call.answer().toCompletableFuture().join();
  }

  private JobGraphSource saying(int index, Lookup saying) {
    return (jobId, deadline) -> {
      asked.add(index);
      return Call.of(saying);
    };
  }
}
