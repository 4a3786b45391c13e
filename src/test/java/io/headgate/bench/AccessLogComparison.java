package io.headgate.bench;

import io.headgate.bench.EdgeComparison.Server;
import io.headgate.bench.EdgeComparison.Side;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.TimeUnit;

/**
 * What a line for each request costs, as a ratio of server CPU time a request: the same gateway
 * with an access log in a file and without one, the thread that writes included; and with traces of
 * a hundredth of its requests.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=access
 * }</pre>
 *
 * <p>Needs {@code /proc}.
 */
final class AccessLogComparison {
  private AccessLogComparison() {}

  static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try (Server logging = new Server("logging", "62");
        Server tracing = new Server("tracing", "62");
        Server silent = new Server("gateway", "62")) {
      String poll = LoadClient.get("/job-lineage/" + LoadServer.JOB);
      Side with = new Side("with lines", logging, poll);
      Side without = new Side("without", silent, poll);
      EdgeComparison.compare(vertx, "P1", with, without, 1, 60_000);
      EdgeComparison.compare(vertx, "P1", with, without, 16, 160_000);
      Side traced = new Side("with traces", tracing, poll);
      EdgeComparison.compare(vertx, "P1", traced, without, 1, 60_000);
      EdgeComparison.compare(vertx, "P1", traced, without, 16, 160_000);
    }
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }
}
