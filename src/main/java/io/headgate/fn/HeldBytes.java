package io.headgate.fn;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Bytes of outputs that wait for their readers, over all harnesses of this gateway, and the streams
 * that take none because there are too many. On the loop; the sum may be read on any thread.
 */
final class HeldBytes {
  private final long limit;
  private final Set<OutputFlow> waiting = new LinkedHashSet<>();
  private volatile long sum;

  /**
   * @param limit past this, a stream takes bytes only while it holds none
   */
  HeldBytes(long limit) {
    this.limit = limit;
  }

  boolean full() {
    return sum >= limit;
  }

  long sum() {
    return sum;
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer, the loop
  void add(long bytes) {
    boolean wasFull = full();
    sum += bytes;
    if (wasFull && !full()) {
      List<OutputFlow> all = new ArrayList<>(waiting);
      all.forEach(OutputFlow::adjust);
    }
  }

  void waits(OutputFlow flow, boolean does) {
    if (does) {
      waiting.add(flow);
    } else {
      waiting.remove(flow);
    }
  }
}
