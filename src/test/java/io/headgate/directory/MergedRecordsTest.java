package io.headgate.directory;

import static io.headgate.directory.Publications.GRAPH;
import static io.headgate.directory.Publications.HISTORY;
import static io.headgate.directory.Publications.NOW;
import static io.headgate.directory.Publications.of;
import static io.headgate.directory.Publications.record;
import static io.headgate.graph.JobStatus.FINISHED;
import static io.headgate.graph.JobStatus.RUNNING;
import static io.headgate.graph.JobStatus.SAVEPOINT_DONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.JobStatus;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Parts of a cluster that took publications of one job apart from each other, and met again. */
class MergedRecordsTest {
  @Provide
  Arbitrary<JobRecord> records() {
    return Publications.records();
  }

  @Property
  void L22_two_parts_give_the_same_in_either_order(
      @ForAll("records") JobRecord a, @ForAll("records") JobRecord b) {
    assertThat(JobRecord.merge(a, b)).isEqualTo(JobRecord.merge(b, a));
  }

  @Property
  void L22_three_parts_give_the_same_whichever_two_meet_first(
      @ForAll("records") JobRecord a,
      @ForAll("records") JobRecord b,
      @ForAll("records") JobRecord c) {
    assertThat(JobRecord.merge(JobRecord.merge(a, b), c))
        .isEqualTo(JobRecord.merge(a, JobRecord.merge(b, c)));
  }

  @Property
  void L22_a_part_merged_with_itself_or_with_what_it_knew_before_is_itself(
      @ForAll("records") JobRecord a, @ForAll("records") JobRecord b) {
    assertThat(JobRecord.merge(a, a)).isEqualTo(a);
    JobRecord merged = JobRecord.merge(a, b);
    assertThat(JobRecord.merge(merged, a)).isEqualTo(merged);
  }

  @Property
  void L22_the_highest_epoch_wins_and_an_ended_one_stays_ended(
      @ForAll("records") JobRecord a, @ForAll("records") JobRecord b) {
    JobRecord merged = JobRecord.merge(a, b);
    long highest = Math.max(highest(a), highest(b));
    assertThat(highest(merged)).isEqualTo(highest);
    boolean endedSomewhere = ended(a) == highest || ended(b) == highest;
    assertThat(merged.active() == null).isEqualTo(endedSomewhere);
    for (JobRecord part : new JobRecord[] {a, b}) {
      long closed = ended(part);
      if (closed > 0) {
        assertThat(JobRecord.publish(merged, of(closed, RUNNING, GRAPH), NOW, HISTORY).outcome())
            .isIn(PublishOutcome.ENDED, PublishOutcome.STALE_EPOCH);
      }
    }
  }

  @Test
  void L22_a_state_renewed_in_one_part_and_a_graph_in_the_other_are_both_kept() {
    JobRecord before = record(of(1, SAVEPOINT_DONE, null));
    JobRecord state = JobRecord.publish(before, of(1, FINISHED, null), NOW + 5, HISTORY).record();
    JobRecord graph =
        JobRecord.publish(before, of(1, SAVEPOINT_DONE, GRAPH), NOW + 9, HISTORY).record();
    EndedRun merged = JobRecord.merge(state, graph).retained();
    assertThat(merged.run().status()).isEqualTo(FINISHED);
    assertThat(merged.stateExpiresAt()).isEqualTo(NOW + 5 + HISTORY);
    assertThat(merged.run().graph()).isEqualTo(GRAPH);
    assertThat(merged.graphExpiresAt()).isEqualTo(NOW + 9 + HISTORY);
  }

  @Test
  void L22_a_graph_that_only_one_part_has_is_kept_for_an_active_execution() {
    JobRecord merged =
        JobRecord.merge(record(of(1, RUNNING, GRAPH)), record(of(1, JobStatus.FAILING, null)));
    assertThat(merged.active()).isEqualTo(record(of(1, JobStatus.FAILING, GRAPH)).active());
  }

  private static long highest(JobRecord record) {
    return Math.max(record.active() == null ? 0 : record.active().epoch(), ended(record));
  }

  private static long ended(JobRecord record) {
    return record.retained() == null ? 0 : record.retained().run().epoch();
  }
}
