package io.headgate.timeline;

import org.jspecify.annotations.Nullable;

/**
 * How a change stands (T8): computed from what was reported, never stored. Nothing is inferred:
 * without a count of targets it is in progress, and past the end of its job it is unknown.
 *
 * @param terminal whether it is done with
 * @param outcome how it ended, if that is known
 * @param reason why, once it is terminal
 * @param at when it ended, or {@link Times#NONE}
 */
record Verdict(boolean terminal, @Nullable Outcome outcome, @Nullable ReasonCode reason, long at) {
  static final Verdict IN_PROGRESS = new Verdict(false, null, null, Times.NONE);

  /**
   * @param count how many targets there are, claimed with the attempt as its priority
   * @param jobEnded when the job ended with this change unresolved, or {@link Times#NONE}
   */
  static Verdict of(
      Decisions decisions, Targets targets, @Nullable Claim<Integer> count, long jobEnded) {
    Verdict verdict = ofReports(decisions, targets, count);
    if (verdict.terminal || jobEnded == Times.NONE) {
      return verdict;
    }
    Tally all = new Tally();
    for (int i = 0; i < targets.size(); i++) {
      all.add(targets.get(i));
    }
    boolean missing = count != null && all.targets < count.value();
    if (all.applied > 0 && (all.failed > 0 || all.open > 0 || all.unknown > 0 || missing)) {
      return ended(Outcome.PARTIALLY_APPLIED, all.reasons[Outcome.FAILED.ordinal()], jobEnded);
    }
    return new Verdict(true, null, ReasonCode.UNKNOWN, jobEnded);
  }

  private static Verdict ofReports(
      Decisions decisions, Targets targets, @Nullable Claim<Integer> count) {
    if (count != null) {
      Tally required = required(targets, count);
      if (required.targets >= count.value() && required.open == 0 && required.targets > 0) {
        return required.verdict();
      }
      if (targets.anyApplication()) {
        return IN_PROGRESS;
      }
    }
    Decision last = ofWhole(decisions);
    if (last != null && (last.end() != Outcome.FAILED || !targets.anyApplication())) {
      return ended(last.end(), last.reason(), last.at());
    }
    return count != null && count.value() == 0
        ? ended(Outcome.IGNORED, ReasonCode.UNKNOWN, count.at())
        : IN_PROGRESS;
  }

  private static Verdict ended(Outcome outcome, @Nullable ReasonCode reason, long at) {
    return new Verdict(true, outcome, reason == null ? ReasonCode.UNKNOWN : reason, at);
  }

  /** The targets named with the count; where fewer were named, all that have reported. */
  private static Tally required(Targets targets, Claim<Integer> count) {
    boolean named = targets.namedIn(count.priority()) >= Math.max(1, count.value());
    Tally required = new Tally();
    for (int i = 0; i < targets.size(); i++) {
      TargetState state = targets.get(i);
      if (!named || state.named() == count.priority()) {
        required.add(state);
      }
    }
    return required;
  }

  /** The decision on the change as a whole that ends it, or null. */
  private static @Nullable Decision ofWhole(Decisions decisions) {
    Decision last = null;
    for (int i = 0; i < decisions.size(); i++) {
      Decision each = decisions.get(i);
      if (each.target() == null && each.ends() && (last == null || isLater(each, last))) {
        last = each;
      }
    }
    return last;
  }

  private static boolean isLater(Decision one, Decision other) {
    return one.attempt() != other.attempt()
        ? one.attempt() > other.attempt()
        : Decision.BY_CONTENT.compare(one, other) > 0;
  }

  /** Targets counted by how they ended. */
  private static final class Tally {
    int targets;
    int applied;
    int failed;
    int filtered;
    int ignored;
    int unknown;
    int open;
    long lastAt = Times.NONE;
    final @Nullable ReasonCode[] reasons = new ReasonCode[Outcome.values().length];

    void add(TargetState state) {
      targets++;
      Outcome outcome = state.outcome();
      if (outcome == null) {
        open++;
        return;
      }
      switch (outcome) {
        case APPLIED -> applied++;
        case FAILED -> failed++;
        case FILTERED -> filtered++;
        case IGNORED -> ignored++;
        default -> unknown++;
      }
      lastAt = Math.max(lastAt, state.at());
      ReasonCode reason = state.reason() == null ? ReasonCode.UNKNOWN : state.reason();
      ReasonCode known = reasons[outcome.ordinal()];
      if (known == null || reason.compareTo(known) < 0) {
        reasons[outcome.ordinal()] = reason; // of several the first of the list
      }
    }

    Verdict verdict() {
      if (applied > 0) {
        if (failed > 0 || unknown > 0) {
          return of(Outcome.PARTIALLY_APPLIED, failed > 0 ? Outcome.FAILED : Outcome.UNKNOWN);
        }
        return of(Outcome.APPLIED, Outcome.APPLIED);
      }
      if (failed > 0) {
        return of(Outcome.FAILED, Outcome.FAILED);
      }
      if (unknown > 0) {
        return of(null, Outcome.UNKNOWN);
      }
      return ignored > 0
          ? of(Outcome.IGNORED, Outcome.IGNORED)
          : of(Outcome.FILTERED, Outcome.FILTERED);
    }

    private Verdict of(@Nullable Outcome outcome, Outcome cause) {
      return new Verdict(true, outcome, reasons[cause.ordinal()], lastAt);
    }
  }
}
