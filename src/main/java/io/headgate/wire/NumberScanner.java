package io.headgate.wire;

/** Recognises one JSON number byte by byte (RFC 8259 section 6). Reused from number to number. */
public final class NumberScanner {
  private enum Part {
    SIGN,
    ZERO,
    INTEGER,
    POINT,
    FRACTION,
    EXPONENT,
    EXPONENT_SIGN,
    EXPONENT_DIGITS,
    WRONG
  }

  private Part part = Part.WRONG;
  private int length;

  /** Begins with the first byte of a number, a minus or a digit. */
  public void begin(byte first) {
    length = 1;
    part = first == '-' ? Part.SIGN : first == '0' ? Part.ZERO : Part.INTEGER;
  }

  /**
   * Takes the next byte.
   *
   * @return false if it does not belong to the number, which then ended before it
   */
  public boolean next(byte b) {
    boolean digit = b >= '0' && b <= '9';
    Part follows =
        switch (part) {
          case SIGN -> b == '0' ? Part.ZERO : digit ? Part.INTEGER : null;
          case ZERO -> b == '.' ? Part.POINT : isExponent(b) ? Part.EXPONENT : null;
          case INTEGER ->
              digit ? Part.INTEGER : b == '.' ? Part.POINT : isExponent(b) ? Part.EXPONENT : null;
          case POINT -> digit ? Part.FRACTION : null;
          case FRACTION -> digit ? Part.FRACTION : isExponent(b) ? Part.EXPONENT : null;
          case EXPONENT ->
              digit ? Part.EXPONENT_DIGITS : b == '+' || b == '-' ? Part.EXPONENT_SIGN : null;
          case EXPONENT_SIGN, EXPONENT_DIGITS -> digit ? Part.EXPONENT_DIGITS : null;
          case WRONG -> null;
        };
    if (follows == null) {
      return false;
    }
    part = follows;
    length++;
    return true;
  }

  /** Whether what was taken so far is a whole number. */
  public boolean whole() {
    return switch (part) {
      case ZERO, INTEGER, FRACTION, EXPONENT_DIGITS -> true;
      default -> false;
    };
  }

  /** How many bytes were taken. */
  public int length() {
    return length;
  }

  private static boolean isExponent(byte b) {
    return b == 'e' || b == 'E';
  }
}
