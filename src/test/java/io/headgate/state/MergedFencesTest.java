package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Execution;
import io.headgate.state.ServedJob.Verdict;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Two halves of a cluster that answered for one job apart from each other, and met again. */
class MergedFencesTest {
  private static final FenceConfig CONFIG = ServedJobs.CONFIG;

  @Provide
  Arbitrary<ServedJob> jobs() {
    return ServedJobs.jobs();
  }

  @Provide
  Arbitrary<List<ServedJobs.Answer>> histories() {
    return ServedJobs.histories();
  }

  @Property
  void L22a_the_halves_give_the_same_in_either_order(
      @ForAll("jobs") ServedJob a, @ForAll("jobs") ServedJob b) {
    ServedJob merged = ServedJob.merge(a, b);
    assertThat(ServedJob.merge(b, a)).isEqualTo(merged);
    assertThat(ServedJob.merge(b, a).toBytes()).isEqualTo(merged.toBytes());
  }

  @Property
  void L22a_a_half_merged_with_itself_is_itself(@ForAll("jobs") ServedJob a) {
    assertThat(ServedJob.merge(a, a)).isEqualTo(a);
    assertThat(ServedJob.merge(a, ServedJob.fromBytes(a.toBytes()))).isEqualTo(a);
  }

  @Property
  void L22a_what_is_certainly_older_to_one_half_is_so_to_both_together(
      @ForAll("histories") List<ServedJobs.Answer> left,
      @ForAll("histories") List<ServedJobs.Answer> right) {
    ServedJob a = ServedJobs.after(null, left);
    ServedJob b = ServedJobs.after(null, right);
    ServedJob merged = ServedJob.merge(a, b);
    ServedJobs.Answer last = left.get(left.size() - 1);
    boolean current =
        ServedJob.pass(a, last.execution(), null, last.ids(), CONFIG, 0).verdict() == Verdict.SERVE;
    for (ServedJobs.Answer other : right) {
      Execution older = other.execution();
      if (current && older.hasEpoch() && older.isOlderThan(last.execution(), CONFIG.skew())) {
        assertThat(ServedJob.pass(merged, older, null, other.ids(), CONFIG, 0).verdict())
            .as("%s after %s", older, last.execution())
            .isEqualTo(Verdict.OLDER);
      }
    }
  }

  @Test
  void L22a_the_execution_that_replaced_the_other_half_s_wins_although_the_times_do_not_say_so() {
    Execution first = Execution.ofLocalTime("2026-11-30 12:03:00");
    Execution second = Execution.ofLocalTime("2026-11-30 12:00:00");
    ServedJob stayed = served(null, first);
    ServedJob moved = served(served(null, first), second);
    ServedJob merged = ServedJob.merge(stayed, moved);
    assertThat(verdict(merged, second)).isEqualTo(Verdict.SERVE);
    assertThat(verdict(merged, first)).isEqualTo(Verdict.OLDER);
  }

  @Test
  void L22a_of_two_executions_that_nothing_orders_one_is_older_afterwards() {
    ServedJob a = served(null, Execution.ofLocalTime("2026-11-30 12:00:00"));
    ServedJob b = served(null, Execution.ofLocalTime("2026-11-30 12:03:00"));
    ServedJob merged = ServedJob.merge(a, b);
    assertThat(verdict(merged, Execution.ofLocalTime("2026-11-30 12:03:00")))
        .isEqualTo(Verdict.SERVE);
    assertThat(verdict(merged, Execution.ofLocalTime("2026-11-30 12:00:00")))
        .isEqualTo(Verdict.OLDER);
  }

  @Test
  void L22a_both_kinds_are_kept() {
    Execution epoch = Execution.ofEpoch(3, ServedJobs.NOON);
    Execution text = Execution.ofLocalTime("2026-11-30 12:00:00");
    ServedJob merged = ServedJob.merge(served(null, epoch), served(null, text));
    assertThat(verdict(merged, Execution.ofEpoch(2, ServedJobs.NOON))).isEqualTo(Verdict.OLDER);
    assertThat(verdict(merged, Execution.ofLocalTime("2026-11-30 09:00:00")))
        .isEqualTo(Verdict.OLDER);
    assertThat(verdict(merged, epoch)).isEqualTo(Verdict.SERVE);
    assertThat(verdict(merged, text)).isEqualTo(Verdict.SERVE);
  }

  @Test
  void L22b_of_two_numberings_of_one_graph_one_is_kept() {
    Execution epoch = Execution.ofEpoch(3, ServedJobs.NOON);
    byte[] form = ServedJobs.digest(1);
    long[] ids = {1, 2};
    long[] otherIds = {2, 1};
    ServedJob a = ServedJob.pass(null, epoch, form, otherIds, CONFIG, 0).next();
    ServedJob b = ServedJob.pass(null, epoch, form, ids, CONFIG, 0).next();
    ServedJob without = served(null, epoch);
    for (ServedJob merged :
        List.of(
            ServedJob.merge(a, b),
            ServedJob.merge(b, a),
            ServedJob.merge(ServedJob.merge(without, b), a))) {
      assertThat(ServedJob.pass(merged, epoch, form, otherIds, CONFIG, 0).ids())
          .containsExactly(ids);
    }
  }

  @Test
  void L22a_halves_on_different_executions_must_tell_each_other() {
    Execution epoch = Execution.ofEpoch(3, ServedJobs.NOON);
    ServedJob a = served(null, epoch);
    ServedJob newer = served(a, Execution.ofEpoch(4, ServedJobs.NOON));
    ServedJob text = served(null, Execution.ofLocalTime("2026-11-30 12:00:00"));
    assertThat(ServedJob.merge(a, newer).untold()).isTrue();
    assertThat(ServedJob.merge(a, text).untold()).isTrue();
    assertThat(ServedJob.merge(a, a.untold(true)).untold()).isTrue();
    assertThat(ServedJob.merge(a, a).untold()).isFalse();
  }

  private static ServedJob served(ServedJob job, Execution execution) {
    return ServedJob.pass(job, execution, null, new long[0], CONFIG, 0).next();
  }

  private static Verdict verdict(ServedJob job, Execution execution) {
    return ServedJob.pass(job, execution, null, new long[0], CONFIG, 0).verdict();
  }
}
