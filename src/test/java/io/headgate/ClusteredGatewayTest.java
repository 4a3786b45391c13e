package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.headgate.directory.JobGraphPublisher;
import io.headgate.graph.Call;
import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import io.headgate.kit.FreePorts;
import io.headgate.kit.JobInfo;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.TestGateway;
import io.headgate.state.ClusterStartException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whole gateways that are members of one cluster. */
class ClusteredGatewayTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Execution MORNING = Execution.ofLocalTime("2026-11-30 07:00:00");
  private static final Execution NOON = Execution.ofLocalTime("2026-11-30 12:00:00");
  private static final JobGraphSource NOTHING = (jobId, deadline) -> Call.of(new Lookup.NotFound());

  private final List<Integer> ports = FreePorts.pick(2);

  /** The settings of a member of this test's cluster. */
  private String[] member(int index, int minimum) {
    return new String[] {
      "hazelcast.enabled",
      "true",
      "hazelcast.clusterName",
      "test-" + ports.get(0),
      "hazelcast.port",
      Integer.toString(ports.get(index)),
      "hazelcast.members",
      "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1),
      "hazelcast.minimumMembers",
      Integer.toString(minimum),
      "source.directory.enabled",
      "true",
      "admission.freshness",
      "0"
    };
  }

  private static JobGraph graph(long jobId, long in, long out) {
    return ReportedGraph.of(jobId)
        .with(new ReportedGraph.Node(in, NodeKind.SOURCE, "in", List.of("a.b")))
        .with(new ReportedGraph.Node(out, NodeKind.SINK, "out", List.of("c.d")))
        .withEdge(1, in, out)
        .checked();
  }

  /** An engine that numbers the nodes of every job anew whenever it is asked. */
  private static JobGraphSource engine(Execution execution) {
    AtomicLong last = new AtomicLong();
    return (jobId, deadline) -> {
      long id = last.addAndGet(2);
      return Call.of(new Lookup.Found(graph(jobId, id + 1, id), execution, false));
    };
  }

  @Test
  void L22b_one_job_has_one_entity_tag_through_all_gateways() {
    try (TestGateway one = TestGateway.embedding(engine(NOON), member(0, 1));
        TestGateway other = TestGateway.embedding(engine(NOON), member(1, 1))) {
      // The fence is given 200 ms, which a busy machine may miss; then another job has to show it.
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                long job = System.nanoTime();
                double alone = alone(one, other);
                var first = one.getAsync("/job-lineage/" + job);
                var second = other.getAsync("/job-lineage/" + job);
                Set<String> tags = new HashSet<>();
                tags.add(first.get().headers().firstValue("ETag").orElseThrow());
                tags.add(second.get().headers().firstValue("ETag").orElseThrow());
                for (int i = 0; i < 5; i++) {
                  tags.add(one.lineage(job).headers().firstValue("ETag").orElseThrow());
                  tags.add(other.lineage(job).headers().firstValue("ETag").orElseThrow());
                }
                boolean judged = alone == alone(one, other);
                if (judged) {
                  assertThat(tags).hasSize(1);
                }
                return judged;
              });
    }
  }

  @Test
  void a_published_job_is_listed_by_a_gateway_that_reads_after_it() {
    JobInfo job = JobInfo.of(77);
    try (TestGateway one = TestGateway.recorded(member(0, 1))) {
      assertThat(one.put("/jobs/77/graph", PublicationBody.of(job).json()).statusCode())
          .isEqualTo(200);
      try (TestGateway other = TestGateway.recorded(member(1, 1))) {
        await().atMost(PATIENCE).until(() -> other.get("/jobs").statusCode() == 200);
        assertThat(other.get("/jobs").body())
            .contains("\"complete\":true,\"jobs\":[{\"jobId\":\"77\",\"name\":null,")
            .contains("\"state\":\"RUNNING\"", "\"finishTime\":null,\"source\":\"DIRECTORY\"}]");
      }
    }
  }

  private static double alone(TestGateway one, TestGateway other) {
    return one.metric("headgate_fence_alone_total") + other.metric("headgate_fence_alone_total");
  }

  @Test
  void L22a_what_one_gateway_has_served_the_others_do_not_take_back() {
    try (TestGateway one = TestGateway.embedding(engine(NOON), member(0, 1));
        TestGateway other = TestGateway.embedding(engine(MORNING), member(1, 1))) {
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                long job = System.nanoTime();
                double alone = alone(one, other);
                assertThat(one.lineage(job).statusCode()).isEqualTo(200);
                int status = other.lineage(job).statusCode();
                boolean judged = alone == alone(one, other);
                if (judged) {
                  assertThat(status).isEqualTo(503);
                }
                return judged;
              });
      assertThat(other.metric("headgate_fence_refused_total")).isPositive();
    }
  }

  @Test
  void what_a_service_publishes_at_one_gateway_another_serves() throws Exception {
    Vertx vertx = Vertx.vertx();
    HeadgateVerticle publishing = new HeadgateVerticle(TestGateway.config(member(0, 1)), NOTHING);
    assertThatThrownBy(publishing::publisher).isInstanceOf(IllegalStateException.class);
    try {
      deploy(vertx, publishing);
      try (TestGateway other = TestGateway.embedding(NOTHING, member(1, 1))) {
        JobGraphPublisher publisher = publishing.publisher();
        publisher.started(42, 1, Instant.now());
        assertThat(publisher.graph(42, 1, graph(42, 1, 2)).toCompletableFuture().get())
            .isEqualTo(JobGraphPublisher.Outcome.PUBLISHED);
        assertThat(other.lineage(42).body()).isEqualTo(ReportedGraph.json(graph(42, 1, 2)));
        await()
            .atMost(PATIENCE)
            .until(() -> other.metric("headgate_map_entries{map=\"directory\"}") >= 0);
      }
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
  }

  private static String deploy(Vertx vertx, HeadgateVerticle gateway) throws Exception {
    return vertx
        .deployVerticle(gateway)
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
  }

  @Test
  void readiness_tells_of_the_cluster() {
    try (TestGateway one = TestGateway.embedding(NOTHING, member(0, 2))) {
      assertThat(one.get("/health/ready").statusCode())
          .as("or the second never starts")
          .isEqualTo(200);
      assertThat(one.get("/health/ready").body())
          .isEqualTo(
              "{\"status\":\"UP\",\"demo\":false,\"sources\":[],"
                  + "\"cluster\":{\"members\":1,\"minimum\":2,\"joined\":true}}");
      try (TestGateway other = TestGateway.embedding(NOTHING, member(1, 2))) {
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    one.get("/health/ready")
                        .body()
                        .endsWith("\"cluster\":{\"members\":2,\"minimum\":2,\"joined\":true}}"));
        assertThat(other.metric("headgate_cluster_members")).isEqualTo(2);
        assertThat(other.metric("headgate_cluster_joined")).isEqualTo(1);
      }
    }
  }

  @Test
  void L22a_below_the_minimum_of_members_lookups_are_503() {
    try (TestGateway one = TestGateway.embedding(engine(NOON), member(0, 2))) {
      assertThat(one.lineage(1).statusCode()).isEqualTo(503);
      assertThat(
              one.metric(
                  "headgate_lineage_outcomes_total{reason=\"cluster-too-small\",status=\"503\"}"))
          .isEqualTo(1);
      try (TestGateway other = TestGateway.embedding(engine(NOON), member(1, 2))) {
        await().atMost(PATIENCE).until(() -> one.lineage(1).statusCode() == 200);
        await().atMost(PATIENCE).until(() -> other.lineage(1).statusCode() == 200);
      }
      await().atMost(PATIENCE).until(() -> one.lineage(1).statusCode() == 503);
    }
  }

  @Test
  void a_member_port_that_is_taken_fails_the_deployment_and_leaves_nothing_behind()
      throws Exception {
    Set<String> before = threads();
    try (ServerSocket taken = new ServerSocket(ports.get(0), 1, InetAddress.getLoopbackAddress())) {
      Vertx vertx = Vertx.vertx();
      HeadgateVerticle gateway = new HeadgateVerticle(TestGateway.config(member(0, 1)), NOTHING);
      assertThatThrownBy(() -> deploy(vertx, gateway))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(ClusterStartException.class)
          .hasMessageContaining(
              "hazelcast.port: " + taken.getLocalPort() + " can't be bound (is it taken?)");
      vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
    assertNothingIsLeft(before);
  }

  @Test
  void an_http_port_that_is_taken_does_not_wait_for_a_cluster_that_hangs() throws Exception {
    Set<String> before = threads();
    // Takes connections of members and never says a word.
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket mute = new ServerSocket(ports.get(1), 50, InetAddress.getLoopbackAddress())) {
      Vertx vertx = Vertx.vertx();
      HeadgateConfig config = TestGateway.config(member(0, 1));
      HeadgateVerticle gateway =
          new HeadgateVerticle(
              config.withHttp(config.http().withPort(taken.getLocalPort())), NOTHING);
      assertThat(mute.isBound()).isTrue();
      assertThatThrownBy(() -> deploy(vertx, gateway)).hasRootCauseInstanceOf(BindException.class);
      vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
    assertNothingIsLeft(before);
  }

  @Test
  void undeployed_it_has_left_the_cluster_and_leaves_nothing_behind() throws Exception {
    Set<String> before = threads();
    try (TestGateway stays = TestGateway.embedding(NOTHING, member(0, 1))) {
      Vertx vertx = Vertx.vertx();
      for (int round = 0; round < 2; round++) {
        HeadgateVerticle gateway = new HeadgateVerticle(TestGateway.config(member(1, 1)), NOTHING);
        String id = deploy(vertx, gateway);
        await().atMost(PATIENCE).until(() -> stays.metric("headgate_cluster_members") == 2);
        vertx.undeploy(id).toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        await().atMost(PATIENCE).until(() -> stays.metric("headgate_cluster_members") == 1);
        try (ServerSocket free =
            new ServerSocket(ports.get(1), 1, InetAddress.getLoopbackAddress())) {
          assertThat(free.isBound()).isTrue();
        }
      }
      vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
    assertNothingIsLeft(before);
  }

  private static void assertNothingIsLeft(Set<String> before) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              Set<String> left = threads();
              left.removeAll(before);
              assertThat(left).noneMatch(name -> name.matches("(headgate-|hz\\.).*"));
            });
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .collect(Collectors.toCollection(HashSet::new));
  }

  @Test
  void without_a_directory_nothing_can_be_published() throws IOException {
    try (TestGateway gateway = TestGateway.embedding(NOTHING)) {
      assertThat(gateway.get("/health/ready").body()).doesNotContain("cluster");
      assertThat(gateway.metric("headgate_cluster_members")).isNaN();
    }
  }
}
