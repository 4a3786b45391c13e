package io.headgate.wire;

import java.util.HexFormat;

/** Foreign text on its way into a log line. Safe on any thread. */
public final class LogText {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private LogText() {}

  /**
   * {@code text} with everything escaped that could end the line, start another or steer a
   * terminal: control characters, line and paragraph separators, marks that turn the direction of
   * writing, lone surrogates. A backslash is doubled, so that the original can be told.
   */
  public static String escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isUnsafe(text.charAt(i))) {
        return escapeFrom(text, i);
      }
    }
    return text;
  }

  private static String escapeFrom(String text, int first) {
    StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        out.append(c).append(text.charAt(++i));
      } else if (c == '\n') {
        out.append("\\n");
      } else if (c == '\t') {
        out.append("\\t");
      } else if (c == '\\') {
        out.append("\\\\");
      } else if (isUnsafe(c)) {
        out.append("\\u").append(HEX.toHexDigits(c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static boolean isUnsafe(char c) {
    return c == '\\'
        || Character.isISOControl(c)
        || Character.isSurrogate(c)
        || c == '\u2028'
        || c == '\u2029'
        || c >= '\u202A' && c <= '\u202E'
        || c >= '\u2066' && c <= '\u2069'
        || c == '\uFEFF';
  }
}
