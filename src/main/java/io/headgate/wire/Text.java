package io.headgate.wire;

/**
 * A foreign string that has been measured once: how long it is in UTF-8, whether it is well-formed
 * Unicode, and whether it can be written between quotes as it is. Immutable.
 *
 * <p>Names and paths are checked when they are read and written much later; measuring them in one
 * pass lets the writer copy the ordinary ones as a block.
 */
public final class Text implements Comparable<Text> {
  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'
  };

  private final String value;
  private final int utf8Length;
  private final boolean wellFormed;
  private final boolean plain;

  private Text(String value, int utf8Length, boolean wellFormed, boolean plain) {
    this.value = value;
    this.utf8Length = utf8Length;
    this.wellFormed = wellFormed;
    this.plain = plain;
  }

  /** Measures {@code value}. A lone surrogate counts as three bytes and makes it ill-formed. */
  public static Text of(String value) {
    int length = value.length();
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c >= 0x80 || isEscaped(c)) {
        return ofUnusual(value, i);
      }
    }
    return new Text(value, length, true, true);
  }

  private static Text ofUnusual(String value, int firstUnusual) {
    int length = value.length();
    int bytes = firstUnusual;
    boolean wellFormed = true;
    for (int i = firstUnusual; i < length; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < length
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        bytes += 3;
        wellFormed = false;
      }
    }
    return new Text(value, bytes, wellFormed, false);
  }

  /** The string itself. */
  public String value() {
    return value;
  }

  /** Its length in UTF-8, in bytes. */
  public int utf8Length() {
    return utf8Length;
  }

  /** False if it holds a surrogate without its other half. */
  public boolean wellFormed() {
    return wellFormed;
  }

  /**
   * Puts this text as a JSON string, quotes included, with the escapes of L2: {@code \" \\ \b \f \n
   * \r \t}, other control characters as {@code \}{@code u00XX} with upper-case digits, everything
   * else as plain UTF-8. Only for well-formed text.
   *
   * @throws CapExceededException if the buffer's cap does not allow it
   */
  public void writeJson(CappedBuffer out) {
    out.put((byte) '"');
    if (plain) {
      out.putAscii(value);
    } else {
      writeUnusual(out);
    }
    out.put((byte) '"');
  }

  private void writeUnusual(CappedBuffer out) {
    int length = value.length();
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        if (isEscaped(c)) {
          writeEscape(c, out);
        } else {
          out.put((byte) c);
        }
      } else if (c < 0x800) {
        out.put((byte) (0xC0 | c >> 6));
        out.put((byte) (0x80 | c & 0x3F));
      } else if (!Character.isSurrogate(c)) {
        out.put((byte) (0xE0 | c >> 12));
        out.put((byte) (0x80 | c >> 6 & 0x3F));
        out.put((byte) (0x80 | c & 0x3F));
      } else {
        int point = Character.toCodePoint(c, value.charAt(++i));
        out.put((byte) (0xF0 | point >> 18));
        out.put((byte) (0x80 | point >> 12 & 0x3F));
        out.put((byte) (0x80 | point >> 6 & 0x3F));
        out.put((byte) (0x80 | point & 0x3F));
      }
    }
  }

  private static boolean isEscaped(char c) {
    return c < 0x20 || c == '"' || c == '\\';
  }

  private static void writeEscape(char c, CappedBuffer out) {
    out.put((byte) '\\');
    switch (c) {
      case '"', '\\' -> out.put((byte) c);
      case '\b' -> out.put((byte) 'b');
      case '\f' -> out.put((byte) 'f');
      case '\n' -> out.put((byte) 'n');
      case '\r' -> out.put((byte) 'r');
      case '\t' -> out.put((byte) 't');
      default -> {
        out.put((byte) 'u');
        out.put((byte) '0');
        out.put((byte) '0');
        out.put(HEX[c >> 4]);
        out.put(HEX[c & 0xF]);
      }
    }
  }

  /** The order of {@link String#compareTo(String)}: by UTF-16 code units, case-sensitive (L4). */
  @Override
  public int compareTo(Text other) {
    return value.compareTo(other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Text text && value.equals(text.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  /** The bare string. Foreign text: escape it before it goes into a log line. */
  @Override
  public String toString() {
    return value;
  }
}
