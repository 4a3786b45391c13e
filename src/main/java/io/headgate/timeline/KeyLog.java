package io.headgate.timeline;

/**
 * Which keys reporters have chosen for changes they were the first to see, and which record each
 * led to: what makes a retry idempotent (T2), also after the record has gone. Past the bound the
 * oldest are forgotten. Immutable.
 */
final class KeyLog {
  /** As many as events in {@link ArrivalLog}: a retry comes within minutes. */
  static final int CAPACITY = 4_096;

  static final int MAX_COST = Tuples.maxCost(CAPACITY, 3);

  static final KeyLog EMPTY = new KeyLog(Tuples.empty(3));

  private final Tuples keys;

  KeyLog(Tuples keys) {
    this.keys = keys;
  }

  Tuples keys() {
    return keys;
  }

  /** The sequence that {@code key} led to, or 0. */
  long find(EventDigest key) {
    long[] places = keys.placesOf(key.high(), key.low());
    return places.length == 0 ? 0 : keys.get(places[places.length - 1], 2);
  }

  KeyLog with(EventDigest key, long sequence) {
    return new KeyLog(keys.with(new long[] {key.high(), key.low(), sequence}).last(CAPACITY));
  }

  int cost() {
    return keys.cost();
  }
}
