package io.headgate.timeline;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What counts of one target for the outcome of a change (T8): small enough to be kept of many more
 * targets than are kept by name.
 *
 * @param target the digest of its identity
 * @param named the last attempt in which it was named as a target, 0 if none
 * @param started whether an application was seen
 * @param attempt the last attempt that ended, 0 if none
 * @param completed whether that end was reported as {@link Stage#COMPLETED}
 * @param outcome how that attempt ended, null if none did
 * @param at when it ended
 * @param reason why
 */
record TargetState(
    long target,
    int named,
    boolean started,
    int attempt,
    boolean completed,
    @Nullable Outcome outcome,
    long at,
    @Nullable ReasonCode reason) {
  /** Of two ends of one target the greater counts, in the order that decisions have too. */
  private static final Comparator<TargetState> BY_END =
      Comparator.comparingInt(TargetState::attempt)
          .thenComparing(TargetState::completed)
          .thenComparingInt(state -> Outcome.rank(state.outcome))
          .thenComparingLong(TargetState::at)
          .thenComparing(TargetState::reason, Comparator.nullsFirst(Comparator.naturalOrder()));

  /** What one decision about a target says. */
  static TargetState of(Decision decision, TargetId target) {
    boolean ends = decision.ends();
    return new TargetState(
        target.digest(),
        decision.stage() == Stage.TARGET_RESOLVED ? decision.attempt() : 0,
        decision.stage().isApplication(),
        ends ? decision.attempt() : 0,
        decision.stage() == Stage.COMPLETED,
        ends ? decision.end() : null,
        ends ? decision.at() : Times.NONE,
        ends ? decision.reason() : null);
  }

  /** What two reports on one target say together. */
  TargetState and(TargetState other) {
    TargetState end = BY_END.compare(this, other) >= 0 ? this : other;
    return new TargetState(
        target,
        Math.max(named, other.named),
        started || other.started,
        end.attempt,
        end.completed,
        end.outcome,
        end.at,
        end.reason);
  }

  /** Whether it has ended. */
  boolean ended() {
    return outcome != null;
  }
}
