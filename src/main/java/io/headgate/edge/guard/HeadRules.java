package io.headgate.edge.guard;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/** What a request head may look like, as far as it can be said without state. */
final class HeadRules {
  private static final int MAX_EMPTY_LINES = 2;
  private static final byte[] LINE_END = {'\r', '\n'};

  private HeadRules() {}

  /**
   * Passes over the empty lines in front of a request line, of which there may be two. They may
   * come in pieces, so what was there before counts.
   *
   * @param before bytes of empty lines before {@code from}
   * @return the first byte behind them, or -1 if they are too many or no line ends
   */
  static int skipEmptyLines(ByteBuf in, int from, int to, int before) {
    int at = from;
    for (int seen = before; at < to; at++, seen++) {
      byte b = in.getByte(at);
      if (b != '\r' && b != '\n') {
        return seen % LINE_END.length == 0 ? at : -1;
      }
      if (seen == MAX_EMPTY_LINES * LINE_END.length || b != LINE_END[seen % LINE_END.length]) {
        return -1;
      }
    }
    return at;
  }

  /** Whether the first of these lines, or one behind it, continues the line before it. */
  static boolean isFolded(ByteBuf in, int from, int to) {
    return isBlank(in.getByte(from)) || hasFold(in, from, to);
  }

  /** Whether one of these lines continues the line before it; the first is not looked at. */
  static boolean hasFold(ByteBuf in, int from, int to) {
    int at = from;
    while (true) {
      at = in.indexOf(at, to, (byte) '\n') + 1;
      if (at == 0 || at == to) {
        return false;
      }
      if (isBlank(in.getByte(at))) {
        return true;
      }
    }
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** Whether requests with this method bring content. */
  static boolean mayHaveContent(String method) {
    return method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
  }

  /**
   * A target that does not begin with a slash: makes an absolute one its path, if it names the same
   * authority.
   */
  static boolean originForm(HttpRequest head, @Nullable String host) {
    String uri = head.uri();
    if (uri.equals("*")) {
      return HttpMethod.OPTIONS.equals(head.method());
    }
    int authority =
        uri.regionMatches(true, 0, "http://", 0, 7)
            ? 7
            : uri.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
    if (authority == 0 || host == null) {
      return false;
    }
    int end = authority;
    while (end < uri.length() && uri.charAt(end) != '/' && uri.charAt(end) != '?') {
      end++;
    }
    if (end - authority != host.length()
        || !uri.regionMatches(true, authority, host, 0, host.length())) {
      return false;
    }
    String path = uri.substring(end);
    head.setUri(path.startsWith("/") ? path : "/" + path);
    return true;
  }

  /**
   * Whether a {@code Host} value is a name, an IPv4 address or a bracketed IPv6 address, with a
   * port or without.
   */
  static boolean isHost(String host) {
    int length = host.length();
    int i = 0;
    if (length > 0 && host.charAt(0) == '[') {
      i = 1;
      while (i < length
          && (Character.digit(host.charAt(i), 16) >= 0 && host.charAt(i) < 0x80
              || host.charAt(i) == ':'
              || host.charAt(i) == '.')) {
        i++;
      }
      if (i < 3 || i == length || host.charAt(i++) != ']') {
        return false;
      }
    } else {
      while (i < length && isNameCharacter(host.charAt(i))) {
        i++;
      }
      if (i == 0) {
        return false;
      }
    }
    if (i == length) {
      return true;
    }
    if (host.charAt(i++) != ':' || length - i > 5) {
      return false;
    }
    int port = 0;
    for (; i < length; i++) {
      int digit = host.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      port = port * 10 + digit;
    }
    return port <= 0xFFFF;
  }

  private static boolean isNameCharacter(char c) {
    return c >= 'a' && c <= 'z'
        || c >= '0' && c <= '9'
        || c == '.'
        || c == '-'
        || c >= 'A' && c <= 'Z'
        || c == '_'
        || c == '~';
  }
}
