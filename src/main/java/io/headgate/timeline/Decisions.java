package io.headgate.timeline;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The decisions that are kept of one change, in the order of their keys, with their bounds: the
 * least targets stay, and of each stage and target the latest attempts. What stays at the end never
 * had to go before, so the order in which decisions come does not matter (T7). Immutable.
 */
final class Decisions {
  static final Decisions NONE = new Decisions(new Decision[0], new TargetId[0], 0, false, 0);

  private final Decision[] entries;
  private final TargetId[] targets;

  /** A bit for each stage in which a target was reported that was left out. */
  private final int cutStages;

  private final boolean attemptsCut;

  /**
   * Kept, since to count texts of megabytes anew for each decision takes a hundred times longer.
   */
  private final int cost;

  private Decisions(
      Decision[] entries, TargetId[] targets, int cutStages, boolean attemptsCut, int cost) {
    this.entries = entries;
    this.targets = targets;
    this.cutStages = cutStages;
    this.attemptsCut = attemptsCut;
    this.cost = cost;
  }

  private static Decisions counted(
      Decision[] entries, TargetId[] targets, int cutStages, boolean attemptsCut) {
    int cost = 0;
    for (Decision entry : entries) {
      cost += entry.cost();
    }
    for (TargetId target : targets) {
      cost += target.cost();
    }
    return new Decisions(entries, targets, cutStages, attemptsCut, cost);
  }

  /** What was stored once; the entries in order, and handed over. */
  static Decisions stored(Decision[] entries, int cutStages, boolean attemptsCut) {
    TargetId[] targets =
        Arrays.stream(entries)
            .map(Decision::target)
            .filter(target -> target != null)
            .distinct()
            .sorted()
            .toArray(TargetId[]::new);
    for (int i = 0; i < entries.length; i++) {
      TargetId target = entries[i].target();
      if (target != null) {
        entries[i] = entries[i].about(targets[Arrays.binarySearch(targets, target)]);
      }
    }
    return counted(entries, targets, cutStages, attemptsCut);
  }

  int size() {
    return entries.length;
  }

  Decision get(int index) {
    return entries[index];
  }

  /** The targets that are kept, in their order. */
  TargetId[] targets() {
    return targets;
  }

  /** Whether a target was left out. */
  boolean targetsCut() {
    return cutStages != 0;
  }

  /** The stages in which targets were reported that were left out, a bit each. */
  int cutStages() {
    return cutStages;
  }

  /** The stages that were reported, also those of targets that were left out, a bit each. */
  int stages() {
    int stages = cutStages;
    for (Decision entry : entries) {
      stages |= bit(entry.stage());
    }
    return stages;
  }

  /** The bit of a stage, by its ordinal. */
  static int bit(Stage stage) {
    return 1 << stage.ordinal();
  }

  /** Whether an attempt was left out. */
  boolean attemptsCut() {
    return attemptsCut;
  }

  /** The same with {@code decision} in its place; itself if that changes nothing. */
  Decisions with(Decision decision, TimelineLimits limits) {
    TargetId target = decision.target();
    if (target == null) {
      return put(decision, limits);
    }
    int known = Arrays.binarySearch(targets, target);
    if (known >= 0) {
      return put(decision.about(targets[known]), limits);
    }
    if (targets.length < limits.targets()) {
      return withTarget(target).put(decision, limits);
    }
    TargetId last = targets[targets.length - 1];
    return target.compareTo(last) > 0
        ? cut(bit(decision.stage()))
        : without(last).withTarget(target).put(decision, limits);
  }

  /** The same with all of {@code other}. */
  Decisions and(Decisions other, TimelineLimits limits) {
    Decisions both =
        new Decisions(
            entries, targets, cutStages | other.cutStages, attemptsCut || other.attemptsCut, cost);
    for (Decision each : other.entries) {
      both = both.with(each, limits);
    }
    return both;
  }

  private Decisions cut(int stages) {
    int all = cutStages | stages;
    return all == cutStages ? this : new Decisions(entries, targets, all, attemptsCut, cost);
  }

  private Decisions withTarget(TargetId target) {
    int at = -1 - Arrays.binarySearch(targets, target);
    return new Decisions(
        entries, inserted(targets, at, target), cutStages, attemptsCut, cost + target.cost());
  }

  private Decisions without(TargetId gone) {
    Decision[] kept =
        Arrays.stream(entries)
            .filter(entry -> !gone.equals(entry.target()))
            .toArray(Decision[]::new);
    TargetId[] others =
        Arrays.stream(targets).filter(target -> !gone.equals(target)).toArray(TargetId[]::new);
    int lost = gone.cost();
    int stages = cutStages;
    for (Decision entry : entries) {
      if (gone.equals(entry.target())) {
        lost += entry.cost();
        stages |= bit(entry.stage());
      }
    }
    return new Decisions(kept, others, stages, attemptsCut, cost - lost);
  }

  private Decisions put(Decision decision, TimelineLimits limits) {
    int at = Arrays.binarySearch(entries, decision, Decision.BY_KEY);
    if (at >= 0) {
      return replaced(at, decision);
    }
    int insertAt = -1 - at;
    int first = insertAt;
    while (first > 0 && sameRun(entries[first - 1], decision)) {
      first--;
    }
    int behind = insertAt;
    while (behind < entries.length && sameRun(entries[behind], decision)) {
      behind++;
    }
    if (behind - first < limits.attempts()) {
      Decision[] more = inserted(entries, insertAt, decision);
      return new Decisions(more, targets, cutStages, attemptsCut, cost + decision.cost());
    }
    if (insertAt == first) {
      return attemptsCut ? this : new Decisions(entries, targets, cutStages, true, cost);
    }
    Decision[] shifted = entries.clone();
    System.arraycopy(entries, first + 1, shifted, first, insertAt - first - 1);
    shifted[insertAt - 1] = decision;
    int costs = cost + decision.cost() - entries[first].cost();
    return new Decisions(shifted, targets, cutStages, true, costs);
  }

  private Decisions replaced(int at, Decision decision) {
    if (Decision.BY_CONTENT.compare(decision, entries[at]) <= 0) {
      return this;
    }
    Decision[] changed = entries.clone();
    changed[at] = decision;
    int costs = cost + decision.cost() - entries[at].cost();
    return new Decisions(changed, targets, cutStages, attemptsCut, costs);
  }

  private static boolean sameRun(Decision one, Decision other) {
    return one.stage() == other.stage() && same(one.target(), other.target());
  }

  private static boolean same(@Nullable TargetId one, @Nullable TargetId other) {
    return one == null ? other == null : one.equals(other);
  }

  private static <T> T[] inserted(T[] array, int at, T element) {
    T[] longer = Arrays.copyOf(array, array.length + 1);
    System.arraycopy(array, at, longer, at + 1, array.length - at);
    longer[at] = element;
    return longer;
  }

  boolean hasErrors() {
    return Arrays.stream(entries).anyMatch(entry -> entry.error() != null);
  }

  /** The same without any error text. */
  Decisions withoutErrors() {
    Decision[] bare =
        Arrays.stream(entries)
            .map(entry -> entry.error() == null ? entry : entry.withoutError())
            .toArray(Decision[]::new);
    return counted(bare, targets, cutStages, attemptsCut);
  }

  /** The same without what is about targets. */
  Decisions withoutTargets() {
    Decision[] kept =
        Arrays.stream(entries).filter(entry -> entry.target() == null).toArray(Decision[]::new);
    int stages = cutStages;
    for (Decision entry : entries) {
      stages |= entry.target() == null ? 0 : bit(entry.stage());
    }
    return counted(kept, new TargetId[0], stages, attemptsCut);
  }

  /** Whether something about a decision was left out. */
  boolean detailsCut() {
    return targetsCut() || attemptsCut || Arrays.stream(entries).anyMatch(Decision::errorCut);
  }

  /** The last stage that was reported, or null. */
  @Nullable Stage lastStage() {
    return entries.length == 0 ? null : entries[entries.length - 1].stage();
  }

  int cost() {
    return cost;
  }
}
