package io.headgate.picture;

/**
 * Foreign text made fit for a picture: short, without what XML can't carry, without what would turn
 * the reading order of its surroundings round. Stateless.
 */
final class Labels {
  /** How many characters a label has at most; what is longer ends in an ellipsis, which counts. */
  static final int LENGTH = 80;

  private static final char REPLACEMENT = '\uFFFD';
  private static final String ELLIPSIS = "\u2026";

  /** What a character of a monospaced font is wide, in ems. */
  private static final double NARROW = 0.602;

  /** What ideographs and pictographs are wide at most, and all else that is not Latin. */
  private static final double WIDE = 1.05;

  private static final double PICTOGRAPH = 1.4;
  private static final double OTHER = 0.8;

  private Labels() {}

  /**
   * {@code text} as a label. Characters count as code points, so that none is cut into halves.
   * Halves of pairs, characters that XML 1.0 does not have, and controls of writing direction
   * become U+FFFD each; tabs and ends of lines become spaces.
   */
  static String of(String text) {
    StringBuilder label = new StringBuilder(Math.min(text.length(), 2 * LENGTH));
    int taken = 0;
    int last = 0;
    for (int at = 0; at < text.length(); taken++) {
      int c = text.codePointAt(at);
      if (taken == LENGTH) {
        return label.substring(0, last) + ELLIPSIS;
      }
      last = label.length();
      label.appendCodePoint(fit(c));
      at += Character.charCount(c);
    }
    return label.toString();
  }

  private static int fit(int c) {
    if (c == '\t' || c == '\n' || c == '\r') {
      return ' ';
    }
    boolean ofXml = c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c > 0xFFFF;
    return ofXml && !turnsDirection(c) ? c : REPLACEMENT;
  }

  private static boolean turnsDirection(int c) {
    return c == 0x61C
        || c == 0x200E
        || c == 0x200F
        || c >= 0x202A && c <= 0x202E
        || c >= 0x2066 && c <= 0x2069;
  }

  /** Whether every character is as wide as the next in any monospaced font. */
  static boolean isEven(String label) {
    return label.chars().allMatch(c -> c < 0x7F || c == ELLIPSIS.charAt(0));
  }

  /** How wide a label is in a monospaced font, in ems; generous where fonts differ. */
  static double width(String label) {
    return label.codePoints().mapToDouble(Labels::width).sum();
  }

  private static double width(int c) {
    if (c < 0x250 || c == ELLIPSIS.charAt(0)) {
      return NARROW;
    }
    if (c >= 0x1F000) {
      return PICTOGRAPH;
    }
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default ->
          Character.isIdeographic(c) || c >= 0x3000 && c < 0xE000 || c == REPLACEMENT
              ? WIDE
              : OTHER;
    };
  }
}
