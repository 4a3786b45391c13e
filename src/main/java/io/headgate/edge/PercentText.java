package io.headgate.edge;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Text of a path or query whose bytes may be written with percent signs. What is not UTF-8 is no
 * text: put in its place, the same character would make one name of many. Safe on any thread.
 */
final class PercentText {
  private PercentText() {}

  /**
   * The text, or null if it can't be decoded.
   *
   * @param raw as it stands in the request, a character a byte
   * @param form whether a plus stands for a space, as in queries
   */
  static @Nullable String decoded(String raw, boolean form) {
    if (isPlain(raw, form)) {
      return raw;
    }
    ByteBuffer bytes = ByteBuffer.allocate(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      int octet = form && c == '+' ? ' ' : c;
      if (c == '%') {
        octet = i + 2 < raw.length() ? hex(raw.charAt(i + 1)) << 4 | hex(raw.charAt(i + 2)) : -1;
        i += 2;
      }
      if (octet < 0 || octet > 0xFF) {
        return null;
      }
      bytes.put((byte) octet);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static boolean isPlain(String raw, boolean form) {
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%' || c == '+' && form || c > 0x7F) {
        return false;
      }
    }
    return true;
  }

  /** The value of a hexadecimal digit, or a negative number. */
  private static int hex(char digit) {
    return digit < 0x80 ? Character.digit(digit, 16) : -1;
  }
}
