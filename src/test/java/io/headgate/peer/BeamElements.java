package io.headgate.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How Beam writes elements that are bytes, or pairs of them, in the global window: a time, the
 * number of windows, of which the global one has no bytes itself, a byte for the pane, and the
 * bytes behind their length. Only texts of less than 128 bytes.
 */
final class BeamElements {
  /** The earliest time that Beam knows, shifted so that it sorts as bytes. */
  private static final long EARLIEST = Long.MIN_VALUE / 1000 - Long.MIN_VALUE;

  private static final int ONE_WINDOW = 1;
  private static final byte NO_FIRING = 0x0f;

  private BeamElements() {}

  record Pair(String key, String value) {}

  static Buffer text(String text) {
    return header().appendBuffer(nested(text));
  }

  static Buffer pair(String key, String value) {
    return header().appendBuffer(nested(key)).appendBuffer(nested(value));
  }

  static List<Pair> pairs(Buffer elements) {
    List<Pair> pairs = new ArrayList<>();
    for (ByteBuffer left = ByteBuffer.wrap(elements.getBytes()); left.hasRemaining(); ) {
      long time = left.getLong();
      int windows = left.getInt();
      byte pane = left.get();
      if (time != EARLIEST || windows != ONE_WINDOW || pane != NO_FIRING) {
        throw new IllegalArgumentException(time + " " + windows + " " + pane);
      }
      pairs.add(new Pair(text(left), text(left)));
    }
    return pairs;
  }

  private static Buffer header() {
    return Buffer.buffer().appendLong(EARLIEST).appendInt(ONE_WINDOW).appendByte(NO_FIRING);
  }

  private static Buffer nested(String text) {
    Buffer bytes = Buffer.buffer(text);
    return Buffer.buffer().appendByte((byte) bytes.length()).appendBuffer(bytes);
  }

  private static String text(ByteBuffer left) {
    byte[] bytes = new byte[left.get()];
    left.get(bytes);
    return new String(bytes, UTF_8);
  }
}
