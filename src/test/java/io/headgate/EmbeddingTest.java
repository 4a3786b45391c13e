package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.graph.Call;
import io.headgate.graph.Execution;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.JobGraphBuilder.Built;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.NodeKind;
import io.headgate.kit.TestGateway;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A plain Vert.x application that deploys the gateway with a source of its own. */
class EmbeddingTest {
  private static final String GOLDEN =
      "{\"schemaVersion\":1,\"jobId\":\"7\",\"graphKind\":\"EXECUTION\",\"idScope\":\"JOB\","
          + "\"nodes\":[{\"id\":\"1\",\"kind\":\"SOURCE\",\"name\":\"in\",\"tablePaths\":[\"a.b\"],"
          + "\"datasetMetadata\":\"REPORTED\"},{\"id\":\"2\",\"kind\":\"SINK\",\"name\":\"out\","
          + "\"tablePaths\":[],\"datasetMetadata\":\"UNAVAILABLE\"}],\"edges\":[{\"pipelineId\":1,"
          + "\"sourceNodeId\":\"1\",\"targetNodeId\":\"2\"}],\"warnings\":[{\"code\":"
          + "\"DATASET_METADATA_UNAVAILABLE\",\"nodeId\":\"2\"}]}";

  private static Lookup graph(long jobId) {
    JobGraphBuilder builder = new JobGraphBuilder(jobId, GraphLimits.DEFAULT);
    builder.beginNode();
    builder.name("in");
    builder.path("a.b");
    builder.endNode(1, NodeKind.SOURCE);
    builder.beginNode();
    builder.name("out");
    builder.endNode(2, NodeKind.SINK);
    builder.beginEdge();
    builder.edge(1, 1, 2);
    Built.Checked built = (Built.Checked) builder.build();
    return new Lookup.Found(built.graph(), Execution.ofLocalTime("2026-11-30 09:41:54"), false);
  }

  @Test
  void L25_an_embedders_source_is_served_like_any_other() {
    JobGraphSource source =
        (jobId, deadline) -> Call.of(jobId == 7 ? graph(7) : new Lookup.NotFound());
    try (TestGateway gateway = TestGateway.embedding(source)) {
      assertThat(gateway.lineage(7).body()).isEqualTo(GOLDEN);
      assertThat(gateway.lineage(8).statusCode()).isEqualTo(404);
      assertThat(gateway.get("/health/ready").body())
          .isEqualTo("{\"status\":\"UP\",\"demo\":false,\"sources\":[]}");
    }
  }

  @Test
  void L21_a_source_that_fails_is_500_without_a_word_of_why() {
    JobGraphSource source =
        (jobId, deadline) -> {
          if (jobId == 1) {
            throw new IllegalStateException("s3cr3t");
          }
          return Call.of(CompletableFuture.failedStage(new IllegalStateException("s3cr3t")));
        };
    try (TestGateway gateway = TestGateway.embedding(source)) {
      for (long job = 1; job <= 2; job++) {
        HttpResponse<String> response = gateway.lineage(job);
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body())
            .isEqualTo(
                "{\"code\":\"LINEAGE_INTERNAL_ERROR\",\"message\":\"The lineage could not be"
                    + " produced.\"}");
      }
    }
  }

  @Test
  void L16_a_source_that_never_answers_costs_one_permit_visibly_and_never_two() {
    CompletableFuture<Lookup> never = new CompletableFuture<>();
    JobGraphSource source = (jobId, deadline) -> Call.of(jobId == 1 ? never : done(jobId));
    try (TestGateway gateway =
        TestGateway.embedding(source, "admission.deadline", "300ms", "admission.permits", "2")) {
      for (int i = 0; i < 5; i++) {
        assertThat(gateway.lineage(1).statusCode()).isEqualTo(503);
        assertThat(gateway.metric("headgate_permits_used{pool=\"lineage\"}")).isOne();
      }
      assertThat(gateway.lineage(2).statusCode()).isEqualTo(200);
      never.complete(graph(1));
      gateway.awaitNothingHeld(Duration.ofSeconds(2));
      assertThat(gateway.lineage(1).statusCode()).isEqualTo(200);
    }
  }

  private static CompletableFuture<Lookup> done(long jobId) {
    return CompletableFuture.completedFuture(graph(jobId));
  }

  @Test
  void redeployed_under_load_it_leaves_no_thread_permit_or_port_behind() throws Exception {
    Vertx vertx = Vertx.vertx();
    JobGraphSource source = (jobId, deadline) -> Call.of(done(jobId));
    HeadgateConfig config = TestGateway.config();
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    Set<Integer> ports = ConcurrentHashMap.newKeySet();
    AtomicBoolean stop = new AtomicBoolean();
    Set<String> wrong = ConcurrentHashMap.newKeySet();
    java.util.concurrent.atomic.AtomicInteger current =
        new java.util.concurrent.atomic.AtomicInteger();
    List<Thread> pollers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long job = i % 2 == 0 ? 7 : 100 + i;
      Thread poller = new Thread(() -> poll(client, current, job, stop, wrong));
      poller.start();
      pollers.add(poller);
    }
    try {
      deployAndUndeploy(vertx, config, source, ports, current);
      Set<String> before = threads();
      for (int round = 0; round < 6; round++) {
        deployAndUndeploy(vertx, config, source, ports, current);
      }
      await()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(
              () ->
                  assertThat(threads())
                      .noneMatch(name -> name.startsWith("headgate-"))
                      .hasSizeLessThanOrEqualTo(before.size() + 1));
    } finally {
      stop.set(true);
      for (Thread poller : pollers) {
        poller.join(10_000);
      }
    }
    assertThat(wrong).as("answers other than the golden bytes, 503 or none").isEmpty();
    for (int port : ports) {
      try (ServerSocket free =
          new ServerSocket(port, 1, java.net.InetAddress.getLoopbackAddress())) {
        assertThat(free.isBound()).isTrue();
      }
    }
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private static void deployAndUndeploy(
      Vertx vertx,
      HeadgateConfig config,
      JobGraphSource source,
      Set<Integer> ports,
      java.util.concurrent.atomic.AtomicInteger current)
      throws Exception {
    HeadgateVerticle gateway = new HeadgateVerticle(config, source);
    String id =
        vertx
            .deployVerticle(gateway)
            .toCompletionStage()
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS);
    ports.add(gateway.port());
    current.set(gateway.port());
    HttpClient probe = HttpClient.newHttpClient();
    await()
        .atMost(Duration.ofSeconds(5))
        .until(
            () ->
                probe
                    .send(
                        HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + gateway.port() + "/metrics"))
                            .build(),
                        HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .anyMatch(
                        line ->
                            line.startsWith("headgate_lineage_outcomes_total{reason=\"ok\"")
                                && !line.endsWith(" 0.0")));
    vertx.undeploy(id).toCompletionStage().toCompletableFuture().get(15, TimeUnit.SECONDS);
  }

  private static void poll(
      HttpClient client,
      java.util.concurrent.atomic.AtomicInteger port,
      long job,
      AtomicBoolean stop,
      Set<String> wrong) {
    String golden = GOLDEN.replace("\"jobId\":\"7\"", "\"jobId\":\"" + job + "\"");
    while (!stop.get()) {
      if (port.get() == 0) {
        Thread.onSpinWait();
        continue;
      }
      try {
        HttpResponse<String> response =
            client.send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port.get() + "/job-lineage/" + job))
                    .timeout(Duration.ofSeconds(10))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        boolean right = response.statusCode() == 200 && response.body().equals(golden);
        if (!right && response.statusCode() != 503) {
          wrong.add(response.statusCode() + " " + response.body());
        }
      } catch (IOException e) {
        Thread.onSpinWait(); // between two deployments nobody listens
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** All but those of clients, which this and earlier tests have for as long as they like. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> !name.startsWith("HttpClient-"))
        .collect(Collectors.toSet());
  }
}
