package io.headgate.fn.v1;

import io.vertx.core.buffer.Buffer;

/**
 * Goes through the fields of a protobuf message without copying what it holds. For the two messages
 * that come in bulk, data and log entries; all others are read by protobuf itself.
 */
final class WireCursor {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED32 = 5;
  private static final int MOST_VARINT_BYTES = 10;

  private final Buffer bytes;
  private final int end;
  private int at;
  private int wireType;

  WireCursor(Buffer bytes) {
    this(bytes, 0, bytes.length());
  }

  private WireCursor(Buffer bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** The number of the next field, or 0 if there is none. Its value must be taken next. */
  int next() throws MalformedMessageException {
    if (at == end) {
      return 0;
    }
    long tag = varint();
    wireType = (int) (tag & 7);
    long number = tag >>> 3;
    if (number == 0 || number > 0x1FFF_FFFFL) {
      throw new MalformedMessageException();
    }
    return (int) number;
  }

  /** Whether the value is one with a length: text, bytes, a message. */
  boolean hasLength() {
    return wireType == LENGTH;
  }

  /** Goes past the value. */
  void skip() throws MalformedMessageException {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> advance(8);
      case LENGTH -> advance(length());
      case FIXED32 -> advance(4);
      default -> throw new MalformedMessageException();
    }
  }

  /** The value as text. */
  String text() throws MalformedMessageException {
    int length = length();
    int from = at;
    advance(length);
    return bytes.getString(from, at);
  }

  /** The value as bytes, which share memory with the message. */
  Buffer slice() throws MalformedMessageException {
    int length = length();
    int from = at;
    advance(length);
    return bytes.slice(from, at);
  }

  /** The value as a message. */
  WireCursor message() throws MalformedMessageException {
    int length = length();
    int from = at;
    advance(length);
    return new WireCursor(bytes, from, at);
  }

  private int length() throws MalformedMessageException {
    if (wireType != LENGTH) {
      throw new MalformedMessageException();
    }
    long length = varint();
    if (length < 0 || length > end - at) {
      throw new MalformedMessageException();
    }
    return (int) length;
  }

  private void advance(int count) throws MalformedMessageException {
    if (count > end - at) {
      throw new MalformedMessageException();
    }
    at += count;
  }

  private long varint() throws MalformedMessageException {
    long value = 0;
    for (int i = 0; i < MOST_VARINT_BYTES; i++) {
      if (at == end) {
        throw new MalformedMessageException();
      }
      byte b = bytes.getByte(at++);
      value |= (long) (b & 0x7F) << 7 * i;
      if (b >= 0) {
        return value;
      }
    }
    throw new MalformedMessageException();
  }
}
