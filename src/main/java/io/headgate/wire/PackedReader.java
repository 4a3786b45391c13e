package io.headgate.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what a {@link PackedWriter} has written. Whatever the bytes are, nothing but {@link
 * UnreadableBytesException} is thrown, and nothing is allocated that is larger than they are. Not
 * thread-safe.
 */
public final class PackedReader {
  private final byte[] bytes;
  private final int end;
  private int at;

  /** A reader of all of {@code bytes}, which must not change meanwhile. */
  public PackedReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private PackedReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** Whether there is anything left; a field that was added later is missing from older bytes. */
  public boolean hasMore() {
    return at < end;
  }

  /** The next byte as it is, 0 to 255. */
  public int octet() {
    if (at == end) {
      throw new UnreadableBytesException("ends early");
    }
    return bytes[at++] & 0xFF;
  }

  /** The next {@link PackedWriter#number}. */
  public long number() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = octet();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new UnreadableBytesException("endless number");
  }

  /** The next {@link PackedWriter#signed}. */
  public long signed() {
    long value = number();
    return value >>> 1 ^ -(value & 1);
  }

  /**
   * The next number, which says how many elements follow.
   *
   * @param bytesEach the fewest bytes that an element takes, at least one
   */
  public int count(int bytesEach) {
    long count = number();
    if (count < 0 || count > (end - at) / bytesEach) {
      throw new UnreadableBytesException("more elements than bytes");
    }
    return (int) count;
  }

  /** The next {@link PackedWriter#bytes}. */
  public byte[] bytes() {
    int length = count(1);
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  /** The next {@link PackedWriter#bytes}, to be read as fields of their own. */
  public PackedReader part() {
    int length = count(1);
    at += length;
    return new PackedReader(bytes, at - length, at);
  }

  /** The next {@link PackedWriter#text}. */
  public String text() {
    int length = count(1);
    at += length;
    return new String(bytes, at - length, length, StandardCharsets.UTF_8);
  }

  /** What to throw where the bytes are in order but say what can't be. */
  public UnreadableBytesException unreadable() {
    return new UnreadableBytesException("out of range");
  }
}
