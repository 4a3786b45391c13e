package io.headgate.edge;

import io.headgate.admission.Admission;
import io.headgate.edge.guard.GuardLimits;
import io.headgate.edge.guard.GuardedHttpServer;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop's share of the HTTP listener. Several instances listen on one port and Vert.x
 * deals connections out among them; what they have in common is in {@link Edge}. Requests that have
 * passed the connection guards come in through {@link Entrance}.
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
    Entrance entrance = new Entrance(edge, vertx, context);
    HttpServer listener =
        GuardedHttpServer.create(
                vertx,
                options(edge.config, edge.certificate),
                guards(edge.config),
                edge.connections,
                metrics -> edge.accessLog() == null ? metrics : edge.accessLog().watch(metrics))
            .invalidRequestHandler(entrance::refuse)
            .requestHandler(entrance::handle);
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
}
