package io.headgate.timeline;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a record says of a change as a whole, on which reports may differ. The greatest
 * claim counts, by priority, then time, then value, so it does not matter in which order they come
 * (T7).
 */
record Claim<T extends Comparable<T>>(int priority, long at, T value) {
  /** The greater of two claims, of which either may be missing. */
  static <T extends Comparable<T>> @Nullable Claim<T> greater(
      @Nullable Claim<T> one, @Nullable Claim<T> other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) >= 0 ? one : other;
  }

  private int compareTo(Claim<T> other) {
    int order = Integer.compare(priority, other.priority);
    if (order == 0) {
      order = Long.compare(at, other.at);
    }
    return order == 0 ? Comparator.<T>naturalOrder().compare(value, other.value) : order;
  }

  /** The value of a claim that may be missing. */
  static <T extends Comparable<T>> @Nullable T value(@Nullable Claim<T> claim) {
    return claim == null ? null : claim.value;
  }
}
