package io.headgate.wire;

/**
 * Signed 64-bit numbers as decimal text, in both directions, without intermediate strings. Only the
 * canonical spelling is read: an optional minus, no plus, no leading zero, no {@code -0}.
 */
public final class Decimal {
  private static final int MAX_DIGITS = 19;
  private static final int MAX_LENGTH = 1 + MAX_DIGITS;

  private Decimal() {}

  /** Writes {@code value} at {@code at} and returns the index after its last digit. */
  static int write(long value, byte[] into, int at) {
    int start = at;
    // Working on the negative side keeps Long.MIN_VALUE, which has no positive counterpart.
    long rest = value;
    if (value < 0) {
      into[start++] = '-';
    } else {
      rest = -value;
    }
    int end = start + digits(rest);
    int i = end;
    do {
      long quotient = rest / 10;
      into[--i] = (byte) ('0' + (quotient * 10 - rest));
      rest = quotient;
    } while (rest != 0);
    return end;
  }

  private static int digits(long negative) {
    int count = 1;
    for (long bound = -10; count < MAX_DIGITS && negative <= bound; bound *= 10) {
      count++;
    }
    return count;
  }

  /**
   * The text of a {@code value} of at most eight characters, for {@link CappedBuffer#putPacked}; of
   * a longer one only its end.
   */
  public static long packed(long value) {
    long packed = 0;
    long rest = value < 0 ? value : -value;
    do {
      packed = packed << Byte.SIZE | '0' - rest % 10;
      rest /= 10;
    } while (rest != 0);
    return value < 0 ? packed << Byte.SIZE | '-' : packed;
  }

  /** How many characters {@link CappedBuffer#putDecimal} writes for {@code value}. */
  public static int length(long value) {
    return value < 0 ? 1 + digits(value) : digits(-value);
  }

  /**
   * Whether {@code text} is the canonical decimal of a signed 64-bit value. Ask before {@link
   * Long#parseLong(String)}, which is more lenient (a plus sign, leading zeros, other digits).
   */
  public static boolean isCanonical(CharSequence text) {
    int length = text.length();
    if (length > MAX_LENGTH) {
      return false;
    }
    byte[] copy = new byte[MAX_LENGTH];
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      copy[i] = c < 0x80 ? (byte) c : -1;
    }
    return isCanonical(copy, 0, length);
  }

  /** The same for {@code length} bytes of ASCII {@code text} from {@code from} on. */
  public static boolean isCanonical(byte[] text, int from, int length) {
    boolean negative = length > 0 && text[from] == '-';
    int first = negative ? from + 1 : from;
    int end = from + length;
    if (first == end || end - first > MAX_DIGITS) {
      return false;
    }
    if (text[first] == '0' && (negative || end - first > 1)) {
      return false;
    }
    for (int i = first; i < end; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return false;
      }
    }
    if (end - first < MAX_DIGITS) {
      return true;
    }
    // Nineteen digits can pass 2^63 but never 2^64, so an overflow shows as a positive sign.
    long value = negated(text, first, end);
    return value <= 0 && (negative || value != Long.MIN_VALUE);
  }

  /** The value of a text that {@link #isCanonical(byte[], int, int) is canonical}. */
  public static long parse(byte[] text, int from, int length) {
    boolean negative = text[from] == '-';
    long value = negated(text, negative ? from + 1 : from, from + length);
    return negative ? value : -value;
  }

  private static long negated(byte[] digits, int first, int end) {
    long value = 0;
    for (int i = first; i < end; i++) {
      value = value * 10 - (digits[i] - '0');
    }
    return value;
  }
}
