package io.headgate.state;

import io.headgate.graph.Execution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a job's executions of one kind, with an epoch or without. Immutable; the
 * arrays are never written to.
 *
 * @param execution the one served last
 * @param replaced those it replaced not long ago, the latest last; epochs need none
 * @param digest of the name form served last, or null
 * @param ids in the order of the names, as served; none without a digest
 */
record ServedSlot(
    Execution execution, List<Execution> replaced, byte @Nullable [] digest, long[] ids) {
  /** Engines seldom resume one job more often within the skew. */
  private static final int MAX_REPLACED = 4;

  private static final long[] NO_IDS = {};

  /** Any order will do for executions that no clock tells apart, if everybody has the same. */
  private static final Comparator<Execution> ORDER =
      Comparator.comparingLong(Execution::epoch)
          .thenComparingLong(Execution::millis)
          .thenComparing(Execution::created);

  static ServedSlot first(Execution execution) {
    return new ServedSlot(execution, List.of(), null, NO_IDS);
  }

  /** Whether {@code candidate}, of the same kind, is older than what was served. */
  boolean isOlder(Execution candidate, Duration skew) {
    if (execution.equals(candidate) || execution.isOlderThan(candidate, skew)) {
      return false; // a newer one that was replaced when the fence yielded, and is back
    }
    return candidate.isOlderThan(execution, skew) || replaced.contains(candidate);
  }

  /** The slot after {@code next} was served. */
  ServedSlot after(Execution next) {
    if (execution.equals(next)) {
      return this;
    }
    List<Execution> others = new ArrayList<>(replaced);
    others.add(execution);
    return new ServedSlot(next, latest(others, next), null, NO_IDS);
  }

  private static List<Execution> latest(List<Execution> replaced, Execution current) {
    if (current.hasEpoch()) {
      return List.of();
    }
    List<Execution> others = new ArrayList<>(replaced);
    others.remove(current);
    return List.copyOf(others.subList(Math.max(0, others.size() - MAX_REPLACED), others.size()));
  }

  boolean isNumberedAs(byte @Nullable [] otherDigest) {
    return Arrays.equals(digest, otherDigest);
  }

  /** The same with another numbering, or with none. */
  ServedSlot numbered(byte @Nullable [] newDigest, long[] newIds) {
    return new ServedSlot(execution, replaced, newDigest, newDigest == null ? NO_IDS : newIds);
  }

  /** What two halves of a cluster remember, put together; the same in either order. */
  static ServedSlot merge(ServedSlot a, ServedSlot b, Duration skew) {
    if (a.equals(b)) {
      return a.execution.millis() >= b.execution.millis() ? a : b;
    }
    ServedSlot winner = a.prevailsOver(b, skew) ? a : b;
    List<Execution> others =
        Stream.of(a.replaced.stream(), b.replaced.stream(), Stream.of(a.execution, b.execution))
            .flatMap(each -> each)
            .distinct()
            .filter(each -> !each.equals(winner.execution))
            .sorted(ORDER)
            .toList();
    return new ServedSlot(
        winner.execution, latest(others, winner.execution), winner.digest, winner.ids);
  }

  private boolean prevailsOver(ServedSlot other, Duration skew) {
    if (execution.equals(other.execution)) {
      int byNumbering = compareNumbering(other);
      return byNumbering < 0 || byNumbering == 0 && execution.millis() >= other.execution.millis();
    }
    if (execution.isOlderThan(other.execution, skew)) {
      return false;
    }
    if (other.execution.isOlderThan(execution, skew)) {
      return true;
    }
    boolean replacedOther = replaced.contains(other.execution);
    if (replacedOther != other.replaced.contains(execution)) {
      return replacedOther;
    }
    return ORDER.compare(execution, other.execution) > 0;
  }

  /** One with a numbering goes before one without; among two, any order will do. */
  private int compareNumbering(ServedSlot other) {
    if (digest == null || other.digest == null) {
      return Boolean.compare(digest == null, other.digest == null);
    }
    int byDigest = Arrays.compare(digest, other.digest);
    return byDigest != 0 ? byDigest : Arrays.compare(ids, other.ids);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ServedSlot that
        && execution.equals(that.execution)
        && replaced.equals(that.replaced)
        && Arrays.equals(digest, that.digest)
        && Arrays.equals(ids, that.ids);
  }

  @Override
  public int hashCode() {
    return 31 * execution.hashCode() + Arrays.hashCode(ids);
  }
}
