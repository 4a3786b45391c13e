package io.headgate.bench;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Questions for timelines in a cluster of three, of jobs that have as many records as are kept,
 * each with two targets that were applied: how long 100 records take, and 500.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=timeline
 * }</pre>
 */
public final class TimelineRun {
  private static final int JOBS = 50;
  private static final int RECORDS = 500;
  private static final int RECORDS_A_BATCH = 100;
  private static final int CLIENTS = 4;
  private static final int SECONDS = 15;

  private TimelineRun() {}

  public static void main(String[] args) throws Exception {
    try (GatewayCluster cluster =
        GatewayCluster.start(
            List.of("-Xmx700m", "-XX:+UseSerialGC"), "timeline.queryPermits", "16")) {
      GatewayProcess gateway = cluster.member(0);
      for (int job = 1; job <= JOBS; job++) {
        for (int from = 1; from <= RECORDS; from += RECORDS_A_BATCH) {
          report(gateway, job, from);
        }
      }
      System.out.printf(
          Locale.ROOT,
          "a page of 100 has %,d bytes, one of 500 %,d%n",
          gateway.get(path(1, 100)).body().length(),
          gateway.get(path(1, 500)).body().length());
      measure("warm-up", gateway, 100, CLIENTS);
      measure("100 records, 1 client", gateway, 100, 1);
      measure("100 records, 4 clients", gateway, 100, CLIENTS);
      measure("500 records, 1 client", gateway, 500, 1);
    }
  }

  private static String path(int job, int limit) {
    return "/job-info/" + job + "/schema-evolution?limit=" + limit;
  }

  private static void report(GatewayProcess gateway, int job, int from) {
    List<String> events = new ArrayList<>();
    IntStream.range(from, from + RECORDS_A_BATCH).forEach(i -> add(job, i, events));
    var answer =
        gateway.send(
            HttpRequest.newBuilder(gateway.uri("/schema-evolution/events"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("[" + String.join(",", events) + "]")));
    if (answer.statusCode() != 200 || answer.body().contains("fault\":\"")) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
  }

  private static void add(int job, int record, List<String> events) {
    String of =
        "{\"jobId\":%d,\"observationKey\":\"%d\",\"at\":%d,\"sourceTable\":\"shop.orders_%d\","
            .formatted(job, record, 1_796_032_800_000L + record, record % 20);
    events.add(of + "\"stage\":\"OBSERVED\",\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\"}");
    for (String target : List.of("lake.orders", "warehouse.orders")) {
      String at = of + "\"target\":{\"table\":\"" + target + "\",\"sink\":\"Jdbc\"},";
      events.add(at + "\"stage\":\"TARGET_RESOLVED\",\"targetCount\":2}");
      events.add(
          at
              + "\"stage\":\"COMPLETED\",\"outcome\":\"APPLIED\",\"reasonCode\":\"APPLY_SUCCEEDED\"}");
    }
  }

  private static void measure(String what, GatewayProcess gateway, int limit, int clients)
      throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      PollingClient.Result result =
          new PollingClient(
                  vertx,
                  gateway.port(),
                  n -> path(ThreadLocalRandom.current().nextInt(1, JOBS + 1), limit))
              .closedLoop(clients, SECONDS);
      System.out.printf(
          Locale.ROOT,
          "%-24s %7.0f/s  p50 %6.2f  p99 %6.2f ms  (%d others)%n",
          what,
          result.rate(200),
          result.millis(200, 0.5),
          result.millis(200, 0.99),
          result.nanosByStatus().values().stream().mapToLong(n -> n.length).sum()
              - result.count(200));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }
}
