package io.headgate.timeline;

import java.util.Arrays;

/**
 * How each target of one change fares, by digest, far past the targets that are kept by name: a
 * change that fans out to hundreds of writers still gets its outcome. Past the bound the least
 * digests stay. Immutable.
 */
final class Targets {
  /**
   * 64 KiB of one record at most; a change with more targets gets no outcome before its job ends.
   */
  static final int MAX = 1_024;

  static final int COST_EACH = 64;

  static final Targets NONE = new Targets(new TargetState[0]);

  private final TargetState[] states;

  /**
   * @param states in the order of the digests; handed over
   */
  Targets(TargetState[] states) {
    this.states = states;
  }

  int size() {
    return states.length;
  }

  TargetState get(int index) {
    return states[index];
  }

  /** The same with what {@code state} says; itself if that is nothing new. */
  Targets with(TargetState state) {
    int at = indexOf(state.target());
    if (at >= 0) {
      TargetState both = states[at].and(state);
      if (both.equals(states[at])) {
        return this;
      }
      TargetState[] changed = states.clone();
      changed[at] = both;
      return new Targets(changed);
    }
    int insertAt = -1 - at;
    if (insertAt == MAX) {
      return this;
    }
    TargetState[] longer = new TargetState[Math.min(MAX, states.length + 1)];
    System.arraycopy(states, 0, longer, 0, insertAt);
    longer[insertAt] = state;
    System.arraycopy(states, insertAt, longer, insertAt + 1, longer.length - insertAt - 1);
    return new Targets(longer);
  }

  private int indexOf(long target) {
    int low = 0;
    int high = states.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compare(states[middle].target(), target);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }

  /** How many were named as targets in {@code attempt}. */
  int namedIn(int attempt) {
    return (int) Arrays.stream(states).filter(state -> state.named() == attempt).count();
  }

  /** Whether anything has begun or ended at any target. */
  boolean anyApplication() {
    return Arrays.stream(states).anyMatch(state -> state.started() || state.ended());
  }
}
