package io.headgate.timeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One schema change of a job: what was observed and what was decided on it (T5). Immutable; every
 * change makes another one.
 */
final class SchemaChangeRecord {
  /** A claim that no report can pass: what the engine's own event says. */
  static final int OF_ENGINE = 100;

  private static final int COST = 240;

  private final Facts facts;
  private final Decisions decisions;
  private final Targets targets;
  private final Verdict verdict;
  private final int cost;

  /**
   * What is known of the change as a whole.
   *
   * @param sequence its place in the job's history, at least 1
   * @param origin what it was recorded for: an event of the engine or a reporter's key
   * @param eventCreatedAt the event's own time, or {@link Times#NONE}
   * @param observedAt when it was recorded
   * @param nested the kinds of nested events
   * @param nestedCut whether there were more than are listed
   * @param jobEnded when its job ended with it unresolved, or {@link Times#NONE}
   */
  record Facts(
      long sequence,
      EventDigest origin,
      long eventCreatedAt,
      long observedAt,
      List<EventType> nested,
      boolean nestedCut,
      long jobEnded,
      @Nullable Claim<String> sourceTable,
      @Nullable Claim<EventType> eventType,
      @Nullable Claim<String> policy,
      @Nullable Claim<Integer> targetCount) {
    Facts {
      nested = List.copyOf(nested);
    }

    private Facts claiming(DecisionEvent event) {
      Decision decision = event.decision();
      int byStage = OF_ENGINE - 1 - decision.stage().ordinal(); // the earlier knows better
      long at = decision.at();
      return new Facts(
          sequence,
          origin,
          eventCreatedAt,
          observedAt,
          nested,
          nestedCut,
          jobEnded,
          Claim.greater(sourceTable, claim(byStage, at, event.sourceTable())),
          Claim.greater(eventType, claim(byStage, at, event.eventType())),
          Claim.greater(policy, claim(policyRank(decision), at, decision.policy())),
          Claim.greater(targetCount, claim(decision.attempt(), at, event.targetCount())));
    }

    /** A policy of a later attempt counts more, and most where policies are looked up. */
    private static int policyRank(Decision decision) {
      int rank = 2 * Math.min(decision.attempt(), Integer.MAX_VALUE / 2 - 1);
      return decision.stage() == Stage.POLICY_EVALUATED ? rank + 1 : rank;
    }

    private static <T extends Comparable<T>> @Nullable Claim<T> claim(
        int priority, long at, @Nullable T value) {
      return value == null ? null : new Claim<>(priority, at, value);
    }

    private Facts and(Facts other) {
      return new Facts(
          sequence,
          origin,
          eventCreatedAt,
          Math.min(observedAt, other.observedAt),
          nested,
          nestedCut,
          jobEnded == Times.NONE || other.jobEnded == Times.NONE
              ? Math.max(jobEnded, other.jobEnded)
              : Math.min(jobEnded, other.jobEnded),
          Claim.greater(sourceTable, other.sourceTable),
          Claim.greater(eventType, other.eventType),
          Claim.greater(policy, other.policy),
          Claim.greater(targetCount, other.targetCount));
    }

    private Facts ending(long at) {
      return new Facts(
          sequence,
          origin,
          eventCreatedAt,
          observedAt,
          nested,
          nestedCut,
          at,
          sourceTable,
          eventType,
          policy,
          targetCount);
    }

    private int cost() {
      return COST
          + 4 * nested.size()
          + 32
          + Cost.of(Claim.value(sourceTable))
          + Cost.of(Claim.value(policy));
    }
  }

  SchemaChangeRecord(Facts facts, Decisions decisions, Targets targets) {
    this.facts = facts;
    this.decisions = decisions;
    this.targets = targets;
    this.verdict = Verdict.of(decisions, targets, facts.targetCount, facts.jobEnded);
    this.cost = facts.cost() + decisions.cost() + targets.size() * Targets.COST_EACH;
  }

  /** A change that an engine's event has shown: observed and normalized, and nothing else (T1). */
  static SchemaChangeRecord observed(
      long sequence, Observation observation, long now, TimelineLimits limits) {
    long at = Times.isUsable(observation.createdAt()) ? observation.createdAt() : Times.NONE;
    Facts facts =
        new Facts(
            sequence,
            observation.digest(),
            at,
            now,
            observation.nested(),
            observation.nestedCut(),
            Times.NONE,
            Facts.claim(OF_ENGINE, at, observation.table()),
            Facts.claim(OF_ENGINE, at, observation.type()),
            null,
            null);
    long seen = at == Times.NONE ? now : at;
    Decisions stages =
        Decisions.NONE
            .with(Decision.passed(Stage.OBSERVED, seen), limits)
            .with(Decision.passed(Stage.NORMALIZED, seen), limits);
    return new SchemaChangeRecord(facts, stages, Targets.NONE);
  }

  /** A change that a reporter was the first to see, still without anything on it. */
  static SchemaChangeRecord begun(long sequence, EventDigest key, long now) {
    Facts facts =
        new Facts(
            sequence, key, Times.NONE, now, List.of(), false, Times.NONE, null, null, null, null);
    return new SchemaChangeRecord(facts, Decisions.NONE, Targets.NONE);
  }

  /** The same with what {@code event} says; itself if that is nothing new (T7). */
  SchemaChangeRecord with(DecisionEvent event, TimelineLimits limits) {
    Decision decision = event.decision();
    Facts claimed = facts.claiming(event);
    Decisions merged = decisions.with(decision, limits);
    TargetId target = decision.target();
    Targets counted = target == null ? targets : targets.with(TargetState.of(decision, target));
    return claimed.equals(facts) && merged == decisions && counted == targets
        ? this
        : new SchemaChangeRecord(claimed, merged, counted);
  }

  /** What two copies of one record say together, after a split of the cluster. */
  SchemaChangeRecord and(SchemaChangeRecord other, TimelineLimits limits) {
    Decisions merged = decisions.and(other.decisions, limits);
    Targets counted = targets;
    for (int i = 0; i < other.targets.size(); i++) {
      counted = counted.with(other.targets.get(i));
    }
    return new SchemaChangeRecord(facts.and(other.facts), merged, counted);
  }

  /** The same after its job ended at {@code at}; itself if it was resolved (T8). */
  SchemaChangeRecord ended(long at) {
    return verdict.terminal() ? this : new SchemaChangeRecord(facts.ending(at), decisions, targets);
  }

  SchemaChangeRecord withoutErrors() {
    return new SchemaChangeRecord(facts, decisions.withoutErrors(), targets);
  }

  /** The same without the names of targets; how they fared still counts for the outcome. */
  SchemaChangeRecord withoutTargets() {
    return new SchemaChangeRecord(facts, decisions.withoutTargets(), targets);
  }

  Facts facts() {
    return facts;
  }

  long sequence() {
    return facts.sequence;
  }

  Decisions decisions() {
    return decisions;
  }

  Targets targets() {
    return targets;
  }

  Verdict verdict() {
    return verdict;
  }

  /** Whether nothing was reported of it past {@link Stage#NORMALIZED} (T10). */
  boolean onlyObserved() {
    Stage last = decisions.lastStage();
    return targets.size() == 0 && (last == null || last.compareTo(Stage.NORMALIZED) <= 0);
  }

  /** Whether something that was reported of it is not in it. */
  boolean cut() {
    return facts.nestedCut || decisions.detailsCut();
  }

  /** What it counts for in the job's budget. */
  int cost() {
    return cost;
  }
}
