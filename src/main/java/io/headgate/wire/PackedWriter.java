package io.headgate.wire;

import java.nio.charset.StandardCharsets;

/**
 * Writes numbers and texts for storage, each in as few bytes as it needs; {@link PackedReader}
 * reads them back. Numbers are written in groups of seven bits, the lowest first, the eighth bit
 * set on all but the last, as in Protocol Buffers. Not thread-safe.
 */
public final class PackedWriter {
  private final CappedBuffer out;

  /**
   * @param sizeHint how many bytes to reserve at once
   * @param cap the most bytes that may be written; past it every method throws {@link
   *     CapExceededException}
   */
  public PackedWriter(int sizeHint, int cap) {
    out = new CappedBuffer(sizeHint, cap);
  }

  /** Puts a number that is seldom negative: one byte below 128, ten if it is negative. */
  public void number(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  /** Puts a number of either sign: one byte from -64 to 63. */
  public void signed(long value) {
    number(value << 1 ^ value >> Long.SIZE - 1);
  }

  /** Puts a byte as it is. */
  public void octet(int value) {
    out.put((byte) value);
  }

  /** Puts bytes with their length before them. */
  public void bytes(byte[] piece) {
    number(piece.length);
    out.put(piece);
  }

  /** Puts well-formed text in UTF-8, with its length in bytes before it. */
  public void text(String text) {
    if (JsonText.isPlain(text)) {
      number(text.length());
      out.putAscii(text);
    } else {
      bytes(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Everything written so far. */
  public byte[] toByteArray() {
    return out.toByteArray();
  }
}
