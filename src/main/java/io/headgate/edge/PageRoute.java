package io.headgate.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET {basePath}/ui/…}: the page for operators, and what it shows of this gateway. On the
 * event loop of the request; everything is in memory, and nothing is asked because of one.
 *
 * <p>A path is compared as it came, with a list: an escape, a dot segment or a doubled slash makes
 * it another one, which is not there.
 */
final class PageRoute {
  private static final String START = Resource.START_PAGE.template();
  private static final String JOBS = Resource.JOB_PAGE.prefix();
  private static final String DESCRIPTORS = Resource.DESCRIPTOR_PAGE.prefix();

  private final Edge edge;
  private final int baseLength;
  private final String entry;
  private final String start;

  PageRoute(Edge edge) {
    this.edge = edge;
    String basePath = edge.config.basePath();
    baseLength = basePath.length();
    entry = basePath + Resource.ENTRY.template();
    start = basePath + START;
  }

  /** Whether {@code path} is one of the page, or one from where a browser is led to it. */
  boolean matches(String path) {
    return path.startsWith(start) || leads(path);
  }

  private boolean leads(String path) {
    return path.equals(entry)
        || path.length() == start.length() - 1 && start.startsWith(path); // without the last slash
  }

  void handle(HttpServerRequest request, String path) {
    String own = path.substring(baseLength);
    Resource resource = resource(own);
    if (resource == null) {
      sendNothing(request, file(own));
    } else if (!resource.allows(request.method())) {
      Routes.refuseMethod(edge, request, resource);
    } else {
      switch (resource) {
        case ENTRY -> redirect(request);
        case GATEWAY_STATE -> Routes.json(edge, request, edge.status.get());
        case JOB_PAGE -> send(request, jobPage(own));
        case DESCRIPTOR_PAGE -> send(request, edge.page.page(PageFiles.DESCRIPTOR));
        default -> send(request, edge.page.page(own.equals(START) ? PageFiles.START : file(own)));
      }
    }
  }

  private @Nullable Resource resource(String own) {
    if (!own.startsWith(START)) {
      return Resource.ENTRY;
    }
    if (own.equals(Resource.GATEWAY_STATE.template())) {
      return Resource.GATEWAY_STATE;
    }
    if (isSegmentOf(own, JOBS)) {
      return Resource.JOB_PAGE;
    }
    if (isSegmentOf(own, DESCRIPTORS) && edge.fn() != null) {
      return Resource.DESCRIPTOR_PAGE;
    }
    boolean there = own.equals(START) || PageFiles.ASSETS.contains(file(own));
    return there ? Resource.START_PAGE : null; // with the files that it consists of
  }

  private static String file(String own) {
    return own.substring(START.length());
  }

  private static boolean isSegmentOf(String own, String prefix) {
    return own.length() > prefix.length()
        && own.startsWith(prefix)
        && own.indexOf('/', prefix.length()) < 0;
  }

  /** The page says itself that an id is none: links in messages lose or gain a character. */
  private Reply jobPage(String own) {
    Reply page = edge.page.page(PageFiles.JOB);
    return JobIds.parse(own, JOBS.length()) == JobIds.INVALID ? page.ofNothing() : page;
  }

  /** A browser that opens a link gets something to read; its answer depends on that header. */
  private void sendNothing(HttpServerRequest request, String below) {
    Reply lost = edge.page.lost().of(request, below);
    if (lost == null) {
      LostPage.withPolicy(request.response().headers());
      Routes.send(edge, request, ErrorCode.NOT_FOUND);
    } else {
      send(request, lost);
    }
  }

  private void send(HttpServerRequest request, Reply file) {
    String etag = file.etag();
    if (etag == null || !Committer.has(request, etag)) {
      edge.edgeMeters.other(file.status());
      edge.committer.send(request, file);
      return;
    }
    edge.edgeMeters.other(304);
    HttpServerResponse response = request.response().setStatusCode(304);
    response.headers().addAll(file.headers());
    response.headers().remove(HttpHeaders.CONTENT_TYPE).remove(HttpHeaders.CONTENT_LENGTH);
    response.end();
  }

  /** To the start page; relative, so that it also holds behind a proxy that cuts a prefix off. */
  private void redirect(HttpServerRequest request) {
    edge.edgeMeters.other(302);
    HttpServerResponse response = request.response().setStatusCode(302);
    response
        .headers()
        .addAll(Reply.common())
        .set(HttpHeaders.LOCATION, "ui/")
        .set(HttpHeaders.CONTENT_LENGTH, "0");
    response.end();
  }
}
