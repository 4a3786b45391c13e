package io.headgate.bench;

import io.headgate.HeadgateConfig;
import io.headgate.HeadgateVerticle;
import io.headgate.graph.Call;
import io.headgate.graph.Execution;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.JobGraphBuilder.Built;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.NodeKind;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server in a process of its own, so that its CPU time can be told from the load's: the gateway,
 * or the barest Vert.x handler that sends the same bytes. Prints its port and ends when its
 * standard input does.
 *
 * <p>Arguments: {@code gateway NODES}, {@code tracing NODES} with traces, {@code logging NODES}
 * with an access log in a file, {@code slow NODES MILLIS}, {@code zeta MEMBER FRESHNESS}, {@code
 * pictures}, {@code busy}, {@code bare LENGTH}, {@code bare404}.
 */
public final class LoadServer {
  /** The job whose graph the gateway serves; others are unknown, or hang in a busy one. */
  static final long JOB = 733584788375093248L;

  private static final Map<String, String> BUSY =
      Map.of(
          "HEADGATE_ADMISSION_DEADLINE", "60s",
          "HEADGATE_HTTP_REQUEST_DEADLINE", "61s",
          "HEADGATE_HTTP_WRITE_DEADLINE", "70s",
          "HEADGATE_HTTP_IDLE_TIMEOUT", "100s");

  /** A hundredth of requests, for a collector that takes none: sending costs its threads. */
  private static final Map<String, String> TRACING =
      Map.of(
          "HEADGATE_TRACES_ENABLED", "true",
          "HEADGATE_TRACES_ENDPOINT", "http://127.0.0.1:9");

  private LoadServer() {}

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx();
    int port =
        switch (args[0]) {
          case "gateway" -> gateway(vertx, graphs(Integer.parseInt(args[1])), Map.of());
          case "tracing" -> gateway(vertx, graphs(Integer.parseInt(args[1])), TRACING);
          case "logging" -> gateway(vertx, graphs(Integer.parseInt(args[1])), logging());
          case "slow" ->
              gateway(vertx, slow(Integer.parseInt(args[1]), Long.parseLong(args[2])), Map.of());
          case "zeta" -> zeta(vertx, args[1], args[2]);
          case "pictures" -> gateway(vertx, LargeJobs.source(), LargeJobs.SETTINGS);
          case "busy" ->
              gateway(vertx, (job, deadline) -> Call.of(new CompletableFuture<>()), BUSY);
          case "bare" -> bare(vertx, 200, Buffer.buffer("x".repeat(Integer.parseInt(args[1]))));
          case "bare404" -> bare(vertx, 404, Buffer.buffer("x".repeat(59)));
          default -> throw new IllegalArgumentException(args[0]);
        };
    System.out.println(port);
    awaitEndOfInput();
    System.exit(0);
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      Thread.onSpinWait();
    }
  }

  /** A chain of this many nodes, each with a path. */
  static JobGraphSource graphs(int nodes) {
    return (jobId, deadline) -> {
      if (jobId != JOB) {
        return Call.of(new Lookup.NotFound());
      }
      return Call.of(chain(jobId, nodes));
    };
  }

  private static Lookup chain(long jobId, int nodes) {
    JobGraphBuilder builder = new JobGraphBuilder(jobId, GraphLimits.DEFAULT);
    for (int i = 1; i <= nodes; i++) {
      builder.beginNode();
      builder.name("pipeline-1 [TransformChain[Transform[" + i + "]-Sql]]");
      builder.path("warehouse.public.orders_" + i);
      NodeKind kind = i == 1 ? NodeKind.SOURCE : i == nodes ? NodeKind.SINK : NodeKind.TRANSFORM;
      builder.endNode(i, kind);
    }
    for (int i = 1; i < nodes; i++) {
      builder.beginEdge();
      builder.edge(1, i, i + 1);
    }
    Built.Checked built = (Built.Checked) builder.build();
    return new Lookup.Found(built.graph(), Execution.ofLocalTime("2026-11-30 09:41:54"), false);
  }

  /** Any job is a chain of this many nodes, found after a while; each graph is built anew. */
  private static JobGraphSource slow(int nodes, long millis) {
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    return (jobId, deadline) -> {
      CompletableFuture<Lookup> answer = new CompletableFuture<>();
      clock.schedule(() -> answer.complete(chain(jobId, nodes)), millis, TimeUnit.MILLISECONDS);
      return Call.of(answer);
    };
  }

  private static int zeta(Vertx vertx, String member, String freshness) throws Exception {
    HeadgateConfig config =
        HeadgateConfig.load(
            null,
            Map.of(
                "HEADGATE_HTTP_PORT", "0",
                "HEADGATE_SOURCE_ZETA_MEMBERS", member,
                "HEADGATE_ADMISSION_FRESHNESS", freshness));
    HeadgateVerticle gateway = new HeadgateVerticle(config);
    vertx.deployVerticle(gateway).toCompletionStage().toCompletableFuture().get();
    return gateway.port();
  }

  private static Map<String, String> logging() throws IOException {
    Path folder = Files.createTempDirectory("headgate-access");
    folder.toFile().deleteOnExit();
    Path file = folder.resolve("access.log");
    file.toFile().deleteOnExit();
    return Map.of("HEADGATE_ACCESS_LOG_FILE", file.toString(), "HEADGATE_ACCESS_LOG_FILES", "1");
  }

  private static int gateway(Vertx vertx, JobGraphSource source, Map<String, String> settings)
      throws Exception {
    Map<String, String> variables = new HashMap<>(settings);
    variables.put("HEADGATE_HTTP_PORT", "0");
    HeadgateConfig config = HeadgateConfig.load(null, variables);
    HeadgateVerticle gateway = new HeadgateVerticle(config, source);
    vertx.deployVerticle(gateway).toCompletionStage().toCompletableFuture().get();
    return gateway.port();
  }

  private static int bare(Vertx vertx, int status, Buffer body) throws Exception {
    AtomicInteger port = new AtomicInteger();
    vertx
        .deployVerticle(
            () -> new Bare(status, body, port),
            new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors()))
        .toCompletionStage()
        .toCompletableFuture()
        .get();
    return port.get();
  }

  /** Sends one body to whoever asks, with the headers that the gateway sends. */
  private static final class Bare extends AbstractVerticle {
    private final int status;
    private final Buffer body;
    private final AtomicInteger port;

    Bare(int status, Buffer body, AtomicInteger port) {
      this.status = status;
      this.body = body;
      this.port = port;
    }

    @Override
    public void start(Promise<Void> started) {
      vertx
          // A negative port is one free port that all instances share, as the gateway's do.
          .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(-1))
          .requestHandler(this::answer)
          .listen()
          .onSuccess(server -> port.set(server.actualPort()))
          .<Void>mapEmpty()
          .onComplete(started);
    }

    private void answer(HttpServerRequest request) {
      request
          .response()
          .setStatusCode(status)
          .putHeader("content-type", "application/json")
          .putHeader("cache-control", "private, no-store")
          .putHeader("x-content-type-options", "nosniff")
          .putHeader("etag", "\"9WcFuyzfXSwdwbV7s2TNbJyy\"")
          .end(body);
    }
  }
}
