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
 * more than {@value #GROWTH} times what has come of it.
 */
final class MessageReader {
  /** In front of each message: whether it is packed, and its length. */
  static final int PREFIX_BYTES = 5;

  private static final int GROWTH = 8;
  private static final byte[] NOTHING = {};

  private final int most;
  private final Consumer<Buffer> message;
  private final Runnable oversize;
  private int prefix;
  private long length;
  private long toPass;
  private byte[] body = NOTHING;
  private int filled;

  /**
   * @param most bytes of a message; a longer one is passed over
   * @param message given each message; may keep it
   * @param oversize told of each longer one, as soon as its length is known
   */
  MessageReader(int most, Consumer<Buffer> message, Runnable oversize) {
    this.most = most;
    this.message = message;
    this.oversize = oversize;
  }

  /** Some more bytes of the call. They are not kept. */
  void read(Buffer piece) {
    int at = 0;
    while (at < piece.length()) {
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
        makeRoom(filled + count);
        piece.getBytes(at, at + count, body, filled);
        filled += count;
        at += count;
        handOver();
      }
    }
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

  private void makeRoom(int needed) {
    if (needed > body.length) {
      body = Arrays.copyOf(body, (int) Math.min(length, (long) GROWTH * needed));
    }
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
    prefix = 0;
    length = 0;
    body = NOTHING;
    filled = 0;
  }
}
