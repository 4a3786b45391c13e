package io.headgate.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A growing byte array that refuses to pass its cap (L13): a response is built here whole, before
 * its first byte may leave.
 *
 * <p>Not thread-safe; one worker thread fills it. Every {@code put} either writes everything it was
 * given or throws {@link CapExceededException} and leaves the buffer unusable for sending.
 */
public final class CappedBuffer {
  /** Long.MIN_VALUE has 19 digits and a sign. */
  private static final int MAX_DECIMAL_LENGTH = 20;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int cap;
  private byte[] bytes;
  private int length;

  /**
   * @param sizeHint how many bytes to reserve at once, cut to {@code cap}; a good hint saves copies
   * @param cap the most bytes that may ever be put, at least 1
   */
  public CappedBuffer(long sizeHint, int cap) {
    if (cap < 1) {
      throw new IllegalArgumentException("cap: " + cap + " (expected: at least 1)");
    }
    this.cap = cap;
    this.bytes = new byte[(int) Math.min(Math.max(16, sizeHint), cap)];
  }

  /** How many bytes have been put. */
  public int length() {
    return length;
  }

  /** How many more bytes may be put. */
  public int room() {
    return cap - length;
  }

  /**
   * The array behind this buffer; its first {@link #length()} bytes are the content. It is handed
   * over without a copy, so whoever takes it must be the last to use this buffer.
   */
  public byte[] array() {
    return bytes;
  }

  /** A copy of the content, exactly {@link #length()} bytes long. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  /**
   * The content as an array of just its length: the one behind this buffer if it is as long, else a
   * copy. Whoever takes it must be the last to use this buffer.
   */
  public byte[] content() {
    return length == bytes.length ? bytes : toByteArray();
  }

  /** Takes everything out again, and keeps what is reserved. */
  public void clear() {
    length = 0;
  }

  /**
   * Takes out again what stands behind the first {@code count} bytes. This also makes the buffer
   * usable again after a {@code put} that failed.
   *
   * @param count at most {@link #length()}
   */
  public void cutTo(int count) {
    if (count < 0 || count > length) {
      throw new IllegalArgumentException("count: " + count + " (expected: 0 to " + length + ")");
    }
    length = count;
  }

  /** Puts one byte. */
  public void put(byte b) {
    reserve(1);
    bytes[length++] = b;
  }

  /** Puts all of {@code piece}. */
  public void put(byte[] piece) {
    put(piece, 0, piece.length);
  }

  /** Puts {@code count} bytes of {@code piece} from {@code offset} on. */
  public void put(byte[] piece, int offset, int count) {
    reserve(count);
    System.arraycopy(piece, offset, bytes, length, count);
    length += count;
  }

  /**
   * Puts again what already stands at {@code offset}; cheaper than building a repeated piece anew.
   */
  public void repeat(int offset, int count) {
    reserve(count);
    System.arraycopy(bytes, offset, bytes, length, count);
    length += count;
  }

  /** Puts {@code value} in decimal ASCII, as {@link Long#toString(long)} spells it. */
  public void putDecimal(long value) {
    if (cap - length < MAX_DECIMAL_LENGTH) {
      putAscii(Long.toString(value));
      return;
    }
    reserve(MAX_DECIMAL_LENGTH);
    length = Decimal.write(value, bytes, length);
  }

  /**
   * Puts the lowest {@code count} bytes of {@code packed}, at most eight, the lowest first. One
   * store whatever the count: for pieces of a few bytes and unpredictable length.
   */
  public void putPacked(long packed, int count) {
    if (bytes.length - length >= Long.BYTES) {
      EIGHT_BYTES.set(bytes, length, packed);
      length += count;
      return;
    }
    for (int i = 0; i < count; i++) {
      put((byte) (packed >>> Byte.SIZE * i));
    }
  }

  /** Puts the low byte of each character; the caller vouches that {@code text} is ASCII. */
  @SuppressWarnings("deprecation") // the one JDK call that copies a Latin-1 string without a loop
  public void putAscii(String text) {
    int count = text.length();
    reserve(count);
    text.getBytes(0, count, bytes, length);
    length += count;
  }

  private void reserve(int count) {
    int needed = length + count;
    if (needed > bytes.length || needed < 0) {
      grow(needed);
    }
  }

  private void grow(int needed) {
    if (needed > cap || needed < 0) {
      throw new CapExceededException(cap);
    }
    long doubled = Math.max(needed, 2L * bytes.length);
    bytes = Arrays.copyOf(bytes, (int) Math.min(doubled, cap));
  }
}
