package io.headgate.timeline.live;

import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLook;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are asked after in a round, and what follows from the answer (T12). Jobs that are not
 * asked after in every round have their turn by their ids, so that nothing need be remembered.
 *
 * @param retentionMillis how long a timeline is kept after its job has ended
 */
record WatchRule(long retentionMillis) {
  /** A job without unresolved records ends at most this many rounds before its timeline knows. */
  static final int QUIET_ROUNDS = 60;

  /** Of an ended job whose timeline is about to expire. */
  static final int LAST_ROUNDS = 10;

  /** How long before its end a timeline is about to expire. */
  static final long LAST_MILLIS = Duration.ofHours(1).toMillis();

  boolean isDue(long jobId, TimelineLook look, long round, long now) {
    if (look.active()) {
      return true;
    }
    if (!look.ended()) {
      return isTurn(jobId, round, QUIET_ROUNDS);
    }
    boolean last = look.endedAt() + retentionMillis - now <= LAST_MILLIS;
    return last && isTurn(jobId, round, LAST_ROUNDS);
  }

  private static boolean isTurn(long jobId, long round, int every) {
    return Math.floorMod(jobId + round, every) == 0;
  }

  /** What the timeline has to be told, or null if nothing. */
  @Nullable TimelineChange change(long jobId, TimelineLook look, JobPresence.Kind said, long now) {
    boolean over =
        said == JobPresence.Kind.ENDED || said == JobPresence.Kind.ABSENT && isForgotten(look, now);
    if (over) {
      return look.active() || !look.ended() ? new TimelineChange.Ended(jobId) : null;
    }
    boolean again = said == JobPresence.Kind.ACTIVE && look.ended();
    return again ? new TimelineChange.Resumed(jobId) : null;
  }

  /**
   * Sources forget ended jobs, and some reports are of engines that are no source. So a job that
   * nobody knows counts as ended only if it had, or if nothing was heard of it for as long as ended
   * jobs are kept.
   */
  private boolean isForgotten(TimelineLook look, long now) {
    return look.ended() || now - look.changedAt() >= retentionMillis;
  }
}
