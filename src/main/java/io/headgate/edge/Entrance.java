package io.headgate.edge;

import io.headgate.edge.guard.Http2Heads;
import io.headgate.edge.guard.Refusal;
import io.headgate.fn.FnDoor;
import io.headgate.observe.access.RequestRecord;
import io.headgate.timeline.live.LiveTimelines;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import org.jspecify.annotations.Nullable;

/**
 * Where requests come in on one event loop: what is left to check of the head, the user, the route.
 * The lineage route, and those of graphs, pictures, reports, timelines, the Fn API and the page are
 * matched by hand, the rest by a router.
 */
final class Entrance {
  private final Edge edge;
  private final Context context;
  private final LineageRoute hot;
  private final PictureRoute picture;
  private final @Nullable PublishRoute publish;
  private final @Nullable ReportRoutes reports;
  private final @Nullable TimelineRoute timeline;
  private final @Nullable FnRoutes fn;
  private final @Nullable FnBundleRoutes bundles;
  private final PageRoute page;
  private final Router rest;

  Entrance(Edge edge, Vertx vertx, Context context) {
    this.edge = edge;
    this.context = context;
    hot = new LineageRoute(edge, context);
    picture = new PictureRoute(edge, context);
    Publishing publishing = edge.publishing;
    publish = publishing == null ? null : new PublishRoute(edge, publishing, vertx, context);
    LiveTimelines timelines = edge.timelines;
    reports = timelines == null ? null : new ReportRoutes(edge, timelines, vertx, context);
    timeline = timelines == null ? null : new TimelineRoute(edge, timelines.pages(), context);
    FnDoor door = edge.fn();
    fn = door == null ? null : new FnRoutes(edge, door, vertx, context);
    bundles = door == null ? null : new FnBundleRoutes(edge, door, vertx, context);
    page = new PageRoute(edge);
    rest = Routes.router(vertx, edge);
  }

  /** Answers a head that did not pass the guards; Vert.x closes the connection behind it. */
  void refuse(HttpServerRequest request) {
    RequestRecord record = RequestWatch.record(request);
    if (record != null) {
      record.headRefused();
    }
    refuse(request, Refusal.of(request.decoderResult().cause()));
  }

  private void refuse(HttpServerRequest request, Refusal refusal) {
    ErrorCode code =
        switch (refusal.kind()) {
          case MALFORMED -> ErrorCode.INVALID_REQUEST;
          case CONTENT -> ErrorCode.BODY_NOT_ALLOWED;
          case LATE -> ErrorCode.REQUEST_TIMEOUT;
          case LONG_LINE -> ErrorCode.URI_TOO_LONG;
          case HEADERS -> ErrorCode.HEADERS_TOO_LARGE;
          case CODING -> ErrorCode.NOT_IMPLEMENTED;
        };
    edge.committer.refuse(request, Reply.of(code));
  }

  /** Takes a request in and sees to it that it is answered. */
  void handle(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      Refusal refusal = Http2Heads.check(request);
      if (refusal != null) {
        refuse(request, refusal);
        return;
      }
    }
    if (request.headers().contains(HttpHeaders.EXPECT) && !expectsContinue(request)) {
      edge.committer.refuse(request, Reply.of(ErrorCode.EXPECTATION_FAILED));
      return;
    }
    boolean content = takesContent(request.method());
    if (content) {
      edge.committer.closeAfter(request); // unless its route reads all of it
      request.exceptionHandler(cause -> breakOff(request, cause)); // until its route does
    }
    String path = request.path();
    Authenticator authenticator = edge.authenticator;
    if (authenticator == null || isOpen(path)) {
      route(request, path);
      return;
    }
    Authenticator.Verdict verdict =
        authenticator.check(
            request.getHeader(HttpHeaders.AUTHORIZATION),
            role(request, path),
            context,
            later -> enter(later, request, path));
    if (verdict != null) {
      enter(verdict, request, path);
    } else if (content) {
      request.pause(); // until its route reads it
    }
  }

  /**
   * A body that is broken before anybody reads it, while credentials are checked for instance. It
   * is now or never: Vert.x closes the connection next.
   */
  private void breakOff(HttpServerRequest request, Throwable cause) {
    if (BodyReader.isBroken(cause) && !request.isEnded()) {
      edge.committer.refuse(request, Reply.of(ErrorCode.INVALID_REQUEST));
    }
  }

  private boolean isOpen(@Nullable String path) {
    return Resource.LIVE.template().equals(path)
        || Resource.READY.template().equals(path)
        || !edge.config.metricsAuth() && Resource.METRICS.template().equals(path);
  }

  private Users.Role role(HttpServerRequest request, @Nullable String path) {
    boolean writes =
        path != null
            && (publish != null && publish.matches(path) && PublishRoute.writes(request.method())
                || reports != null && reports.matches(path) && ReportRoutes.writes(request.method())
                || bundles != null && bundles.matches(path)
                || fn != null && fn.matches(path) && fn.writes(request.method(), path));
    return writes ? Users.Role.WRITE : Users.Role.READ;
  }

  private void enter(
      Authenticator.Verdict verdict, HttpServerRequest request, @Nullable String path) {
    RequestRecord record = RequestWatch.record(request);
    if (record != null
        && (verdict == Authenticator.Verdict.ALLOWED
            || verdict == Authenticator.Verdict.FORBIDDEN)) {
      record.user(Authenticator.user(request.getHeader(HttpHeaders.AUTHORIZATION)));
    }
    switch (verdict) {
      case ALLOWED -> route(request, path);
      case UNKNOWN -> Routes.send(edge, request, ErrorCode.UNAUTHORIZED);
      case FORBIDDEN -> Routes.send(edge, request, ErrorCode.FORBIDDEN);
      case BUSY -> Routes.send(edge, request, ErrorCode.TEMPORARILY_UNAVAILABLE);
    }
  }

  private void route(HttpServerRequest request, @Nullable String path) {
    if (path != null && hot.matches(path)) {
      hot.handle(request, path);
    } else if (path != null && picture.matches(path)) {
      picture.handle(request, path);
    } else if (path != null && publish != null && publish.matches(path)) {
      publish.handle(request, path);
    } else if (path != null && reports != null && reports.matches(path)) {
      reports.handle(request, path);
    } else if (path != null && timeline != null && timeline.matches(path)) {
      timeline.handle(request, path);
    } else if (path != null && bundles != null && bundles.matches(path)) {
      bundles.handle(request, path);
    } else if (path != null && fn != null && fn.matches(path)) {
      fn.handle(request, path);
    } else if (path != null && page.matches(path)) {
      page.handle(request, path);
    } else {
      rest.handle(request);
    }
  }

  /** Whether it expects nothing else, in whichever line of its head. */
  private static boolean expectsContinue(HttpServerRequest request) {
    return request.headers().getAll(HttpHeaders.EXPECT).stream()
        .allMatch("100-continue"::equalsIgnoreCase);
  }

  private static boolean takesContent(HttpMethod method) {
    return method == HttpMethod.POST || method == HttpMethod.PUT || method == HttpMethod.PATCH;
  }
}
