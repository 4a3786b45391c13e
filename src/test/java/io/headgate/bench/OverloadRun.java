package io.headgate.bench;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What is left of a gateway's work when it is asked for more than it can do (L20, E-L4): first its
 * peak, with as many clients as permits, then an open loop at the peak and at three and ten times
 * as much, every request for another job. The gateway runs in a process of its own with a heap of
 * 512 MB.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=overload
 * }</pre>
 */
public final class OverloadRun {
  /** What came of it; rates are answers a second, CPU is the server's. */
  public record Report(
      double peak,
      double answerMicros,
      double goodputAt3,
      double goodputAt10,
      long strangeAnswers,
      long brokenConnections,
      double controlP99Before,
      double controlP99At10,
      double refusedP99Millis,
      double refusalMicros,
      boolean nothingHeld) {}

  private static final int PERMITS = 4;
  private static final int CONNECTIONS = 512;

  private OverloadRun() {}

  public static void main(String[] args) throws Exception {
    System.out.println(run(10, 30));
  }

  /**
   * @param warmSeconds how long the peak is measured, after as long a warm-up
   * @param seconds how long each overload lasts
   */
  public static Report run(int warmSeconds, int seconds) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    long[] next = {1};
    try (EdgeComparison.Server server = new EdgeComparison.Server("slow", "500", "10")) {
      closed(vertx, server, next, warmSeconds);
      double cpuBefore = server.cpuSeconds();
      PollingClient.Result peak = closed(vertx, server, next, warmSeconds);
      double answerMicros = (server.cpuSeconds() - cpuBefore) * 1e6 / peak.count(200);
      print("peak, closed loop", peak, answerMicros);

      PollingClient.Result calm = control(server, seconds).join();
      print("control, calm", calm, Double.NaN);
      PollingClient.Result one = open(vertx, server, next, seconds, peak.rate(200));
      print("1 x", one, Double.NaN);
      PollingClient.Result three = open(vertx, server, next, seconds, 3 * peak.rate(200));
      print("3 x", three, Double.NaN);
      cpuBefore = server.cpuSeconds();
      CompletableFuture<PollingClient.Result> control = control(server, seconds);
      PollingClient.Result ten = open(vertx, server, next, seconds, 10 * peak.rate(200));
      double cpu = (server.cpuSeconds() - cpuBefore) * 1e6;
      // All of it laid on the refusals: an upper bound that needs no guess about the rest.
      double refusalMicros = cpu / ten.count(503);
      print("10 x", ten, refusalMicros);
      print("control, at 10 x", control.join(), Double.NaN);

      long strange = 0;
      for (PollingClient.Result result : new PollingClient.Result[] {peak, one, three, ten}) {
        for (var answers : result.nanosByStatus().entrySet()) {
          if (answers.getKey() != 200 && answers.getKey() != 503) {
            strange += answers.getValue().length;
          }
        }
      }
      String metrics = metrics(server.port);
      boolean nothingHeld =
          metrics.contains("headgate_permits_used{pool=\"lineage\"} 0.0\n")
              && metrics.contains("headgate_flights 0.0\n")
              && metrics.contains("headgate_unwritten_bytes 0.0\n");
      return new Report(
          peak.rate(200),
          answerMicros,
          three.rate(200) / peak.rate(200),
          ten.rate(200) / peak.rate(200),
          strange,
          peak.broken() + one.broken() + three.broken() + ten.broken(),
          calm.millis(200, 0.99),
          control.join().millis(200, 0.99),
          ten.millis(503, 0.99),
          refusalMicros,
          nothingHeld);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }

  /** Eight clients that ask for one job twenty times a second each, beside everything else. */
  private static CompletableFuture<PollingClient.Result> control(
      EdgeComparison.Server server, int seconds) {
    return CompletableFuture.supplyAsync(
        () -> {
          Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
          try {
            return new PollingClient(vertx, server.port, n -> "/job-lineage/9000000000")
                .openLoop(8, seconds, 160);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          } finally {
            vertx.close();
          }
        });
  }

  private static PollingClient.Result closed(
      Vertx vertx, EdgeComparison.Server server, long[] next, int seconds) throws Exception {
    return new PollingClient(vertx, server.port, n -> "/job-lineage/" + next[0]++)
        .closedLoop(PERMITS, seconds);
  }

  private static PollingClient.Result open(
      Vertx vertx, EdgeComparison.Server server, long[] next, int seconds, double perSecond)
      throws Exception {
    return new PollingClient(vertx, server.port, n -> "/job-lineage/" + next[0]++)
        .openLoop(CONNECTIONS, seconds, perSecond);
  }

  private static void print(String what, PollingClient.Result result, double micros) {
    System.out.printf(
        Locale.ROOT,
        "%-18s 200: %6.0f/s p50 %5.1f p99 %5.1f ms | 503: %6.0f/s p50 %5.2f p99 %5.2f ms | not"
            + " sent %d, broken %d | %.0f us CPU%n",
        what,
        result.rate(200),
        result.millis(200, 0.5),
        result.millis(200, 0.99),
        result.rate(503),
        result.millis(503, 0.5),
        result.millis(503, 0.99),
        result.notSent(),
        result.broken(),
        micros);
  }

  private static String metrics(int port) throws Exception {
    return java.net.http.HttpClient.newHttpClient()
        .send(
            java.net.http.HttpRequest.newBuilder(
                    java.net.URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build(),
            java.net.http.HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
