package io.headgate.edge;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a browser shows under {@code ui/} where nothing is: a fixed page with a link to the start
 * page. The link is relative, so that it also holds behind a proxy that cuts a prefix off; hence
 * there is one page for each depth of paths, and nothing of a path is in any. Immutable.
 */
final class LostPage {
  private static final String FILE = "not-found.html";
  private static final String PLACE = "{start}";

  /** Deeper than any path of ours; what lies deeper is answered as elsewhere. */
  private static final int DEPTHS = 8;

  private final List<Reply> pages = new ArrayList<>(DEPTHS);

  /**
   * Reads it. Blocks on the class path; not for an event loop.
   *
   * @throws IllegalStateException if it is missing, which is a fault of the build
   */
  LostPage() {
    String page = new String(PackagedFiles.bytes(FILE), StandardCharsets.UTF_8);
    for (int depth = 0; depth < DEPTHS; depth++) {
      String start = depth == 0 ? "./" : "../".repeat(depth);
      byte[] bytes = page.replace(PLACE, start).getBytes(StandardCharsets.UTF_8);
      MultiMap headers =
          withPolicy(Reply.common())
              .set(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
              .set(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length))
              .copy(false);
      pages.add(Reply.ofFile(bytes, headers, "").ofNothing());
    }
  }

  /** Adds what both forms of the answer have. */
  static MultiMap withPolicy(MultiMap headers) {
    return PageFiles.withPolicy(headers).set(HttpHeaders.VARY, HttpHeaders.ACCEPT);
  }

  /**
   * The page for a path, or null if the client gets the error as programs do.
   *
   * @param below the path behind that of the start page
   */
  @Nullable Reply of(HttpServerRequest request, String below) {
    int depth = (int) below.chars().filter(c -> c == '/').count();
    boolean reads = request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
    return depth < pages.size() && reads && prefersHtml(request) ? pages.get(depth) : null;
  }

  /** Browsers name HTML when they open a link, and only then; a script of ours names nothing. */
  private static boolean prefersHtml(HttpServerRequest request) {
    double html = 0;
    double json = 0;
    for (String line : request.headers().getAll(HttpHeaders.ACCEPT)) {
      for (String range : line.split(",")) {
        String[] parts = range.toLowerCase(Locale.ROOT).split(";", -1); // never none
        String type = parts[0].strip();
        if (type.equals("text/html")) {
          html = Math.max(html, quality(parts));
        } else if (type.equals("application/json")) {
          json = Math.max(json, quality(parts));
        }
      }
    }
    return html > json;
  }

  /** How much a range is wanted: 1 unless it says less, and 0 if that can't be read. */
  private static double quality(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i].strip();
      if (part.startsWith("q=")) {
        return part.matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")
            ? Double.parseDouble(part.substring(2))
            : 0;
      }
    }
    return 1;
  }
}
