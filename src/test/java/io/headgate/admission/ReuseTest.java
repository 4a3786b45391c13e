package io.headgate.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A finished lookup serves whoever asks soon after; a flight outlives whoever began it. */
class ReuseTest {
  @Test
  void L18_an_answer_is_reused_within_freshness_and_looked_up_anew_after_it() {
    try (ScriptedEngine engine = new ScriptedEngine().job(7, ScriptedEngine.graphAfter(0));
        TestGateway gateway = TestGateway.before(engine, "admission.freshness", "2s")) {
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(200);
      assertThat(gateway.lineage(7).body()).isEqualTo(JobInfo.of(7).lineage());
      assertThat(engine.calls()).isEqualTo(1);

      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> gateway.lineage(7).statusCode() == 200 && engine.calls() > 1);
      assertThat(engine.calls()).isEqualTo(2);
    }
  }

  @Test
  void L18_freshness_zero_turns_reuse_off() {
    try (ScriptedEngine engine = new ScriptedEngine().job(7, ScriptedEngine.graphAfter(0));
        TestGateway gateway = TestGateway.before(engine, "admission.freshness", "0")) {
      for (int i = 0; i < 5; i++) {
        assertThat(gateway.lineage(7).statusCode()).isEqualTo(200);
      }
      assertThat(engine.calls()).isEqualTo(5);
    }
  }

  @Test
  void L18_404_is_reused_for_half_a_second_at_most_and_503_never() {
    try (ScriptedEngine engine =
            new ScriptedEngine()
                .job(8, ScriptedEngine.unknown())
                .job(9, ScriptedEngine.status(503));
        TestGateway gateway = TestGateway.before(engine, "admission.freshness", "60s")) {
      assertThat(gateway.lineage(8).statusCode()).isEqualTo(404);
      await()
          .atMost(Duration.ofSeconds(2))
          .until(() -> gateway.lineage(8).statusCode() == 404 && engine.calls() > 1);

      int before = engine.calls();
      assertThat(gateway.lineage(9).statusCode()).isEqualTo(503);
      assertThat(gateway.lineage(9).statusCode()).isEqualTo(503);
      assertThat(engine.calls()).isEqualTo(before + 2);
    }
  }

  @Test
  void L18_409_and_413_are_reused() {
    try (ScriptedEngine engine =
            new ScriptedEngine()
                .job(
                    5,
                    ScriptedEngine.body(
                        "{\"jobId\":\"5\",\"jobStatus\":\"RUNNING\",\"createTime\":\"2026-11-30 09:41:54\",\"jobDag\":\"null\"}"))
                .job(
                    6,
                    (request, id, vertx) ->
                        request.response().end(JobInfo.of(6).nodes(11).json()));
        TestGateway gateway =
            TestGateway.before(engine, "admission.freshness", "60s", "limits.nodes", "10")) {
      for (int i = 0; i < 3; i++) {
        assertThat(gateway.lineage(5).statusCode()).isEqualTo(409);
        assertThat(gateway.lineage(6).statusCode()).isEqualTo(413);
      }
      assertThat(engine.calls()).isEqualTo(2);
    }
  }

  @Test
  void L18_retained_bytes_are_bounded_and_the_least_recently_used_goes_first() {
    try (ScriptedEngine engine = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(0));
        TestGateway gateway =
            TestGateway.before(
                engine, "admission.freshness", "60s", "admission.retainedBytes", "4096")) {
      for (long job = 1; job <= 20; job++) {
        assertThat(gateway.lineage(job).statusCode()).isEqualTo(200);
      }
      assertThat(gateway.metric("headgate_recent_bytes")).isBetween(1.0, 4096.0);
      assertThat(gateway.metric("headgate_recent_evicted_total")).isPositive();
      int calls = engine.calls();
      gateway.lineage(20);
      assertThat(engine.calls()).as("the newest is kept").isEqualTo(calls);
      gateway.lineage(1);
      assertThat(engine.calls()).as("the oldest was let go").isEqualTo(calls + 1);
    }
  }

  @Test
  void L17_a_client_that_leaves_harms_no_other_and_its_result_is_reused() {
    try (ScriptedEngine engine = new ScriptedEngine().job(7, ScriptedEngine.graphAfter(600));
        TestGateway gateway = TestGateway.before(engine, "admission.freshness", "60s")) {
      CompletableFuture<HttpResponse<String>> follower;
      try (RawClient leader = new RawClient(gateway.port())) {
        leader.send("GET /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await().atMost(Duration.ofSeconds(2)).until(() -> engine.calls() == 1);
        follower = gateway.getAsync("/job-lineage/7");
        await()
            .atMost(Duration.ofSeconds(2))
            .until(() -> gateway.metric("headgate_flights_waiting") == 2);
      }
      assertThat(follower.join().statusCode()).isEqualTo(200);
      assertThat(follower.join().body()).isEqualTo(JobInfo.of(7).lineage());
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(200);
      assertThat(engine.calls()).isEqualTo(1);
      await()
          .atMost(Duration.ofSeconds(2))
          .until(() -> gateway.metric("headgate_clients_left_total") == 1);
    }
  }

  @Test
  void L17_a_flight_nobody_waits_for_any_more_still_runs_to_its_result() {
    try (ScriptedEngine engine = new ScriptedEngine().job(7, ScriptedEngine.graphAfter(500));
        TestGateway gateway = TestGateway.before(engine, "admission.freshness", "60s")) {
      try (RawClient leader = new RawClient(gateway.port())) {
        leader.send("GET /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await().atMost(Duration.ofSeconds(2)).until(() -> engine.calls() == 1);
      }
      await()
          .atMost(Duration.ofSeconds(3))
          .until(() -> gateway.metric("headgate_recent_answers") == 1);
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(200);
      assertThat(engine.calls()).isEqualTo(1);
    }
  }
}
