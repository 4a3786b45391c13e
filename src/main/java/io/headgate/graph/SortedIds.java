package io.headgate.graph;

/**
 * Finds the rank of an id among sorted ids. Engines number the stages of a job from one up, so the
 * first guess is the id's distance from the smallest; where ids are sparse it narrows down by
 * binary search. A hash map of foreign keys would be one that a foreign job can make slow.
 */
final class SortedIds {
  private SortedIds() {}

  /** The index of {@code id} in {@code sorted}, or -1. */
  static int rank(long[] sorted, long id) {
    int low = 0;
    int high = sorted.length - 1;
    if (high < 0 || id < sorted[0] || id > sorted[high]) {
      return -1;
    }
    long distance = id - sorted[0];
    if (distance >= 0 && distance <= high) {
      int guess = (int) distance;
      long found = sorted[guess];
      if (found == id) {
        return guess;
      }
      // Distinct ids grow by at least one a place, so the id can only stand before the guess.
      high = guess - 1;
    }
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long found = sorted[middle];
      if (found == id) {
        return middle;
      }
      if (found < id) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }
}
