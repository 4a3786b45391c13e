package io.headgate.kit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One HTTP/1.1 response, read strictly: anything that a careful client would stumble over is an
 * error, since bytes that are no response are the mark of a request that was answered twice.
 *
 * @param status its status
 * @param headers its headers by their names in lower case; each at most once
 * @param body its body
 */
public record RawResponse(int status, Map<String, String> headers, String body) {
  private static final String END_OF_HEAD = "\r\n\r\n";

  /**
   * All responses in {@code bytes}, to GET requests.
   *
   * @throws AssertionError if they are anything but whole responses, one after another
   */
  public static List<RawResponse> all(byte[] bytes) {
    List<RawResponse> responses = new ArrayList<>();
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = 0;
    while (at < text.length()) {
      int headEnd = text.indexOf(END_OF_HEAD, at);
      if (headEnd < 0) {
        throw new AssertionError("a response without an end: " + text.substring(at));
      }
      String[] lines = text.substring(at, headEnd).split("\r\n", -1);
      if (!lines[0].matches("HTTP/1\\.[01] \\d{3} [ -~]*")) {
        throw new AssertionError("no status line: " + lines[0]);
      }
      int status = Integer.parseInt(lines[0].substring(9, 12));
      Map<String, String> headers = new TreeMap<>();
      for (String line : Arrays.asList(lines).subList(1, lines.length)) {
        if (!line.matches("[A-Za-z0-9-]+: [ -~]*")) {
          throw new AssertionError("no header line: " + line);
        }
        int colon = line.indexOf(':');
        String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
        if (headers.put(name, line.substring(colon + 2)) != null) {
          throw new AssertionError("twice: " + name);
        }
      }
      int from = headEnd + END_OF_HEAD.length();
      at =
          from
              + (status == 304
                  ? 0
                  : Integer.parseInt(headers.getOrDefault("content-length", "-1")));
      if (at < from || at > text.length()) {
        throw new AssertionError("a body of another length: " + text.substring(headEnd));
      }
      byte[] body = Arrays.copyOfRange(bytes, from, at);
      responses.add(new RawResponse(status, headers, new String(body, StandardCharsets.UTF_8)));
    }
    return responses;
  }
}
