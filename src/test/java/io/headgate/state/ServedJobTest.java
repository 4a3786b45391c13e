package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Execution;
import io.headgate.state.ServedJob.Passage;
import io.headgate.state.ServedJob.Verdict;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One job of which a gateway sees executions with epochs and others without. */
class ServedJobTest {
  private static final FenceConfig CONFIG = ServedJobs.CONFIG;
  private static final byte[] FORM = ServedJobs.digest(1);
  private static final long[] IDS = {1, 2, 3};
  private static final long[] OTHER_IDS = {9, 6, 7};

  /** Certain in every zone: more than 14 h and the skew apart. */
  private static final Execution DAY_BEFORE = Execution.ofLocalTime("2026-11-29 12:00:00");

  private static final Execution DAY_AFTER = Execution.ofLocalTime("2026-12-01 12:00:00");
  private static final Execution SAME_DAY = Execution.ofLocalTime("2026-11-30 09:00:00");
  private static final Execution FIRST_EPOCH = Execution.ofEpoch(1, ServedJobs.NOON);

  private @Nullable ServedJob job;
  private long millis;

  @Provide
  Arbitrary<List<ServedJobs.Answer>> histories() {
    return ServedJobs.histories();
  }

  @Test
  void L22a_a_text_that_is_older_in_every_zone_is_refused_after_an_epoch() {
    assertServed(FIRST_EPOCH);
    assertRefused(DAY_BEFORE);
    assertServed(FIRST_EPOCH);
  }

  @Test
  void L22a_an_epoch_that_began_before_a_text_in_every_zone_is_refused() {
    assertServed(DAY_AFTER);
    assertRefused(FIRST_EPOCH);
    assertServed(DAY_AFTER);
  }

  @Test
  void L22a_the_text_served_before_is_refused_once_a_newer_epoch_has_been_served() {
    assertServed(DAY_BEFORE);
    assertServed(FIRST_EPOCH);
    assertRefused(DAY_BEFORE);
    assertServed(DAY_AFTER);
    assertRefused(FIRST_EPOCH);
  }

  @Test
  void L22a_two_kinds_that_can_not_be_compared_are_both_served_and_replace_nothing() {
    for (int i = 0; i < 3; i++) {
      assertServed(SAME_DAY);
      assertServed(FIRST_EPOCH);
    }
    assertServed(Execution.ofEpoch(2, ServedJobs.NOON));
    assertServed(SAME_DAY);
    assertRefused(FIRST_EPOCH);
  }

  @Test
  void L22a_a_replaced_text_stays_older_whatever_epochs_come_between() {
    Execution later = Execution.ofLocalTime("2026-11-30 09:03:00");
    assertServed(SAME_DAY);
    assertServed(FIRST_EPOCH);
    assertServed(later);
    assertServed(FIRST_EPOCH);
    assertRefused(SAME_DAY);
  }

  @Test
  void L22a_what_is_served_of_one_kind_ends_the_hold_of_the_other() {
    assertServed(FIRST_EPOCH);
    assertRefused(DAY_BEFORE);
    millis += CONFIG.hold().toMillis() - 1;
    assertServed(SAME_DAY);
    millis += 1;
    assertRefused(DAY_BEFORE);
  }

  @Test
  void L22a_if_only_an_older_one_of_the_other_kind_keeps_coming_it_is_served_after_the_hold() {
    assertServed(FIRST_EPOCH);
    assertRefused(DAY_BEFORE);
    millis += CONFIG.hold().toMillis();
    assertThat(pass(DAY_BEFORE).yielded()).isTrue();
    Passage again = pass(DAY_BEFORE);
    assertThat(again.verdict()).isEqualTo(Verdict.SERVE);
    assertThat(again.yielded()).as("it yields once").isFalse();
    assertServed(FIRST_EPOCH);
    assertRefused(DAY_BEFORE);
  }

  @Test
  void L22b_each_kind_keeps_a_numbering_of_its_own() {
    assertThat(pass(SAME_DAY, IDS).ids()).as("the first has its own").isNull();
    assertThat(pass(FIRST_EPOCH, OTHER_IDS).ids()).isNull();
    assertThat(pass(SAME_DAY, OTHER_IDS).ids()).containsExactly(IDS);
    assertThat(pass(FIRST_EPOCH, IDS).ids()).containsExactly(OTHER_IDS);
    assertThat(job.idCount()).isEqualTo(6);
  }

  @Test
  void L22b_a_repeated_answer_changes_nothing_that_is_remembered() {
    pass(SAME_DAY, IDS);
    pass(FIRST_EPOCH, IDS);
    ServedJob before = job;
    assertThat(pass(SAME_DAY, OTHER_IDS).next()).isSameAs(before);
    assertThat(pass(FIRST_EPOCH, OTHER_IDS).next()).isSameAs(before);
    assertRefused(DAY_BEFORE);
    ServedJob held = job;
    assertThat(pass(DAY_BEFORE).next()).as("held already").isSameAs(held);
  }

  @Test
  void L22b_without_numberings_the_executions_are_still_remembered() {
    pass(DAY_BEFORE, IDS);
    pass(FIRST_EPOCH, IDS);
    job = job.withoutNumberings();
    assertThat(job.idCount()).isZero();
    assertThat(job.withoutNumberings()).isSameAs(job);
    assertRefused(DAY_BEFORE);
    assertThat(pass(FIRST_EPOCH, OTHER_IDS).ids()).isNull();
  }

  @Test
  void L22b_what_another_fence_let_pass_is_remembered_as_it_was_served() {
    pass(SAME_DAY, IDS);
    job = ServedJob.after(job, SAME_DAY, FORM, OTHER_IDS, CONFIG);
    assertThat(pass(SAME_DAY, IDS).ids()).containsExactly(OTHER_IDS);
    assertThat(ServedJob.after(job, SAME_DAY, FORM, OTHER_IDS, CONFIG)).isSameAs(job);
    job = ServedJob.after(job, DAY_AFTER, null, new long[0], CONFIG);
    assertRefused(SAME_DAY);
  }

  @Property
  void L22a_nothing_older_than_what_was_served_is_served_but_after_a_hold(
      @ForAll("histories") List<ServedJobs.Answer> history) {
    ServedJob now = null;
    Execution newestEpoch = null;
    long clock = 0;
    for (ServedJobs.Answer answer : history) {
      clock += answer.afterMillis();
      Passage passage = ServedJobs.pass(now, answer, clock);
      now = passage.next();
      Execution execution = answer.execution();
      if (passage.yielded()) {
        newestEpoch = null; // the fence has forgotten on purpose
      }
      if (passage.verdict() == Verdict.SERVE && execution.hasEpoch()) {
        if (newestEpoch != null) {
          assertThat(execution.isOlderThan(newestEpoch, CONFIG.skew())).isFalse();
        }
        newestEpoch = execution;
      }
    }
  }

  @Property
  void L22a_what_is_refused_once_is_refused_until_something_else_is_served_or_the_hold_is_over(
      @ForAll("histories") List<ServedJobs.Answer> history) {
    ServedJob now = ServedJobs.after(null, history);
    for (ServedJobs.Answer answer : history) {
      Passage first = ServedJobs.pass(now, answer, 0);
      if (first.verdict() == Verdict.OLDER) {
        assertThat(ServedJobs.pass(first.next(), answer, 0).verdict()).isEqualTo(Verdict.OLDER);
        long later = Duration.ofDays(1).toMillis();
        assertThat(ServedJobs.pass(first.next(), answer, later).verdict()).isEqualTo(Verdict.SERVE);
      }
    }
  }

  private Passage pass(Execution execution) {
    return pass(execution, IDS);
  }

  private Passage pass(Execution execution, long[] ids) {
    Passage passage = ServedJob.pass(job, execution, FORM, ids, CONFIG, millis);
    job = passage.next();
    return passage;
  }

  private void assertServed(Execution execution) {
    Passage passage = pass(execution);
    assertThat(passage.verdict()).isEqualTo(Verdict.SERVE);
    assertThat(passage.yielded()).isFalse();
  }

  private void assertRefused(Execution execution) {
    assertThat(pass(execution).verdict()).isEqualTo(Verdict.OLDER);
  }
}
