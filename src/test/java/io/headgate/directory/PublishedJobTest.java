package io.headgate.directory;

import static io.headgate.directory.Publications.GRAPH;
import static io.headgate.directory.Publications.HISTORY;
import static io.headgate.directory.Publications.NOW;
import static io.headgate.directory.Publications.OTHER_GRAPH;
import static io.headgate.directory.Publications.of;
import static io.headgate.directory.Publications.record;
import static io.headgate.graph.JobStatus.CREATED;
import static io.headgate.graph.JobStatus.FAILED;
import static io.headgate.graph.JobStatus.FINISHED;
import static io.headgate.graph.JobStatus.RUNNING;
import static io.headgate.graph.JobStatus.SAVEPOINT_DONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.graph.Excess;
import io.headgate.graph.Execution;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobStatus;
import io.headgate.graph.Lookup;
import io.headgate.graph.ReportedGraph;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What publications make of one job's record, and what a lookup finds in it (L22). */
class PublishedJobTest {
  @Provide
  Arbitrary<List<Publications.Step>> sequences() {
    return Publications.sequences();
  }

  @Test
  void L22_an_active_execution_is_found_with_its_graph() {
    JobRecord record = record(of(1, CREATED, null), of(1, RUNNING, GRAPH));
    assertThat(lookup(record)).isInstanceOf(Lookup.Found.class);
    Lookup.Found found = (Lookup.Found) lookup(record);
    assertThat(found.retained()).isFalse();
    assertThat(found.execution()).isEqualTo(Execution.ofEpoch(1, Publications.NOON));
    assertThat(ReportedGraph.json(found.graph())).isEqualTo(ReportedGraph.chain(3).json());
    assertThat(record.expiresAtMillis()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void L22_a_pending_job_without_a_graph_is_known_and_active() {
    assertThat(lookup(record(of(1, CREATED, null))))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, false));
  }

  @Test
  void L22_a_job_that_failed_before_it_had_a_graph_is_known_and_retained() {
    JobRecord record = record(of(1, CREATED, null), of(1, FAILED, null));
    assertThat(lookup(record))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, true));
    assertThat(record.expiresAtMillis()).isEqualTo(NOW + HISTORY);
  }

  @Test
  void L22_an_execution_that_ends_takes_its_graph_along() {
    JobRecord record = record(of(1, RUNNING, GRAPH), of(1, FINISHED, null));
    assertThat(((Lookup.Found) lookup(record)).retained()).isTrue();
    assertThat(record.active()).isNull();
    assertThat(record.retained().endedAt()).isEqualTo(NOW);
  }

  @Test
  void L22_an_active_execution_without_a_graph_wins_over_a_retained_one_with_its_graph() {
    JobRecord record = record(of(1, FINISHED, GRAPH), of(2, CREATED, null));
    assertThat(record.retained()).isNotNull();
    assertThat(lookup(record))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, false));
  }

  @Test
  void L22_a_resumed_job_is_found_with_the_graph_of_its_new_execution() {
    JobRecord record =
        record(of(1, RUNNING, GRAPH), of(1, SAVEPOINT_DONE, null), of(2, RUNNING, OTHER_GRAPH));
    Lookup.Found found = (Lookup.Found) lookup(record);
    assertThat(found.execution()).isEqualTo(Execution.ofEpoch(2, Publications.NOON));
    assertThat(ReportedGraph.json(found.graph())).isEqualTo(ReportedGraph.chain(4).json());
  }

  @Test
  void L22_a_higher_epoch_takes_the_place_of_an_execution_that_nobody_ended() {
    JobRecord record = record(of(1, RUNNING, GRAPH), of(2, CREATED, null));
    assertThat(record.active().epoch()).isEqualTo(2);
    assertThat(record.active().graph()).as("the graph of the execution before").isNull();
    assertThat(record.retained()).isNull();
  }

  @Test
  void L30_a_lower_epoch_than_the_active_or_the_retained_one_is_stale() {
    JobRecord active = record(of(3, RUNNING, GRAPH));
    JobRecord retained = record(of(3, FINISHED, GRAPH));
    for (JobRecord record : List.of(active, retained)) {
      for (JobStatus status : List.of(RUNNING, FINISHED)) {
        assertThat(publish(record, of(2, status, OTHER_GRAPH)))
            .isEqualTo(new JobRecord.Change(PublishOutcome.STALE_EPOCH, record));
      }
    }
  }

  @Test
  void L30_an_execution_that_ended_does_not_become_active_again() {
    JobRecord record = record(of(1, FINISHED, GRAPH));
    assertThat(publish(record, of(1, RUNNING, OTHER_GRAPH)))
        .isEqualTo(new JobRecord.Change(PublishOutcome.ENDED, record));
    JobRecord resumed = record(of(1, FINISHED, GRAPH), of(2, RUNNING, GRAPH));
    assertThat(publish(resumed, of(1, RUNNING, null)).outcome())
        .isEqualTo(PublishOutcome.STALE_EPOCH);
  }

  @ParameterizedTest
  @EnumSource(JobStatus.class)
  void L30_a_publication_that_is_repeated_changes_nothing(JobStatus status) {
    JobRecord record = record(of(1, status, GRAPH));
    for (Publication repeated : List.of(of(1, status, GRAPH.clone()), of(1, status, null))) {
      JobRecord.Change change = JobRecord.publish(record, repeated, NOW + HISTORY - 1, HISTORY);
      assertThat(change.outcome()).isEqualTo(PublishOutcome.UNCHANGED);
      assertThat(change.record()).isSameAs(record);
    }
  }

  @Test
  void L30_the_time_that_the_first_publication_of_an_epoch_gives_stays() {
    Publication later = new Publication(7, 1, FINISHED, Publications.NOON.plusSeconds(9), null);
    JobRecord record = record(of(1, RUNNING, GRAPH), later);
    assertThat(record.retained().run().createdAt()).isEqualTo(NOW);
  }

  @Test
  void L22_a_graph_that_comes_after_the_end_is_attached_and_renews_only_the_graph() {
    JobRecord record = record(of(1, FINISHED, null));
    record = JobRecord.publish(record, of(1, FINISHED, GRAPH), NOW + 400, HISTORY).record();
    assertThat(record.retained().stateExpiresAt()).isEqualTo(NOW + HISTORY);
    assertThat(record.retained().graphExpiresAt()).isEqualTo(NOW + 400 + HISTORY);
    assertThat(record.expiresAtMillis()).isEqualTo(NOW + 400 + HISTORY);
    assertThat(lookup(record, NOW + HISTORY - 1)).isInstanceOf(Lookup.Found.class);
    assertThat(lookup(record, NOW + HISTORY))
        .as("state expired, graph live")
        .isEqualTo(new Lookup.NotFound());
  }

  @Test
  void L22_another_end_of_an_execution_renews_only_its_state() {
    JobRecord record = record(of(1, SAVEPOINT_DONE, GRAPH));
    record = JobRecord.publish(record, of(1, FINISHED, null), NOW + 400, HISTORY).record();
    assertThat(record.retained().run().status()).isEqualTo(FINISHED);
    assertThat(record.retained().graphExpiresAt()).isEqualTo(NOW + HISTORY);
    assertThat(lookup(record, NOW + HISTORY - 1)).isInstanceOf(Lookup.Found.class);
    assertThat(lookup(record, NOW + HISTORY))
        .as("graph expired, state live")
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, true));
    assertThat(lookup(record, NOW + 400 + HISTORY)).isEqualTo(new Lookup.NotFound());
  }

  @Test
  void L22_what_has_expired_is_known_again_once_it_is_published_again() {
    JobRecord record = record(of(1, FINISHED, GRAPH));
    long late = NOW + HISTORY;
    record = JobRecord.publish(record, of(1, FINISHED, GRAPH), late, HISTORY).record();
    assertThat(lookup(record, late)).isInstanceOf(Lookup.Found.class);
  }

  @Test
  void L12_a_stored_graph_past_today_s_limits_is_too_large() {
    GraphLimits limits = new GraphLimits(2, 9, 9, 99, 999);
    assertThat(record(of(1, RUNNING, GRAPH)).lookup(NOW, limits))
        .isEqualTo(new Lookup.TooLarge(Excess.NODES, false));
    assertThat(record(of(1, FINISHED, GRAPH)).lookup(NOW, limits))
        .isEqualTo(new Lookup.TooLarge(Excess.NODES, true));
  }

  @Test
  void L10_a_stored_graph_that_can_not_be_read_is_inconsistent() {
    byte[] newer = GRAPH.clone();
    newer[0]++;
    assertThat(lookup(record(of(1, FINISHED, newer))))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.UNREADABLE_GRAPH, true));
  }

  @Test
  void L30_a_publication_has_a_job_an_epoch_and_a_time_that_can_be_told() {
    assertThatThrownBy(() -> new Publication(0, 1, RUNNING, Publications.NOON, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> of(0, RUNNING, null)).isInstanceOf(IllegalArgumentException.class);
    assertThat(new Publication(7, 1, RUNNING, Instant.MAX, null).createdAt())
        .isEqualTo(Instant.parse("9999-12-31T23:59:59.999Z"));
    assertThat(new Publication(7, 1, RUNNING, Instant.MIN, null).createdAt())
        .isEqualTo(Instant.parse("0000-01-01T00:00:00Z"));
    assertThat(new Publication(7, 1, RUNNING, Publications.NOON.plusNanos(1), null).createdAt())
        .isEqualTo(Publications.NOON);
  }

  @Property
  void L22_no_sequence_of_publications_goes_back(
      @ForAll("sequences") List<Publications.Step> sequence) {
    JobRecord record = null;
    long highest = 0;
    boolean over = false;
    long now = NOW;
    for (Publications.Step step : sequence) {
      now += step.afterMillis();
      Publication said = step.said();
      JobRecord.Change change = JobRecord.publish(record, said, now, HISTORY);
      PublishOutcome expected =
          said.epoch() < highest
              ? PublishOutcome.STALE_EPOCH
              : said.epoch() == highest && over && !said.status().isEnd()
                  ? PublishOutcome.ENDED
                  : null;
      if (expected != null) {
        assertThat(change.outcome()).isEqualTo(expected);
        assertThat(change.record()).isSameAs(record);
      } else {
        over = said.status().isEnd();
        highest = said.epoch();
        assertThat(change.outcome()).isIn(PublishOutcome.PUBLISHED, PublishOutcome.UNCHANGED);
        assertThat(change.record() == record)
            .isEqualTo(change.outcome() == PublishOutcome.UNCHANGED);
      }
      record = change.record();
      assertThat(record.active() == null).as("over").isEqualTo(over);
      assertThat(over ? record.retained().run().epoch() : record.active().epoch())
          .isEqualTo(highest);
      if (!over && record.retained() != null) {
        assertThat(record.retained().run().epoch()).isLessThan(highest);
      }
      assertThat(JobRecord.publish(record, said, now, HISTORY).record())
          .as("the same once more")
          .isSameAs(record);
    }
  }

  @Property
  void L22_a_lookup_finds_what_was_published_last_of_the_highest_epoch(
      @ForAll("sequences") List<Publications.Step> sequence) {
    JobRecord record = Publications.after(sequence);
    long now = NOW + sequence.stream().mapToLong(Publications.Step::afterMillis).sum();
    Run run = record.active() != null ? record.active() : record.retained().run();
    boolean retained = record.active() == null;
    Lookup lookup = lookup(record, now);
    if (retained && now >= record.retained().stateExpiresAt()) {
      assertThat(lookup).isEqualTo(new Lookup.NotFound());
    } else if (run.graph() == null || retained && now >= record.retained().graphExpiresAt()) {
      assertThat(lookup).isEqualTo(new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, retained));
    } else {
      Lookup.Found found = (Lookup.Found) lookup;
      assertThat(found.retained()).isEqualTo(retained);
      assertThat(found.execution().epoch()).isEqualTo(run.epoch());
    }
    assertThat(lookup(record, record.expiresAtMillis() - 1) instanceof Lookup.NotFound)
        .as("known until it expires, unless only its graph is")
        .isEqualTo(retained && record.expiresAtMillis() > record.retained().stateExpiresAt());
  }

  private static JobRecord.Change publish(JobRecord record, Publication said) {
    return JobRecord.publish(record, said, NOW, HISTORY);
  }

  private static Lookup lookup(JobRecord record) {
    return lookup(record, NOW);
  }

  private static Lookup lookup(JobRecord record, long nowMillis) {
    return record.lookup(nowMillis, GraphLimits.DEFAULT);
  }
}
