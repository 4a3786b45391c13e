package io.headgate.timeline;

import org.jspecify.annotations.Nullable;

/**
 * How a schema change ended, for one target or as a whole. The order is the rank of T7: of two
 * reports on one key the greater wins, so a failure is never hidden behind a success. Stored by
 * ordinal, so a new one goes to the end.
 */
public enum Outcome {
  /** Reported as ended without saying how; for a target only. */
  UNKNOWN,
  FILTERED,
  IGNORED,
  APPLIED,
  FAILED,
  /** Some targets took the change and some did not; for a whole change only. */
  PARTIALLY_APPLIED;

  /** The rank of an outcome that may be missing; the missing one is the least. */
  static int rank(@Nullable Outcome outcome) {
    return outcome == null ? -1 : outcome.ordinal();
  }

  /** Whether a decision at one target may say so. */
  boolean isOfTarget() {
    return this != PARTIALLY_APPLIED;
  }

  /** Whether a whole change may end so. */
  boolean isOfChange() {
    return this != UNKNOWN;
  }

  /** Whether it means that a target was left as it was, on purpose. */
  boolean isLeftOut() {
    return this == FILTERED || this == IGNORED;
  }
}
