package io.headgate.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds where a run of ordinary bytes inside a JSON string ends, eight bytes at a time: strings are
 * most of a body.
 */
public final class StringRuns {
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long TOPS = ONES << 7;

  private StringRuns() {}

  /** The index of the next quote, backslash or control character, or the chunk's length. */
  public static int end(byte[] chunk, int from) {
    int end = from;
    while (end <= chunk.length - Long.BYTES) {
      long ends = ends((long) EIGHT_BYTES.get(chunk, end));
      if (ends != 0) {
        return end + (Long.numberOfTrailingZeros(ends) >>> 3);
      }
      end += Long.BYTES;
    }
    while (end < chunk.length
        && chunk[end] != '"'
        && chunk[end] != '\\'
        && !isControl(chunk[end])) {
      end++;
    }
    return end;
  }

  /**
   * The top bit of each of eight bytes that ends a run; the lowest such bit is right, those above
   * it may be the borrow of the one below.
   */
  private static long ends(long eight) {
    long quote = eight ^ ONES * '"';
    long backslash = eight ^ ONES * '\\';
    return ((eight - ONES * 0x20) & ~eight
            | (quote - ONES) & ~quote
            | (backslash - ONES) & ~backslash)
        & TOPS;
  }

  private static boolean isControl(byte b) {
    return b >= 0 && b < 0x20;
  }
}
