package io.headgate.edge.guard;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/** What a request head may look like, as far as it can be said without state. */
final class HeadRules {
  private static final int MAX_EMPTY_LINES = 2;

  private HeadRules() {}

  /** Whether the consumed lines hold a folded header, or begin with more than a few empty lines. */
  static boolean badLines(ByteBuf in, int from, int to, boolean inHeaders) {
    int at = from;
    if (inHeaders) {
      if (isBlank(in.getByte(at))) {
        return true;
      }
    } else {
      while (at < to && (in.getByte(at) == '\r' || in.getByte(at) == '\n')) {
        at++;
      }
      if (at - from > 2 * MAX_EMPTY_LINES) {
        return true;
      }
    }
    while (at < to) {
      at = in.indexOf(at, to, (byte) '\n') + 1;
      if (at == 0 || at == to) {
        return false;
      }
      if (isBlank(in.getByte(at))) {
        return true;
      }
    }
    return false;
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
