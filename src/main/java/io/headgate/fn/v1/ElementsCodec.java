package io.headgate.fn.v1;

import io.headgate.fn.PortId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * {@code Elements} messages, by hand: the bytes of elements pass through as they are, without a
 * copy. A test holds it against protobuf's own.
 */
final class ElementsCodec {
  private static final int DATA = 1;
  private static final int INSTRUCTION = 1;
  private static final int TARGET = 2;
  private static final int BYTES = 3;
  private static final int TRANSFORM = 1;
  private static final int NAME = 2;
  private static final int LENGTH = 2;

  /** Far more than harnesses send, and few enough not to hold up the loop. */
  private static final int MOST_PIECES = 10_000;

  private ElementsCodec() {}

  /** Takes the pieces of a message. */
  interface Sink {
    /** A piece of one logical stream; an empty one ends it. */
    void piece(String instruction, PortId port, Buffer bytes);
  }

  /**
   * Gives the pieces of a message to {@code sink}, in their order.
   *
   * @throws MalformedMessageException if it is no such message, or has too many pieces; then {@code
   *     sink} has been given nothing
   */
  static void read(Buffer message, Sink sink) throws MalformedMessageException {
    check(message);
    WireCursor elements = new WireCursor(message);
    for (int field = elements.next(); field != 0; field = elements.next()) {
      if (field == DATA && elements.hasLength()) {
        piece(elements.message(), message.length(), sink);
      } else {
        elements.skip();
      }
    }
  }

  /** Goes through it once before anything of it has an effect. */
  private static void check(Buffer message) throws MalformedMessageException {
    int pieces = 0;
    WireCursor elements = new WireCursor(message);
    for (int field = elements.next(); field != 0; field = elements.next()) {
      if (field != DATA || !elements.hasLength()) {
        elements.skip();
        continue;
      }
      if (++pieces > MOST_PIECES) {
        throw new MalformedMessageException();
      }
      WireCursor data = elements.message();
      for (int part = data.next(); part != 0; part = data.next()) {
        if (part == TARGET && data.hasLength()) {
          skipAll(data.message());
        } else {
          data.skip();
        }
      }
    }
  }

  private static void skipAll(WireCursor message) throws MalformedMessageException {
    while (message.next() != 0) {
      message.skip();
    }
  }

  private static void piece(WireCursor data, int messageLength, Sink sink)
      throws MalformedMessageException {
    String instruction = "";
    String transform = "";
    String name = "";
    Buffer bytes = Buffer.buffer(0);
    for (int field = data.next(); field != 0; field = data.next()) {
      if (field == INSTRUCTION && data.hasLength()) {
        instruction = data.text();
      } else if (field == TARGET && data.hasLength()) {
        WireCursor target = data.message();
        for (int part = target.next(); part != 0; part = target.next()) {
          if (part == TRANSFORM && target.hasLength()) {
            transform = target.text();
          } else if (part == NAME && target.hasLength()) {
            name = target.text();
          } else {
            target.skip();
          }
        }
      } else if (field == BYTES && data.hasLength()) {
        bytes = data.slice();
      } else {
        data.skip();
      }
    }
    // A slice keeps its whole message alive; a small one must not keep a large one.
    boolean large = bytes.length() > messageLength / 2;
    sink.piece(instruction, new PortId(transform, name), large ? bytes : bytes.copy());
  }

  /**
   * A message with one piece, but for the piece itself, which comes behind it.
   *
   * @param length how many bytes the piece has
   */
  static Buffer head(String instruction, PortId port, int length) {
    byte[] id = instruction.getBytes(StandardCharsets.UTF_8);
    byte[] transform = port.transform().getBytes(StandardCharsets.UTF_8);
    byte[] name = port.name().getBytes(StandardCharsets.UTF_8);
    int target = sizeOf(transform.length) + sizeOf(name.length);
    int data = sizeOf(id.length) + sizeOf(target) + (length == 0 ? 0 : sizeOf(length));
    Buffer out = Buffer.buffer(sizeOf(data) - length);
    begin(DATA, data, out);
    begin(INSTRUCTION, id.length, out);
    out.appendBytes(id);
    begin(TARGET, target, out);
    begin(TRANSFORM, transform.length, out);
    out.appendBytes(transform);
    begin(NAME, name.length, out);
    out.appendBytes(name);
    if (length > 0) {
      begin(BYTES, length, out);
    }
    return out;
  }

  /** The size of a field whose value has this length: tag, length, value. */
  private static int sizeOf(int length) {
    int bits = 32 - Integer.numberOfLeadingZeros(length | 1);
    return 1 + (bits + 6) / 7 + length;
  }

  private static void begin(int field, int length, Buffer out) {
    out.appendByte((byte) (field << 3 | LENGTH));
    int rest = length;
    while (rest >= 0x80) {
      out.appendByte((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.appendByte((byte) rest);
  }
}
