package io.headgate.edge.fn;

/**
 * Bytes of messages that wait to be written, over all calls of the port (F10). Harnesses that read
 * nothing each fill their own call; past a limit for all of them a call has room only while nothing
 * of its own waits, so that whoever reads goes on. Event loop only; the sum may be read on any
 * thread.
 */
final class Unwritten {
  private final long limit;
  private volatile long sum;

  /**
   * @param limit bytes
   */
  Unwritten(long limit) {
    this.limit = limit;
  }

  boolean full() {
    return sum >= limit;
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer, the loop
  void add(long bytes) {
    sum += bytes;
  }

  long sum() {
    return sum;
  }
}
