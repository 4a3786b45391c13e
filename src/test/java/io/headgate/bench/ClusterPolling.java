package io.headgate.bench;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import io.headgate.kit.JobInfo;
import io.headgate.kit.ScriptedEngine;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Many clients that poll one job at three gateways of one cluster, and how many reads of it reach
 * the engine (P6).
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=polling
 * }</pre>
 */
public final class ClusterPolling {
  private static final Duration FRESHNESS = Duration.ofSeconds(1);
  private static final int GATEWAYS = 3;

  private ClusterPolling() {}

  /**
   * What came of a run.
   *
   * @param answersPerSecond answers with 200, from all gateways
   * @param strange other answers and lost connections
   * @param readsPerSecond reads that the engine saw
   * @param p50 median latency of the slowest gateway, in ms
   * @param p99 likewise
   */
  public record Report(
      double answersPerSecond, long strange, double readsPerSecond, double p50, double p99) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.0f answers/s, p50 %.2f ms, p99 %.2f ms, %d other; %.2f reads/s of the engine",
          answersPerSecond,
          p50,
          p99,
          strange,
          readsPerSecond);
    }
  }

  public static void main(String[] args) throws Exception {
    System.out.println(run(1_000, 60));
    System.out.printf(Locale.ROOT, "allowed: %.2f reads/s%n", mostReads(FRESHNESS));
  }

  /** The reads a second that three gateways may cause. */
  public static double mostReads(Duration freshness) {
    return GATEWAYS * (1_000.0 / freshness.toMillis() + 1);
  }

  /** So many clients, each once a second, at a cluster of their own. */
  static Report run(int clients, int seconds) throws Exception {
    try (ScriptedEngine engine = new ScriptedEngine();
        GatewayCluster cluster =
            GatewayCluster.start(
                List.of("-Xmx512m"),
                "source.zeta.members",
                engine.uri().toString(),
                "admission.freshness",
                FRESHNESS.toMillis() + "ms")) {
      run(cluster, engine, 1, clients, clients, 10); // warm-up
      return run(cluster, engine, 1, clients, clients, seconds);
    }
  }

  /**
   * @param clients keep-alive connections in all
   * @param perSecond requests in all
   */
  public static Report run(
      GatewayCluster cluster,
      ScriptedEngine engine,
      long job,
      int clients,
      int perSecond,
      int seconds)
      throws Exception {
    engine.job(job, ScriptedEngine.body(JobInfo.of(job).json()));
    int before = engine.calls();
    List<PollingClient.Result> results = poll(cluster, job, clients, perSecond, seconds);
    int reads = engine.calls() - before;
    double answers = results.stream().mapToDouble(r -> r.rate(200)).sum();
    long strange =
        results.stream()
            .mapToLong(
                r ->
                    r.broken()
                        + r.nanosByStatus().values().stream().mapToLong(n -> n.length).sum()
                        - r.count(200))
            .sum();
    return new Report(
        answers, strange, (double) reads / seconds, slowest(results, 0.5), slowest(results, 0.99));
  }

  private static double slowest(List<PollingClient.Result> results, double quantile) {
    return results.stream().mapToDouble(r -> r.millis(200, quantile)).max().orElse(Double.NaN);
  }

  private static List<PollingClient.Result> poll(
      GatewayCluster cluster, long job, int clients, int perSecond, int seconds) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    ExecutorService threads = Executors.newFixedThreadPool(GATEWAYS);
    try {
      List<Future<PollingClient.Result>> running = new ArrayList<>();
      for (GatewayProcess gateway : cluster.members()) {
        PollingClient client = new PollingClient(vertx, gateway.port(), n -> "/job-lineage/" + job);
        running.add(
            threads.submit(
                () -> client.openLoop(clients / GATEWAYS, seconds, (double) perSecond / GATEWAYS)));
      }
      List<PollingClient.Result> results = new ArrayList<>();
      for (Future<PollingClient.Result> each : running) {
        results.add(each.get(seconds + 90L, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      threads.shutdown();
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }
}
