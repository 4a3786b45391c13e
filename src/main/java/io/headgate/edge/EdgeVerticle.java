package io.headgate.edge;

import io.headgate.admission.Admission;
import io.headgate.edge.guard.GuardLimits;
import io.headgate.edge.guard.GuardedHttpServer;
import io.headgate.edge.guard.Http2Heads;
import io.headgate.edge.guard.Refusal;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop's share of the HTTP listener. Several instances listen on one port and Vert.x
 * deals connections out among them; what they have in common is in {@link Edge}.
 *
 * <p>A request goes through: its head (the connection guards), its body (no route here takes one),
 * its user, its route. The lineage route is matched by hand, the rest by a router.
 */
public final class EdgeVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(EdgeVerticle.class);

  /** What is in flight at a stop has this long to finish. */
  private static final int STOP_SECONDS = 10;

  /** How Vert.x is asked for a free port that all instances share; 0 would give each its own. */
  private static final int ANY_SHARED_PORT = -1;

  private static final int MAX_REQUEST_LINE = 4096;
  private static final int MAX_HEADER_BYTES = 8192;
  private static final int MAX_HEADER_LINES = 100;
  private static final int HTTP2_STREAMS = 100;
  private static final int HTTP2_STREAM_WINDOW = 64 * 1024;
  private static final int HTTP2_CONNECTION_WINDOW = 1024 * 1024;
  private static final int HTTP2_RESETS = 200;
  private static final int HTTP2_RESET_SECONDS = 30;

  private final Edge edge;
  private @Nullable HttpServer server;

  public EdgeVerticle(Edge edge) {
    this.edge = edge;
  }

  @Override
  public Future<?> start() {
    LineageRoute hot = new LineageRoute(edge, context);
    Router rest = Routes.router(vertx, edge);
    HttpServer listener =
        GuardedHttpServer.create(
                vertx,
                options(edge.config, edge.certificate),
                guards(edge.config),
                edge.connections)
            .invalidRequestHandler(this::refuse)
            .requestHandler(request -> handle(request, hot, rest));
    server = listener;
    return listener.listen();
  }

  @Override
  public Future<?> stop() {
    edge.health.stopping();
    HttpServer listener = server;
    return listener == null
        ? Future.succeededFuture()
        : listener.shutdown(STOP_SECONDS, TimeUnit.SECONDS);
  }

  /** The port this listens on, once started. */
  public int actualPort() {
    return server == null ? -1 : server.actualPort();
  }

  private static HttpServerOptions options(HttpConfig config, @Nullable ServerCertificate pair) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(config.host())
            .setPort(config.port() == 0 ? ANY_SHARED_PORT : config.port())
            .setMaxInitialLineLength(MAX_REQUEST_LINE)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setCompressionSupported(false)
            .setDecompressionSupported(false)
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setHandle100ContinueAutomatically(false)
            .setTcpNoDelay(true)
            .setHttp2ConnectionWindowSize(HTTP2_CONNECTION_WINDOW)
            .setHttp2RstFloodMaxRstFramePerWindow(HTTP2_RESETS)
            .setHttp2RstFloodWindowDuration(HTTP2_RESET_SECONDS)
            .setInitialSettings(
                new Http2Settings()
                    .setPushEnabled(false)
                    .setMaxConcurrentStreams(HTTP2_STREAMS)
                    .setInitialWindowSize(HTTP2_STREAM_WINDOW)
                    .setMaxHeaderListSize(MAX_HEADER_BYTES));
    if (pair != null) {
      options.setSsl(true).setUseAlpn(true).setKeyCertOptions(pair.options());
    }
    return options;
  }

  /**
   * Uses another certificate for connections from now on; on all instances, since they share the
   * listener. On any thread.
   */
  void replaceCertificate(ServerCertificate pair) {
    HttpServer listener = server;
    if (listener != null) {
      ServerSSLOptions options = new ServerSSLOptions();
      options
          .setKeyCertOptions(pair.options())
          .setUseAlpn(true)
          .setApplicationLayerProtocols(List.of("h2", "http/1.1"));
      listener
          .updateSSLOptions(options)
          .onFailure(failure -> log.warn("http.tls: {}", failure.getClass().getName()));
    }
  }

  private static GuardLimits guards(HttpConfig config) {
    return new GuardLimits(
        config.headerDeadline(), config.idleTimeout(), Admission.STALL, MAX_HEADER_LINES);
  }

  /** Answers a head that did not pass the guards; Vert.x closes the connection behind it. */
  private void refuse(HttpServerRequest request) {
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

  private void handle(HttpServerRequest request, LineageRoute hot, Router rest) {
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
    if (takesContent(request.method())) {
      edge.committer.closeAfter(request); // no route reads it yet
    }
    String path = request.path();
    Authenticator authenticator = edge.authenticator;
    if (authenticator == null || isOpen(path)) {
      route(request, path, hot, rest);
      return;
    }
    Authenticator.Verdict verdict =
        authenticator.check(
            request.getHeader(HttpHeaders.AUTHORIZATION),
            Users.Role.READ,
            context,
            later -> enter(later, request, path, hot, rest));
    if (verdict != null) {
      enter(verdict, request, path, hot, rest);
    }
  }

  private boolean isOpen(@Nullable String path) {
    return Routes.LIVE.equals(path)
        || Routes.READY.equals(path)
        || !edge.config.metricsAuth() && Routes.METRICS.equals(path);
  }

  private void enter(
      Authenticator.Verdict verdict,
      HttpServerRequest request,
      @Nullable String path,
      LineageRoute hot,
      Router rest) {
    switch (verdict) {
      case ALLOWED -> route(request, path, hot, rest);
      case UNKNOWN -> Routes.send(edge, request, ErrorCode.UNAUTHORIZED);
      case FORBIDDEN -> Routes.send(edge, request, ErrorCode.FORBIDDEN);
      case BUSY -> Routes.send(edge, request, ErrorCode.TEMPORARILY_UNAVAILABLE);
    }
  }

  private static void route(
      HttpServerRequest request, @Nullable String path, LineageRoute hot, Router rest) {
    if (path != null && hot.matches(path)) {
      hot.handle(request, path);
    } else {
      rest.handle(request);
    }
  }

  private static boolean expectsContinue(HttpServerRequest request) {
    return "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
  }

  private static boolean takesContent(HttpMethod method) {
    return method == HttpMethod.POST || method == HttpMethod.PUT || method == HttpMethod.PATCH;
  }
}
