package io.headgate.upstream.zeta;

import io.headgate.wire.CappedBuffer;

/**
 * Takes the text out of a JSON string, piece by piece, into a capped buffer: runs are copied,
 * escapes are decoded to UTF-8. A surrogate without its other half comes out as the three bytes
 * that UTF-8 forbids, so that whoever reads the text finds it ill-formed.
 */
final class StringUnwrapper {
  private final CappedBuffer out;
  private int pendingHigh;

  StringUnwrapper(CappedBuffer out) {
    this.out = out;
  }

  /** Bytes that stand for themselves. */
  void run(byte[] chunk, int from, int to) {
    if (from < to) {
      flush();
      out.put(chunk, from, to - from);
    }
  }

  /** A two-character escape, by its second character; one that JSON allows. */
  void escape(byte second) {
    flush();
    out.put(
        switch (second) {
          case 'b' -> (byte) '\b';
          case 'f' -> (byte) '\f';
          case 'n' -> (byte) '\n';
          case 'r' -> (byte) '\r';
          case 't' -> (byte) '\t';
          default -> second;
        });
  }

  /** A {@code \}{@code uXXXX} escape, by its value. */
  void unit(int value) {
    if (pendingHigh != 0 && Character.isLowSurrogate((char) value)) {
      int point = Character.toCodePoint((char) pendingHigh, (char) value);
      pendingHigh = 0;
      out.put((byte) (0xF0 | point >> 18));
      out.put((byte) (0x80 | point >> 12 & 0x3F));
      out.put((byte) (0x80 | point >> 6 & 0x3F));
      out.put((byte) (0x80 | point & 0x3F));
      return;
    }
    flush();
    if (Character.isHighSurrogate((char) value)) {
      pendingHigh = value;
    } else {
      putUnit(value);
    }
  }

  /** The string is over. */
  void end() {
    flush();
  }

  private void flush() {
    if (pendingHigh != 0) {
      putUnit(pendingHigh);
      pendingHigh = 0;
    }
  }

  private void putUnit(int value) {
    if (value < 0x80) {
      out.put((byte) value);
    } else if (value < 0x800) {
      out.put((byte) (0xC0 | value >> 6));
      out.put((byte) (0x80 | value & 0x3F));
    } else {
      out.put((byte) (0xE0 | value >> 12));
      out.put((byte) (0x80 | value >> 6 & 0x3F));
      out.put((byte) (0x80 | value & 0x3F));
    }
  }
}
