package io.headgate.fn;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One input of a bundle: what its writer gave waits here for its turn on the Data stream. On the
 * loop.
 */
final class InputPort {
  /** Harnesses send pieces of about this size themselves, and a message may have four times it. */
  static final int MESSAGE_BYTES = 1024 * 1024;

  private static final Buffer END = Buffer.buffer(0);

  private final String bundle;
  private final PortId id;
  private final InputSender sender;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long bytes;
  private boolean isTaken;
  private boolean flowing;
  private boolean ended;
  private boolean endSent;
  private boolean closed;

  /** What waits, and who is to be told when it does no longer. */
  private record Waiting(Buffer bytes, @Nullable Runnable taken) {}

  InputPort(String bundle, PortId id, InputSender sender) {
    this.bundle = bundle;
    this.id = id;
    this.sender = sender;
  }

  PortId id() {
    return id;
  }

  /** Gives it its one writer; false if it has one. */
  boolean take() {
    boolean free = !isTaken;
    isTaken = true;
    return free;
  }

  /** Bytes that its writer gave so far. */
  long bytes() {
    return bytes;
  }

  /** Whether its writer has ended it. */
  boolean ended() {
    return ended;
  }

  /** Whether its end has been sent to the harness. */
  boolean endSent() {
    return endSent;
  }

  /** From now on what waits may be sent. */
  void flow() {
    flowing = true;
    sender.ready(this);
  }

  /**
   * Bytes of the writer; dropped if it has ended.
   *
   * @param taken run once, on the loop, when they are on the stream or dropped
   */
  void write(Buffer piece, Runnable taken) {
    if (closed || ended || piece.length() == 0) {
      taken.run();
      return;
    }
    bytes += piece.length();
    Buffer rest = piece;
    while (rest.length() > MESSAGE_BYTES) {
      waiting.add(new Waiting(rest.slice(0, MESSAGE_BYTES), null));
      rest = rest.slice(MESSAGE_BYTES, rest.length());
    }
    waiting.add(new Waiting(rest, taken));
    sender.ready(this);
  }

  /** The writer has given everything. */
  void end() {
    if (ended) {
      return;
    }
    ended = true;
    sender.ready(this);
  }

  /**
   * The bundle is over. What waits is dropped, and an input that its harness may still be reading
   * is ended, or it would wait for ever.
   *
   * @param reading whether the harness may still be
   */
  void close(boolean reading) {
    closed = true;
    while (!waiting.isEmpty()) {
      taken(waiting.remove());
    }
    ended = true;
    if (reading) {
      flow();
    } else {
      endSent = true;
      sender.forget(this);
    }
  }

  /** Whether there is anything to send now. */
  boolean isReady() {
    return flowing && (!waiting.isEmpty() || ended && !endSent);
  }

  /** Sends one message, and says how many bytes it had. Only while {@link #isReady}. */
  int sendNext(DataLink link) {
    Waiting next = waiting.poll();
    if (next == null) {
      endSent = true;
      link.send(bundle, id, END);
      return 0;
    }
    link.send(bundle, id, next.bytes);
    taken(next);
    return next.bytes.length();
  }

  private static void taken(Waiting piece) {
    if (piece.taken != null) {
      piece.taken.run();
    }
  }
}
