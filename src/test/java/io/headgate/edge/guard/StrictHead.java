package io.headgate.edge.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A second opinion on request heads: RFC 9112 and this gateway's narrowing of it, written as a
 * grammar and sharing nothing with the decoder.
 *
 * @param fields name and value of each header line
 * @param length of the head in bytes
 */
record StrictHead(String method, String target, List<Field> fields, int length) {
  /** One header line. */
  record Field(String name, String value) {}

  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final Pattern HEAD =
      Pattern.compile(
          "(?:\r\n){0,2}(TOKEN) ([!\"$-~]+) HTTP/1\\.([01])\r\n((?:TOKEN:[\t -~\u0080-\u00ff]*\r\n)*)\r\n"
              .replace("TOKEN", TOKEN));
  private static final Pattern FIELD =
      Pattern.compile("(TOKEN):[ \t]*([^\r\n]*?)[ \t]*\r\n".replace("TOKEN", TOKEN));
  private static final Pattern HOST =
      Pattern.compile("(?:[A-Za-z0-9._~-]+|\\[[0-9A-Fa-f:.]{2,}])(?::([0-9]{0,5}))?");
  private static final Pattern ABSOLUTE =
      Pattern.compile("(?i:https?)://([^/?]*)(.*)", Pattern.DOTALL);

  /** The head at the beginning of {@code text}, if a strict server would take it. */
  static Optional<StrictHead> at(String text) {
    Matcher head = HEAD.matcher(text);
    if (!head.lookingAt()) {
      return Optional.empty();
    }
    List<Field> fields = new ArrayList<>();
    Matcher field = FIELD.matcher(head.group(4));
    while (field.find()) {
      fields.add(new Field(field.group(1), field.group(2)));
    }
    boolean old = head.group(3).equals("0");
    String target = target(head.group(1), head.group(2), fields);
    StrictHead strict = new StrictHead(head.group(1), target, fields, head.end());
    return target.isEmpty() || !strict.hasOneHost(old) || !strict.hasFraming(old)
        ? Optional.empty()
        : Optional.of(strict);
  }

  private static String target(String method, String target, List<Field> fields) {
    if (target.startsWith("/") || target.equals("*") && method.equals("OPTIONS")) {
      return target;
    }
    Matcher absolute = ABSOLUTE.matcher(target);
    boolean same =
        absolute.matches()
            && fields.stream()
                .filter(f -> f.name.equalsIgnoreCase("host"))
                .anyMatch(f -> f.value.equalsIgnoreCase(absolute.group(1)));
    if (!same) {
      return "";
    }
    return absolute.group(2).startsWith("/") ? absolute.group(2) : "/" + absolute.group(2);
  }

  private boolean hasOneHost(boolean old) {
    List<String> hosts = values("host");
    if (hosts.isEmpty()) {
      return old;
    }
    Matcher host = HOST.matcher(hosts.get(0));
    return hosts.size() == 1
        && host.matches()
        && (host.group(1) == null
            || host.group(1).isEmpty()
            || Integer.parseInt(host.group(1)) <= 0xFFFF);
  }

  private boolean hasFraming(boolean old) {
    List<String> lengths = values("content-length");
    List<String> codings = values("transfer-encoding");
    if (lengths.isEmpty() && isWebSocketDraft()) {
      return false;
    }
    if (!codings.isEmpty()) {
      return !old
          && lengths.isEmpty()
          && codings.size() == 1
          && codings.get(0).equalsIgnoreCase("chunked")
          && takesContent();
    }
    if (lengths.isEmpty()) {
      return true;
    }
    return lengths.size() == 1
        && lengths.get(0).matches("[0-9]+")
        && new java.math.BigInteger(lengths.get(0)).bitLength() < Long.SIZE
        && (takesContent() || lengths.get(0).matches("0+"));
  }

  private boolean takesContent() {
    return List.of("POST", "PUT", "PATCH").contains(method);
  }

  /** The first drafts sent eight bytes behind such a head, and Netty still reads them. */
  private boolean isWebSocketDraft() {
    return method.equals("GET")
        && !values("sec-websocket-key1").isEmpty()
        && !values("sec-websocket-key2").isEmpty();
  }

  /** Whether content follows it, so that it is not clear where the next head begins. */
  boolean hasContent() {
    return !values("transfer-encoding").isEmpty()
        || values("content-length").stream().anyMatch(length -> !length.matches("0+"));
  }

  private List<String> values(String lowerName) {
    return fields.stream()
        .filter(field -> field.name.toLowerCase(Locale.ROOT).equals(lowerName))
        .map(Field::value)
        .toList();
  }
}
