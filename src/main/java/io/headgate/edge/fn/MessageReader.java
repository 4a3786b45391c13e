package io.headgate.edge.fn;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Puts the messages of a gRPC call together from the pieces that HTTP brings, each in an array of
 * its own and of just its size. Vert.x gRPC's own lets a buffer double as it fills, so that a
 * message of a megabyte costs four megabytes of arrays. Event loop only.
 *
 * <p>A length is only a claim until the bytes are there: what is set aside for a message is never
 * more than {@value #GROWTH} times what has come of it; and all readers share a {@link
 * MessageRoom}. {@link #close} gives back what this one has of it.
 */
final class MessageReader {
  /** In front of each message: whether it is packed, and its length. */
  static final int PREFIX_BYTES = 5;

  private static final int GROWTH = 8;
  private static final byte[] NOTHING = {};

  private final int most;
  private final MessageRoom room;
  private final Consumer<Buffer> message;
  private final Runnable oversize;
  private int prefix;
  private long length;
  private long toPass;
  private byte[] body = NOTHING;
  private int filled;
  private boolean closed;

  /**
   * @param most bytes of a message; a longer one is passed over
   * @param room what readers set aside together; may make one give its message up
   * @param message given each message; may keep it
   * @param oversize told of each longer one, as soon as its length is known, and of one given up
   */
  MessageReader(int most, MessageRoom room, Consumer<Buffer> message, Runnable oversize) {
    this.most = most;
    this.room = room;
    this.message = message;
    this.oversize = oversize;
  }

  /** Some more bytes of the call. They are not kept. */
  void read(Buffer piece) {
    int at = 0;
    while (at < piece.length() && !closed) {
      int left = piece.length() - at;
      if (toPass > 0) {
        int passed = (int) Math.min(toPass, left);
        toPass -= passed;
        at += passed;
      } else if (prefix < PREFIX_BYTES) {
        prefix(piece.getByte(at));
        at++;
      } else {
        int count = (int) Math.min(length - filled, left);
        if (hasRoom(filled + count)) {
          piece.getBytes(at, at + count, body, filled);
          filled += count;
          at += count;
          handOver();
        }
      }
    }
  }

  /** Has no more messages. */
  void close() {
    closed = true;
    begin();
  }

  /** Lets go of the message that is on its way: its rest is passed over. */
  void giveUp() {
    toPass = length - filled;
    begin();
    oversize.run();
  }

  /** Bytes set aside for the message that is on its way. */
  int setAside() {
    return body.length;
  }

  private void prefix(byte next) {
    if (prefix > 0) { // whether it is packed is for its reader to find: none can read one
      length = length << 8 | next & 0xFF;
    }
    prefix++;
    if (prefix == PREFIX_BYTES && length > most) {
      toPass = length;
      begin();
      oversize.run();
    } else if (prefix == PREFIX_BYTES) {
      handOver(); // an empty one has come
    }
  }

  /** Sets as much aside; false if this one was closed on the way. */
  private boolean hasRoom(int needed) {
    int size = needed <= body.length ? body.length : (int) Math.min(length, (long) GROWTH * needed);
    int more = size - body.length;
    room.makeWay(this, more);
    if (!closed) {
      room.add(more);
      body = more == 0 ? body : Arrays.copyOf(body, size);
    }
    return !closed;
  }

  /** If it is whole. */
  private void handOver() {
    if (filled == length) {
      Buffer whole = BufferInternal.buffer(Unpooled.wrappedBuffer(body));
      begin();
      message.accept(whole);
    }
  }

  private void begin() {
    room.release(this, body.length);
    prefix = 0;
    length = 0;
    body = NOTHING;
    filled = 0;
  }
}
