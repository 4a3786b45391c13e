package io.headgate.edge.fn;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Bytes set aside for messages that are on their way, over all calls of the port (F10). A harness
 * that begins messages and never ends them could fill the memory with a few hundred streams. So
 * there is a limit for all of them together, and past it the message that has waited longest for
 * its next bytes is given up, as one that is too long. Event loop only; the sum may be read on any
 * thread.
 */
final class MessageRoom {
  private final long limit;

  /** Those with a message on its way; the one that has waited longest comes first. */
  private final Set<MessageReader> waiting = new LinkedHashSet<>();

  private volatile long sum;
  private volatile long givenUp;

  /**
   * @param limit bytes; a single message may pass it
   */
  MessageRoom(long limit) {
    this.limit = limit;
  }

  /** Some bytes came for {@code reader}, which needs {@code more}: others may lose theirs. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer, the loop
  void makeWay(MessageReader reader, int more) {
    waiting.remove(reader);
    waiting.add(reader);
    while (sum + more > limit && waiting.size() > 1) {
      givenUp++;
      waiting.iterator().next().giveUp();
    }
  }

  /** Counts what was set aside. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer, the loop
  void add(int bytes) {
    sum += bytes;
  }

  /** {@code reader} waits no longer, and needs {@code bytes} fewer. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer, the loop
  void release(MessageReader reader, int bytes) {
    waiting.remove(reader);
    sum -= bytes;
  }

  /** Bytes that are set aside. */
  long sum() {
    return sum;
  }

  /** How many messages were given up. */
  long givenUp() {
    return givenUp;
  }
}
