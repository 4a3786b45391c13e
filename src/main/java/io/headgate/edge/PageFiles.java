package io.headgate.edge;

import io.headgate.wire.Digests;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The files of the page, read once from the class path and kept as whole answers: nothing that is
 * asked for reaches a file system, and no name that is not in this list is found. Immutable.
 */
final class PageFiles {
  /** A folder of its own, since an embedding service may have a {@code webroot} as well. */
  static final String FOLDER = "/webroot/headgate/";

  static final String START = "start.html";
  static final String JOB = "job.html";
  static final String DESCRIPTOR = "descriptor.html";

  /** What a browser loads for one of the pages. */
  static final List<String> ASSETS =
      List.of(
          "api.js",
          "descriptor.js",
          "dom.js",
          "fn.js",
          "gateway.js",
          "i18n.js",
          "icon.svg",
          "job.js",
          "jobs.js",
          "links.js",
          "nodes.js",
          "picture.js",
          "repeat.js",
          "shell.js",
          "start.js",
          "style.css",
          "table.js",
          "theme.js",
          "timeline-details.js",
          "timeline-filter.js",
          "timeline-line.js",
          "timeline-list.js",
          "timeline-outcome.js",
          "timeline-pages.js",
          "timeline-record.js",
          "timeline.css",
          "timeline.js",
          "watch.js",
          "words-en.js",
          "words-zh.js");

  /**
   * Nothing but our own files, and nobody may frame us: whatever text gets into the page, it can't
   * load, run or send anything.
   */
  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private final Map<String, Reply> files = new LinkedHashMap<>();
  private final LostPage lost = new LostPage();

  private PageFiles() {}

  /**
   * Reads them all. Blocks on the class path; not for an event loop.
   *
   * @throws IllegalStateException if one is missing, which is a fault of the build
   */
  static PageFiles read() {
    PageFiles page = new PageFiles();
    List.of(START, JOB, DESCRIPTOR).forEach(page::add);
    ASSETS.forEach(page::add);
    return page;
  }

  private void add(String name) {
    byte[] bytes = PackagedFiles.bytes(FOLDER + name);
    String etag = Digests.etag(bytes, bytes.length);
    files.put(name, Reply.ofFile(bytes, headers(name, bytes.length, etag), etag));
  }

  /** What stands for a page that is not there. */
  LostPage lost() {
    return lost;
  }

  /**
   * A file of the list.
   *
   * @throws NullPointerException if it is none
   */
  Reply page(String name) {
    return Objects.requireNonNull(files.get(name));
  }

  private static MultiMap headers(String name, int length, String etag) {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    return withPolicy(Reply.common())
        // A browser may keep it, and asks each time whether it is still the one.
        .set(HttpHeaders.CACHE_CONTROL, "private, no-cache")
        .set(HttpHeaders.CONTENT_TYPE, Objects.requireNonNull(type))
        .set(HttpHeaders.CONTENT_LENGTH, Integer.toString(length))
        .set(HttpHeaders.ETAG, etag)
        .copy(false);
  }

  /** Adds what a page of this gateway may do, and that it tells nobody where it stood. */
  static MultiMap withPolicy(MultiMap headers) {
    return headers.set("content-security-policy", POLICY).set("referrer-policy", "no-referrer");
  }
}
