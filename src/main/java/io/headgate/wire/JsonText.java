package io.headgate.wire;

/**
 * Foreign strings on their way into JSON (L2): how long they are in UTF-8, whether they are
 * well-formed Unicode, and how they are written between quotes.
 *
 * <p>Most names and paths are <em>plain</em>: ASCII without anything to escape. That is asked once,
 * when they are read, so that writing them is one copy. Safe on any thread.
 */
public final class JsonText {
  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'
  };

  private static final char REPLACEMENT = '\uFFFD';

  private JsonText() {}

  /**
   * Whether {@code text} is ASCII and needs no escape; then it is well-formed, {@link
   * CappedBuffer#putAscii} writes it, and its length is its length in UTF-8.
   */
  public static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80 || isEscaped(c)) {
        return false;
      }
    }
    return true;
  }

  /** The length of {@code text} in UTF-8, in bytes; a lone surrogate counts as three. */
  public static int utf8Length(String text) {
    int length = text.length();
    int bytes = length;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x800 && !isPairAt(text, i)) {
        bytes += 2;
      } else if (c >= 0x800) {
        bytes += 2; // four bytes for two characters
        i++;
      } else if (c >= 0x80) {
        bytes++;
      }
    }
    return bytes;
  }

  /** False if {@code text} holds a surrogate without its other half. */
  public static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isPairAt(text, i)) {
        i++;
      } else if (Character.isSurrogate(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** The same text with half a surrogate pair replaced by U+FFFD; itself if there is none. */
  public static String wellFormed(String text) {
    if (isWellFormed(text)) {
      return text;
    }
    StringBuilder mended = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      if (isPairAt(text, i)) {
        i++;
      } else if (Character.isSurrogate(text.charAt(i))) {
        mended.setCharAt(i, REPLACEMENT);
      }
    }
    return mended.toString();
  }

  private static boolean isPairAt(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }

  /**
   * Puts {@code text} as a JSON string, quotes included: {@code \" \\ \b \f \n \r \t}, other
   * control characters as {@code \}{@code u00XX} with upper-case digits, everything else as plain
   * UTF-8. Only for well-formed text.
   *
   * @param plain what {@link #isPlain} says about it; false is always allowed
   * @throws CapExceededException if the buffer's cap does not allow it
   */
  public static void writeQuoted(String text, boolean plain, CappedBuffer out) {
    out.put((byte) '"');
    if (plain) {
      out.putAscii(text);
    } else {
      writeUnusual(text, out);
    }
    out.put((byte) '"');
  }

  private static void writeUnusual(String text, CappedBuffer out) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
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
        int point = Character.toCodePoint(c, text.charAt(++i));
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
}
