package io.headgate.edge;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** How many connections are open, over all event loops, and how many may be. Safe on any thread. */
final class Connections {
  private final int limit;
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder refused = new LongAdder();

  Connections(int limit) {
    this.limit = limit;
  }

  /**
   * Takes a connection in; pair a true with one {@link #leave()}.
   *
   * @return false if there are too many
   */
  boolean enter() {
    if (open.incrementAndGet() <= limit) {
      return true;
    }
    open.decrementAndGet();
    refused.increment();
    return false;
  }

  void leave() {
    open.decrementAndGet();
  }

  int open() {
    return open.get();
  }

  long refused() {
    return refused.sum();
  }
}
