package io.headgate.edge;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a raw query, decoded as forms are: percent signs, and a plus for a space. What
 * can't be decoded, or is not UTF-8, stands there as a value that no parameter may have. Bounded by
 * the request line's length; on the event loop of the request.
 */
final class QueryParameters {
  /** No text in UTF-8 has half of a pair. */
  private static final String UNDECODABLE = "\uD800";

  private final List<String> names = new ArrayList<>();
  private final List<String> values = new ArrayList<>();

  /**
   * @param query what stands behind the question mark, or null
   */
  QueryParameters(@Nullable String query) {
    if (query == null) {
      return;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      names.add(decoded(equals < 0 ? pair : pair.substring(0, equals)));
      values.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
    }
  }

  /** Every value that {@code name} was given, in order. */
  List<String> all(String name) {
    List<String> given = new ArrayList<>(1);
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equals(name)) {
        given.add(values.get(i));
      }
    }
    return given;
  }

  private static String decoded(String text) {
    if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
      return text;
    }
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int octet = c == '+' ? ' ' : c;
      if (c == '%') {
        octet = i + 2 < text.length() ? hex(text.charAt(i + 1)) << 4 | hex(text.charAt(i + 2)) : -1;
        i += 2;
      }
      if (octet < 0 || octet > 0xFF) {
        return UNDECODABLE;
      }
      bytes.put((byte) octet);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      return UNDECODABLE;
    }
  }

  /** The value of a hexadecimal digit, or a negative number. */
  private static int hex(char digit) {
    return digit < 0x80 ? Character.digit(digit, 16) : -1;
  }
}
