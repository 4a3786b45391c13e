package io.headgate.observe.access;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A queue of fixed size that many threads put into without ever waiting, and one takes from. All
 * its places are made at the start.
 *
 * <p>{@link #offer} on any thread; {@link #poll} on one thread at a time, with a happens-before
 * edge from one to the next.
 */
final class BoundedRing<T> {
  private final AtomicReferenceArray<@Nullable T> places;
  private final int mask;
  private final AtomicLong tail = new AtomicLong();
  private final AtomicLong head = new AtomicLong();

  /**
   * @param size a power of two
   */
  BoundedRing(int size) {
    if (Integer.bitCount(size) != 1) {
      throw new IllegalArgumentException("no power of two: " + size);
    }
    places = new AtomicReferenceArray<>(size);
    mask = size - 1;
  }

  /**
   * Puts something in, visible as it is now to whoever takes it.
   *
   * @return false if there is no room
   */
  boolean offer(T item) {
    while (true) {
      long at = tail.get();
      if (at - head.get() > mask) {
        return false;
      }
      if (tail.compareAndSet(at, at + 1)) {
        places.setRelease((int) at & mask, item);
        return true;
      }
    }
  }

  /** Takes the oldest, or null if there is none, or the oldest is just being put in. */
  @Nullable T poll() {
    long at = head.get();
    int place = (int) at & mask;
    T item = places.getAcquire(place);
    if (item != null) {
      places.set(place, null);
      head.set(at + 1); // after the place is free, or an offer could find it taken
    }
    return item;
  }

  /** How many are in it. */
  int size() {
    return (int) Math.max(0, tail.get() - head.get());
  }
}
