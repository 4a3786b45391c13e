package io.headgate.timeline.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLook;
import io.headgate.timeline.live.JobPresence.Kind;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which jobs are asked after, and what their timelines are told (T12). */
class WatchRuleTest {
  private static final long JOB = 7;
  private static final long RETENTION = 1_440 * 60_000L;
  private static final long NOW = 10 * RETENTION;
  private static final WatchRule RULE = new WatchRule(RETENTION);
  private static final TimelineLook OPEN = new TimelineLook(true, Timeline.NEVER, NOW);
  private static final TimelineLook QUIET = new TimelineLook(false, Timeline.NEVER, NOW);
  private static final TimelineLook ENDED = new TimelineLook(false, NOW - 5, NOW - 5);
  private static final TimelineLook REPORTED_LATE = new TimelineLook(true, NOW - 5, NOW);

  private static long turns(TimelineLook look, int rounds) {
    return LongStream.range(100, 100 + rounds)
        .filter(round -> RULE.isDue(JOB, look, round, NOW))
        .count();
  }

  @Test
  void T12_a_job_with_active_records_is_asked_after_in_every_round() {
    assertThat(turns(OPEN, 120)).isEqualTo(120);
    assertThat(turns(REPORTED_LATE, 120)).isEqualTo(120);
  }

  @Test
  void T12_one_without_is_asked_after_now_and_then_so_that_its_timeline_expires() {
    assertThat(turns(QUIET, 120)).isEqualTo(2);
    assertThat(RULE.change(JOB, QUIET, Kind.ENDED, NOW)).isInstanceOf(TimelineChange.Ended.class);
  }

  @Test
  void T12_an_ended_one_is_left_alone_until_its_timeline_is_about_to_expire() {
    assertThat(turns(ENDED, 120)).isZero();
    TimelineLook last = new TimelineLook(false, NOW - RETENTION + WatchRule.LAST_MILLIS, 0);
    assertThat(turns(last, 60)).isEqualTo(6);
    assertThat(RULE.change(JOB, last, Kind.ACTIVE, NOW)).isInstanceOf(TimelineChange.Resumed.class);
  }

  @Test
  void T12_an_end_is_told_once_and_again_only_of_what_was_reported_behind_it() {
    assertThat(RULE.change(JOB, OPEN, Kind.ENDED, NOW)).isEqualTo(new TimelineChange.Ended(JOB));
    assertThat(RULE.change(JOB, ENDED, Kind.ENDED, NOW)).isNull();
    assertThat(RULE.change(JOB, REPORTED_LATE, Kind.ENDED, NOW))
        .isEqualTo(new TimelineChange.Ended(JOB));
  }

  @Test
  void T12_a_job_that_runs_is_told_of_only_if_it_had_ended() {
    assertThat(RULE.change(JOB, OPEN, Kind.ACTIVE, NOW)).isNull();
    assertThat(RULE.change(JOB, REPORTED_LATE, Kind.ACTIVE, NOW))
        .isEqualTo(new TimelineChange.Resumed(JOB));
  }

  @Test
  void T12_a_job_that_nobody_knows_has_ended_only_if_nothing_was_heard_of_it_for_a_retention() {
    assertThat(RULE.change(JOB, OPEN, Kind.ABSENT, NOW)).isNull();
    TimelineLook forgotten = new TimelineLook(true, Timeline.NEVER, NOW - RETENTION);
    assertThat(RULE.change(JOB, forgotten, Kind.ABSENT, NOW))
        .isEqualTo(new TimelineChange.Ended(JOB));
    assertThat(RULE.change(JOB, forgotten, Kind.ABSENT, NOW - 1)).isNull();
    assertThat(RULE.change(JOB, REPORTED_LATE, Kind.ABSENT, NOW))
        .as("it had ended before")
        .isEqualTo(new TimelineChange.Ended(JOB));
  }

  @ParameterizedTest
  @EnumSource(names = {"UNSAID", "FAILED"})
  void T12_where_nothing_was_said_nothing_is_told(Kind kind) {
    for (TimelineLook look : new TimelineLook[] {OPEN, QUIET, ENDED, REPORTED_LATE}) {
      assertThat(RULE.change(JOB, look, kind, NOW)).isNull();
    }
  }
}
