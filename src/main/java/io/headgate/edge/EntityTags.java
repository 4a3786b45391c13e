package io.headgate.edge;

import java.util.List;

/** The condition {@code If-None-Match} (RFC 9110 section 13.1.2), by weak comparison. */
final class EntityTags {
  private EntityTags() {}

  /**
   * Whether one of the header's lines names {@code etag} or is {@code *}. A line that is no list of
   * entity tags matches nothing.
   *
   * @param etag a strong entity tag with its quotes
   */
  static boolean matches(List<String> lines, String etag) {
    for (String line : lines) {
      if (line.equals(etag) || line.trim().equals("*") || lists(line, etag)) {
        return true;
      }
    }
    return false;
  }

  private static boolean lists(String line, String etag) {
    boolean found = false;
    int at = 0;
    while (at < line.length()) {
      char c = line.charAt(at);
      if (c == ' ' || c == '\t' || c == ',') {
        at++;
        continue;
      }
      int open = line.startsWith("W/", at) ? at + 2 : at;
      int close =
          open < line.length() && line.charAt(open) == '"' ? line.indexOf('"', open + 1) : -1;
      if (close < 0) {
        return false;
      }
      found |= etag.length() == close + 1 - open && line.startsWith(etag, open);
      at = close + 1;
      if (at < line.length() && ", \t".indexOf(line.charAt(at)) < 0) {
        return false;
      }
    }
    return found;
  }
}
