package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.kit.GatewayProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reporters of schema changes, each with some jobs of its own: transforms and sinks that report
 * decisions (T2), and engines that report events (T1). A reporter repeats a batch, at the next
 * gateway, until it is acknowledged. What was acknowledged is remembered. Closing it stops it.
 */
final class SchemaReports implements AutoCloseable {
  private static final int REPORTERS = 6;
  private static final int JOBS_EACH = 2;
  private static final int CHANGES_A_BATCH = 10;
  private static final int EVENTS_A_CHANGE = 4;
  private static final int ENGINE_EVENTS_A_BATCH = 20;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Gateways look at their maps every second. */
  private static final Duration MEASURED = Duration.ofMillis(1_500);

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper TREES = new ObjectMapper();

  private final List<GatewayProcess> gateways;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger next = new AtomicInteger();

  /** Ids of a job's changes, in the order in which they were acknowledged. */
  private final Map<Long, List<String>> ids = new ConcurrentHashMap<>();

  /** How many events of an engine were acknowledged, by job. */
  private final Map<Long, Integer> ofEngines = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /**
   * Begins.
   *
   * @param events how many are to be acknowledged in all, at least
   */
  SchemaReports(List<GatewayProcess> gateways, int events) {
    this.gateways = List.copyOf(gateways);
    int batches = events / (REPORTERS * JOBS_EACH * CHANGES_A_BATCH * EVENTS_A_CHANGE) + 1;
    List<List<Long>> jobs = new ArrayList<>();
    for (int i = 0; i < REPORTERS; i++) {
      jobs.add(IntStream.range(0, JOBS_EACH).mapToObj(each -> Workload.freshId()).toList());
      reportDecisions(jobs.get(i), 1);
    }
    long ofEngine = Workload.freshId();
    reportEvents(ofEngine, 1);
    awaitCopies();
    jobs.forEach(some -> running.add(threads.submit(() -> reportDecisions(some, batches - 1))));
    running.add(threads.submit(() -> reportEvents(ofEngine, batches - 1)));
  }

  /**
   * Waits until all timelines have copies. After a member came, parts of the map move for a while,
   * and what is written then may get its copy later.
   */
  private void awaitCopies() {
    await("copies")
        .atMost(PATIENCE)
        .pollDelay(MEASURED)
        .pollInterval(PAUSE)
        .untilAsserted(
            () ->
                assertThat(sum("headgate_map_copies_entries"))
                    .isPositive()
                    .isEqualTo(sum("headgate_map_entries")));
  }

  private double sum(String metric) {
    return gateways.stream()
        .mapToDouble(member -> member.metric(metric, "map=\"timelines\""))
        .sum();
  }

  private void reportDecisions(List<Long> jobs, int batches) {
    for (int batch = 0; batch < batches && !closed; batch++) {
      for (long job : jobs) {
        List<String> known = ids.computeIfAbsent(job, id -> new ArrayList<>());
        JsonNode results = post("/schema-evolution/events", decisions(job, known.size()));
        if (results != null) {
          take(results.get("results"), known);
        }
      }
    }
  }

  /** A change's key is the name of its table, so that a record shows for which key it is. */
  static String table(long job, int change) {
    return "shop.t" + job + "_" + change;
  }

  private static String decisions(long job, int from) {
    return IntStream.range(from, from + CHANGES_A_BATCH)
        .mapToObj(
            change -> {
              String of =
                  "{\"jobId\":%d,\"observationKey\":\"%2$s\",\"sourceTable\":\"%2$s\","
                      .formatted(job, table(job, change));
              String target = of + "\"target\":{\"table\":\"dw\"},\"stage\":";
              return of
                  + "\"stage\":\"OBSERVED\"},"
                  + target
                  + "\"TARGET_RESOLVED\",\"targetCount\":1},"
                  + target
                  + "\"APPLY_STARTED\"},"
                  + target
                  + "\"COMPLETED\",\"outcome\":\"APPLIED\"}";
            })
        .collect(Collectors.joining(",", "[", "]"));
  }

  private void take(JsonNode results, List<String> known) {
    assertThat(results).hasSize(CHANGES_A_BATCH * EVENTS_A_CHANGE);
    for (int i = 0; i < results.size(); i += EVENTS_A_CHANGE) {
      Set<String> named = new HashSet<>();
      for (int event = i; event < i + EVENTS_A_CHANGE; event++) {
        assertThat(results.get(event).get("fault").isNull()).as("%s", results).isTrue();
        named.add(results.get(event).get("schemaChangeId").asText());
      }
      assertThat(named).as("all events of one change").hasSize(1);
      known.addAll(named);
      acknowledged.addAndGet(EVENTS_A_CHANGE);
    }
  }

  private void reportEvents(long job, int batches) {
    for (int batch = 0; batch < batches && !closed; batch++) {
      int from = ofEngines.getOrDefault(job, 0);
      String events =
          IntStream.range(from, from + ENGINE_EVENTS_A_BATCH)
              .mapToObj(
                  i ->
                      ("{\"jobId\":\"%d\",\"createdTime\":%d,\"tablePath\":{\"tableName\":\"t%d\"},"
                              + "\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\"}")
                          .formatted(job, 1_796_032_800_000L + i, i))
              .collect(Collectors.joining(",", "[", "]"));
      if (post("/event/report", events) != null) {
        ofEngines.put(job, from + ENGINE_EVENTS_A_BATCH);
        acknowledged.addAndGet(ENGINE_EVENTS_A_BATCH);
      }
    }
  }

  /** Posts until it is acknowledged, and gives the answer; null if it was closed before. */
  private @Nullable JsonNode post(String path, String body) {
    JsonNode[] answer = {null};
    await("acknowledged: " + path)
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(PAUSE)
        .until(() -> closed || (answer[0] = postOnce(path, body)) != null);
    return answer[0];
  }

  private @Nullable JsonNode postOnce(String path, String body) {
    GatewayProcess gateway = gateways.get(next.getAndIncrement() % gateways.size());
    try {
      return acknowledgement(
          gateway.send(
              HttpRequest.newBuilder(gateway.uri(path))
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(body))));
    } catch (UncheckedIOException e) {
      return null; // it was killed
    }
  }

  private static @Nullable JsonNode acknowledgement(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isIn(200, 503);
    return response.statusCode() == 200 ? tree(response) : null;
  }

  private static JsonNode tree(HttpResponse<String> response) {
    try {
      return TREES.readTree(response.body().isEmpty() ? "{}" : response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many events were acknowledged. */
  int acknowledged() {
    return acknowledged.get();
  }

  /** Waits until so many were acknowledged. */
  void awaitAcknowledged(int events) {
    await(events + " events")
        .atMost(PATIENCE)
        .pollInterval(PAUSE)
        .failFast("a reporter failed", () -> running.stream().anyMatch(SchemaReports::failed))
        .until(() -> acknowledged.get() >= events);
  }

  private static boolean failed(Future<?> reporter) {
    if (!reporter.isDone()) {
      return false;
    }
    try {
      reporter.get();
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until every reporter has reported everything. */
  void awaitAll() {
    await("all reported")
        .atMost(PATIENCE)
        .pollInterval(PAUSE)
        .until(() -> running.stream().allMatch(Future::isDone));
    running.forEach(SchemaReports::failed);
  }

  /**
   * Stops, and fails if one of these gateways lacks anything that was acknowledged, has it twice,
   * or has used a sequence twice.
   */
  void assertNothingLost(List<GatewayProcess> survivors) {
    close();
    running.forEach(SchemaReports::failed);
    int turn = 0;
    for (Map.Entry<Long, List<String>> each : ids.entrySet()) {
      long job = each.getKey();
      List<String> known = each.getValue();
      JsonNode page = page(survivors.get(turn++ % survivors.size()), job);
      assertWhole(page, known.size());
      for (int i = 0; i < known.size(); i++) {
        JsonNode record = page.get("records").get(known.size() - 1 - i);
        assertThat(record.get("schemaChangeId").asText()).isEqualTo(known.get(i));
        assertThat(record.get("sourceTable").asText()).isEqualTo(table(job, i));
        assertThat(record.get("state").asText()).isEqualTo("TERMINAL");
        assertThat(record.get("outcome").asText()).isEqualTo("APPLIED");
        assertThat(record.get("decisions")).as("%s", record).hasSize(EVENTS_A_CHANGE);
      }
    }
    for (Map.Entry<Long, Integer> each : ofEngines.entrySet()) {
      JsonNode page = page(survivors.get(turn++ % survivors.size()), each.getKey());
      assertWhole(page, each.getValue());
    }
  }

  private static void assertWhole(JsonNode page, int records) {
    long above = Long.MAX_VALUE;
    for (JsonNode record : page.get("records")) {
      long sequence = record.get("sequence").asLong();
      assertThat(sequence).isBetween(1L, above - 1);
      above = sequence;
    }
    assertThat(page.get("records")).hasSize(records);
    assertThat(page.get("evictedRecords").asInt()).isZero();
    assertThat(page.get("droppedEvents").asInt()).isZero();
  }

  /** The timeline of a job. */
  static JsonNode page(GatewayProcess gateway, long job) {
    JsonNode[] page = {null};
    await("timeline of " + job + " at " + gateway)
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(PAUSE)
        .untilAsserted(
            () -> {
              var answer = gateway.get("/job-info/" + job + "/schema-evolution?limit=500");
              assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
              page[0] = tree(answer);
            });
    return page[0];
  }

  @Override
  public void close() {
    closed = true;
    threads.shutdown();
    try {
      assertThat(threads.awaitTermination(90, TimeUnit.SECONDS)).as("reporting ended").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
