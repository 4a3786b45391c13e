package io.headgate.timeline;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One decision on a schema change, as reported. Key and content together are the whole of it, so
 * two equal decisions are one (T7).
 *
 * @param stage where it was taken
 * @param target what it is about, or null for the change as a whole; never null for an application
 * @param attempt which attempt it belongs to, from 1 on; a restart of the job may bring another
 * @param at when it was taken, or {@link Times#NONE}
 * @param policy the configured behaviour, if one was looked up: an upper-case word
 * @param capability what the sink can do, if that was looked up
 * @param outcome how it ended, if it did
 * @param reason why
 * @param error what the sink said, cut to its bound; the one free text that is kept (T11)
 * @param errorCut whether the error was longer, or has made room since
 */
record Decision(
    Stage stage,
    @Nullable TargetId target,
    int attempt,
    long at,
    @Nullable String policy,
    @Nullable Capability capability,
    @Nullable Outcome outcome,
    @Nullable ReasonCode reason,
    @Nullable String error,
    boolean errorCut) {
  private static final Comparator<@Nullable TargetId> TARGET_ORDER =
      Comparator.nullsFirst(Comparator.naturalOrder());

  /** The order in which decisions stand in a record: by stage, target and attempt. */
  static final Comparator<Decision> BY_KEY =
      Comparator.comparing(Decision::stage)
          .thenComparing(Decision::target, TARGET_ORDER)
          .thenComparingInt(Decision::attempt);

  private static final Comparator<@Nullable String> TEXT_ORDER =
      Comparator.nullsFirst(Comparator.naturalOrder());

  /** Of two decisions with one key the greater wins; the last five stand for its bytes. */
  static final Comparator<Decision> BY_CONTENT =
      Comparator.<Decision>comparingInt(decision -> Outcome.rank(decision.outcome))
          .thenComparingLong(Decision::at)
          .thenComparing(Decision::reason, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(Decision::capability, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(Decision::policy, TEXT_ORDER)
          .thenComparing(Decision::error, TEXT_ORDER)
          .thenComparing(Decision::errorCut);

  /** Of decisions that end one target's change the greatest counts, as in {@link TargetState}. */
  static final Comparator<Decision> BY_END =
      Comparator.comparingInt(Decision::attempt)
          .thenComparing(decision -> decision.stage == Stage.COMPLETED)
          .thenComparingInt(decision -> Outcome.rank(decision.end()))
          .thenComparingLong(Decision::at)
          .thenComparing(Decision::reason, Comparator.nullsFirst(Comparator.naturalOrder()));

  /** A stage that was passed at a time, and nothing more: what the engine's events say. */
  static Decision passed(Stage stage, long at) {
    return new Decision(stage, null, 1, at, null, null, null, null, null, false);
  }

  /** Whether it says how the change ended for its target, or as a whole where it has none. */
  boolean ends() {
    return stage == Stage.COMPLETED
        || stage == Stage.FILTERED
        || outcome == Outcome.FAILED
        || outcome != null && outcome.isLeftOut();
  }

  /** How it ended, for one that {@link #ends}. */
  Outcome end() {
    if (outcome != null && (stage == Stage.COMPLETED || outcome != Outcome.APPLIED)) {
      return outcome;
    }
    return stage == Stage.FILTERED ? Outcome.FILTERED : Outcome.UNKNOWN;
  }

  /** The same with {@code same}, which equals its target, so that many share one. */
  Decision about(TargetId same) {
    return target == same
        ? this
        : new Decision(
            stage, same, attempt, at, policy, capability, outcome, reason, error, errorCut);
  }

  Decision withoutError() {
    return new Decision(
        stage, target, attempt, at, policy, capability, outcome, reason, null, true);
  }

  int cost() {
    return 80 + Cost.of(policy) + Cost.of(error);
  }
}
