package io.headgate.fn;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One output of a bundle: what came from the harness waits here for its reader (F6). On the loop.
 *
 * <p>The reader is told of the end only when the whole bundle has succeeded, so that nobody takes a
 * failed bundle's output for a whole one.
 */
final class OutputPort {
  /** What a reader is handed at once; about as much as harnesses send at once. */
  private static final int PIECE_BYTES = 1024 * 1024;

  /** What a piece costs besides its bytes; keeps a million of one byte each from being free. */
  private static final int OVERHEAD = 512;

  /** What a reader may have in its hands: a piece to work on, and one on its way to it. */
  private static final int IN_HAND_BYTES = 2 * (PIECE_BYTES + OVERHEAD);

  private final PortId id;
  private final OutputFlow flow;
  private final Loop loop;
  private final Runnable changed;
  private final ArrayDeque<Buffer> held = new ArrayDeque<>();
  private @Nullable OutputReader reader;
  private long bytes;
  private int inHand;
  private long movedAt;
  private boolean ended;
  private boolean closed;
  private @Nullable BundleFailure failure;
  private boolean handing;

  /**
   * @param changed told when it is opened, ended or has become empty
   */
  OutputPort(PortId id, OutputFlow flow, Loop loop, Runnable changed) {
    this.id = id;
    this.flow = flow;
    this.loop = loop;
    this.changed = changed;
    movedAt = loop.nanos();
  }

  PortId id() {
    return id;
  }

  /** Bytes that came from the harness so far. */
  long bytes() {
    return bytes;
  }

  boolean isOpen() {
    return reader != null;
  }

  /** Whether the harness has ended it. */
  boolean ended() {
    return ended;
  }

  /** Whether the harness has ended it and the reader has taken everything. */
  boolean drained() {
    return ended && held.isEmpty() && inHand == 0;
  }

  /** How long the reader has let bytes wait; 0 if none wait. */
  long idleNanos() {
    boolean waits = reader != null && (inHand > 0 || !held.isEmpty());
    return waits ? loop.nanos() - movedAt : 0;
  }

  /** Bytes came. */
  void offer(Buffer piece) {
    if (closed) {
      return;
    }
    if (held.isEmpty() && inHand == 0) {
      movedAt = loop.nanos();
    }
    bytes += piece.length();
    held.add(piece);
    flow.add(piece.length() + OVERHEAD);
    hand();
  }

  /** The harness ended it. */
  void end() {
    ended = true;
    changed.run();
  }

  /** Gives it a reader; it may have one only. */
  void open(OutputReader newReader) {
    if (reader != null) {
      throw new IllegalStateException("it has a reader");
    }
    reader = newReader;
    if (failure != null) {
      newReader.fail(failure);
      return;
    }
    movedAt = loop.nanos();
    hand();
    changed.run();
  }

  /** The bundle has succeeded. */
  void finish() {
    closed = true;
    if (reader != null) {
      reader.end();
    }
  }

  /** The bundle has failed: what is held is let go. */
  void fail(BundleFailure reason) {
    closed = true;
    failure = reason;
    long dropped = 0;
    for (Buffer piece : held) {
      dropped += piece.length() + OVERHEAD;
    }
    held.clear();
    flow.add(-dropped);
    if (reader != null) {
      reader.fail(reason);
    }
  }

  /** Hands out what the reader may have; a reader that lets go at once does not nest. */
  private void hand() {
    if (handing || reader == null) {
      return;
    }
    handing = true;
    for (int room = IN_HAND_BYTES - inHand; fits(room); room = IN_HAND_BYTES - inHand) {
      Buffer next = held.remove();
      if (next.length() > PIECE_BYTES) {
        held.addFirst(next.slice(PIECE_BYTES, next.length()));
        next = next.slice(0, PIECE_BYTES);
        flow.add(OVERHEAD); // two of them now
      }
      inHand += next.length() + OVERHEAD;
      reader.piece(next, new InHand(next.length()));
    }
    handing = false;
  }

  private boolean fits(int room) {
    Buffer next = held.peek();
    return next != null && Math.min(next.length(), PIECE_BYTES) + OVERHEAD <= room;
  }

  /** A piece that its reader has, and lets go of all at once or little by little. */
  private final class InHand implements IntConsumer {
    private int left;

    InHand(int length) {
      left = length;
    }

    @Override
    public void accept(int length) {
      left -= length;
      taken(left == 0 ? length + OVERHEAD : length);
    }
  }

  private void taken(int weight) {
    inHand -= weight;
    movedAt = loop.nanos();
    flow.add(-weight);
    if (closed) {
      return;
    }
    hand();
    if (drained()) {
      changed.run();
    }
  }
}
