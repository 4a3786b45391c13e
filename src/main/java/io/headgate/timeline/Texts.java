package io.headgate.timeline;

import io.headgate.wire.JsonText;

/** Foreign text on its way into a record: its length in UTF-8, and its beginning. */
final class Texts {
  private Texts() {}

  /** Whether {@code text} has more than {@code bytes} bytes in UTF-8; quick for a long one. */
  static boolean isLonger(String text, int bytes) {
    return text.length() > bytes || JsonText.utf8Length(text) > bytes;
  }

  /** The longest beginning of at most {@code bytes} bytes in UTF-8, of whole characters. */
  static String beginning(String text, int bytes) {
    // A character takes at least a byte, so no more of a huge text has to be looked at.
    String whole = text.length() > bytes + 1 ? text.substring(0, bytes + 1) : text;
    boolean halfAtEnd =
        whole.length() < text.length() && Character.isHighSurrogate(whole.charAt(bytes));
    String head = JsonText.wellFormed(halfAtEnd ? whole.substring(0, bytes) : whole);
    int length = 0;
    int end = 0;
    while (end < head.length()) {
      int point = head.codePointAt(end);
      length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      if (length > bytes) {
        return head.substring(0, end);
      }
      end += Character.charCount(point);
    }
    return head;
  }
}
