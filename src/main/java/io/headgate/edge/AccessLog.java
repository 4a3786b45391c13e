package io.headgate.edge;

import io.headgate.admission.Admission;
import io.headgate.admission.Workers;
import io.headgate.observe.Meters;
import io.headgate.observe.access.LineOutput;
import io.headgate.observe.access.RequestLog;
import io.headgate.observe.access.RequestTracer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.metrics.Metrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access log of one deployment: what listens to requests, and the thread that writes. Safe on
 * any thread; close it after the last {@link EdgeVerticle}, and before the admission.
 */
public final class AccessLog {
  private static final Logger log = LoggerFactory.getLogger(AccessLog.class);

  private final Workers writer = new Workers("headgate-access", 1);
  private final RequestLog requests;

  /**
   * Opens it.
   *
   * @param output where lines go, or null for none; closed with this
   * @param tracer what makes traces, or null; closed with this
   */
  public AccessLog(
      @Nullable LineOutput output,
      @Nullable RequestTracer tracer,
      HttpConfig config,
      Admission admission,
      Meters meters) {
    requests =
        new RequestLog(
            new RouteTemplates(config.basePath()),
            output,
            tracer,
            writer,
            admission::after,
            meters);
    if (!Metrics.METRICS_ENABLED) {
      log.warn("there are no access lines and no traces, since vertx.disableMetrics is set");
    }
    requests.start();
  }

  /**
   * Metrics for a server whose requests are to have lines.
   *
   * @param others those of the embedding service, which get everything too; or null
   */
  VertxMetrics watch(@Nullable VertxMetrics others) {
    return new VertxMetrics() {
      @Override
      public HttpServerMetrics<?, ?, ?> createHttpServerMetrics(
          HttpServerOptions options, SocketAddress localAddress) {
        return new RequestWatch(
            requests::take,
            others == null ? null : others.createHttpServerMetrics(options, localAddress));
      }
    };
  }

  /** Writes the last lines; completes when they are out or can't get out, after a second. */
  public CompletionStage<Void> close() {
    return requests.close().whenComplete((done, failure) -> writer.close());
  }
}
