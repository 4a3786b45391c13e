package io.headgate.wire;

/**
 * Signed 64-bit numbers as decimal text, in both directions, without intermediate strings. Only the
 * canonical spelling is read: an optional minus, no plus, no leading zero, no {@code -0}.
 */
public final class Decimal {
  private static final int MAX_DIGITS = 19;

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
    boolean negative = length > 0 && text.charAt(0) == '-';
    int first = negative ? 1 : 0;
    int digits = length - first;
    if (digits < 1 || digits > MAX_DIGITS) {
      return false;
    }
    if (text.charAt(first) == '0' && (digits > 1 || negative)) {
      return false;
    }
    long value = 0;
    for (int i = first; i < length; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      // Nineteen digits can pass 2^63 but never 2^64, so an overflow shows as a positive sign.
      value = value * 10 - digit;
    }
    return value <= 0 && (negative || value != Long.MIN_VALUE);
  }
}
