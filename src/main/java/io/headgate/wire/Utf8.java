package io.headgate.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Whether bytes are well-formed UTF-8 (RFC 3629). Safe on any thread. */
public final class Utf8 {
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

  private Utf8() {}

  /**
   * Puts a question mark in place of every byte that is not part of a well-formed sequence, so that
   * a strict reader can go on to the end of a damaged text.
   *
   * @return whether there was any such byte
   */
  public static boolean mend(byte[] bytes, int length) {
    boolean mended = false;
    int i = 0;
    while (i < length) {
      if (i + Long.BYTES <= length && ((long) EIGHT_BYTES.get(bytes, i) & NOT_ASCII) == 0) {
        i += Long.BYTES;
        continue;
      }
      if (bytes[i] >= 0) {
        i++;
        continue;
      }
      int size = sequenceLength(bytes, i, length);
      if (size == 0) {
        bytes[i] = '?';
        mended = true;
        size = 1;
      }
      i += size;
    }
    return mended;
  }

  /** The length of the well-formed multi-byte sequence at {@code at}, or 0. */
  private static int sequenceLength(byte[] bytes, int at, int length) {
    int first = bytes[at] & 0xFF;
    int size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (size == 0 || at + size > length) {
      return 0;
    }
    for (int i = 1; i < size; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    int second = bytes[at + 1] & 0xFF;
    boolean overlongOrOutside =
        first == 0xE0 && second < 0xA0
            || first == 0xED && second > 0x9F
            || first == 0xF0 && second < 0x90
            || first == 0xF4 && second > 0x8F;
    return overlongOrOutside ? 0 : size;
  }
}
