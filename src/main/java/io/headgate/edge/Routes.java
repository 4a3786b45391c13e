package io.headgate.edge;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All routes but those that are matched by hand: the list of jobs, health, metrics, the document of
 * all of them, and what is answered where nothing is.
 */
final class Routes {
  private static final Logger log = LoggerFactory.getLogger(Routes.class);
  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private Routes() {}

  static Router router(Vertx vertx, Edge edge) {
    Router router = Router.router(vertx);
    route(edge, router, Resource.LIVE, r -> json(edge, r, 200, edge.health.liveness()));
    route(
        edge,
        router,
        Resource.READY,
        r -> json(edge, r, edge.health.isReady() ? 200 : 503, edge.health.readiness()));
    route(edge, router, Resource.DOCUMENT, r -> document(edge, r));
    JobsRoute jobs = new JobsRoute(edge);
    router.route(jobs.path()).handler(routing -> jobs.handle(routing.request()));
    route(edge, router, Resource.METRICS, r -> send(edge, r, 200, PROMETHEUS, edge.metrics.get()));
    router.route().handler(routing -> send(edge, routing.request(), ErrorCode.NOT_FOUND));
    for (int status : new int[] {400, 404, 405, 500}) {
      router.errorHandler(status, routing -> failed(edge, routing));
    }
    return router;
  }

  private static void route(
      Edge edge, Router router, Resource resource, Handler<HttpServerRequest> handler) {
    String base = resource.isUnderBasePath() ? edge.config.basePath() : "";
    String path = base + resource.template();
    router
        .route(path)
        .handler(
            routing -> {
              HttpServerRequest request = routing.request();
              if (!path.equals(request.path())) {
                routing.next(); // the router takes other spellings for it
              } else if (resource.allows(request.method())) {
                handler.handle(request);
              } else {
                refuseMethod(edge, request, resource);
              }
            });
  }

  private static void failed(Edge edge, RoutingContext routing) {
    Throwable failure = routing.failure();
    if (failure != null) {
      log.error("a route failed: {}", failure.getClass().getName());
      send(edge, routing.request(), ErrorCode.INTERNAL_ERROR);
    } else {
      boolean bad = routing.statusCode() == 400;
      send(edge, routing.request(), bad ? ErrorCode.INVALID_REQUEST : ErrorCode.NOT_FOUND);
    }
  }

  private static void document(Edge edge, HttpServerRequest request) {
    edge.edgeMeters.other(200);
    edge.committer.send(request, edge.document);
  }

  static void send(Edge edge, HttpServerRequest request, ErrorCode code) {
    edge.edgeMeters.other(code.status());
    edge.committer.send(request, Reply.of(code));
  }

  static void refuseMethod(Edge edge, HttpServerRequest request, Resource resource) {
    request.response().headers().set(HttpHeaders.ALLOW, resource.allow());
    send(edge, request, ErrorCode.METHOD_NOT_ALLOWED);
  }

  private static void json(Edge edge, HttpServerRequest request, int status, String body) {
    send(edge, request, status, JSON, Buffer.buffer(body));
  }

  static void json(Edge edge, HttpServerRequest request, Buffer body) {
    send(edge, request, 200, JSON, body);
  }

  private static void send(
      Edge edge, HttpServerRequest request, int status, String type, Buffer body) {
    edge.edgeMeters.other(status);
    HttpServerResponse response = request.response();
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, type)
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
        .putHeader(HttpHeaders.CACHE_CONTROL, "private, no-store")
        .putHeader("x-content-type-options", "nosniff");
    if (status == 503) {
      response.putHeader(HttpHeaders.RETRY_AFTER, Committer.retryAfter());
    }
    if (request.method() == HttpMethod.HEAD) {
      response.end();
    } else {
      edge.committer.end(request, body);
    }
  }
}
