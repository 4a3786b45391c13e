package io.headgate.fn;

import org.jspecify.annotations.Nullable;

/**
 * Keeps a harness from sending more output than its readers take (F5, F6): when too much of one
 * harness is held, or too much of all, its Data stream is paused, and HTTP/2 makes the harness
 * wait. A stream carries all bundles of its harness, so all of them wait. On the loop.
 */
final class OutputFlow {
  private final HeldBytes all;
  private final int limit;
  private final FnMeters meters;
  private @Nullable DataLink link;
  private long held;
  private boolean paused;

  /**
   * @param limit bytes from which the stream is paused; it goes on at half of them
   */
  OutputFlow(HeldBytes all, int limit, FnMeters meters) {
    this.all = all;
    this.limit = limit;
    this.meters = meters;
  }

  /** A new stream, or none. */
  void use(@Nullable DataLink other) {
    all.waits(this, false);
    link = other;
    paused = false;
    adjust();
  }

  /** So many bytes came, or, if negative, were taken or dropped. */
  void add(long bytes) {
    held += bytes;
    all.add(bytes);
    adjust();
  }

  /** How many bytes are held of this harness. */
  long held() {
    return held;
  }

  /** Pauses or resumes, if it is time to. */
  void adjust() {
    DataLink current = link;
    if (current == null) {
      return;
    }
    boolean full = held >= (paused ? limit / 2 : limit) || held > 0 && all.full();
    if (full != paused) {
      paused = full;
      all.waits(this, full);
      if (full) {
        meters.paused();
        current.pause();
      } else {
        current.resume();
      }
    }
  }
}
