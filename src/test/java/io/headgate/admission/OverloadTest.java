package io.headgate.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.JobInfo;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** More requests than there are permits, for many jobs and for one. */
class OverloadTest {
  private record Timed(HttpResponse<String> response, Duration took) {}

  private static List<Timed> askAtOnce(TestGateway gateway, List<Long> jobs) {
    List<CompletableFuture<Timed>> asked = new ArrayList<>();
    for (long job : jobs) {
      long began = System.nanoTime();
      asked.add(
          gateway
              .getAsync("/job-lineage/" + job)
              .thenApply(r -> new Timed(r, Duration.ofNanos(System.nanoTime() - began))));
    }
    return asked.stream().map(CompletableFuture::join).toList();
  }

  @Test
  void L15_of_40_slow_jobs_at_once_4_are_answered_and_36_refused_without_waiting() {
    try (ScriptedEngine engine = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(1200));
        TestGateway gateway = TestGateway.before(engine)) {
      gateway.lineage(1_000_000); // connections and classes are warm
      List<Long> jobs = new ArrayList<>();
      for (long job = 1; job <= 40; job++) {
        jobs.add(job);
      }

      List<Timed> answers = askAtOnce(gateway, jobs);

      List<Timed> served = answers.stream().filter(t -> t.response.statusCode() == 200).toList();
      List<Timed> refused = answers.stream().filter(t -> t.response.statusCode() == 503).toList();
      assertThat(served).hasSize(4);
      assertThat(refused).hasSize(36);
      assertThat(refused)
          .allSatisfy(t -> assertThat(t.took()).isLessThan(Duration.ofMillis(600)))
          .allSatisfy(
              t -> {
                assertThat(t.response.body())
                    .isEqualTo(
                        "{\"code\":\"LINEAGE_TEMPORARILY_UNAVAILABLE\",\"message\":\"The lineage"
                            + " can't be given now. Try again later.\"}");
                assertThat(t.response.headers().firstValue("Retry-After").orElseThrow())
                    .matches("[123]");
              });
      assertThat(engine.mostOpen()).isEqualTo(4);
      assertThat(gateway.metric("headgate_permits_refused_total{pool=\"lineage\"}")).isEqualTo(36);
    }
  }

  @Test
  void L17_200_pollers_of_one_job_cost_one_upstream_call_and_get_the_same_bytes() {
    try (ScriptedEngine engine = new ScriptedEngine().job(7, ScriptedEngine.graphAfter(500));
        TestGateway gateway = TestGateway.before(engine)) {
      List<Long> jobs = java.util.Collections.nCopies(200, 7L);

      List<Timed> answers = askAtOnce(gateway, jobs);

      assertThat(answers).allSatisfy(t -> assertThat(t.response.statusCode()).isEqualTo(200));
      assertThat(answers.stream().map(t -> t.response.body()).distinct())
          .containsExactly(JobInfo.of(7).lineage());
      assertThat(engine.calls()).isEqualTo(1);
      assertThat(gateway.metric("headgate_permits_granted_total{pool=\"lineage\"}")).isEqualTo(1);
    }
  }

  @Test
  void L17_waiters_of_one_flight_are_bounded() {
    try (ScriptedEngine engine = new ScriptedEngine().job(7, ScriptedEngine.graphAfter(700));
        TestGateway gateway = TestGateway.before(engine, "admission.maxWaiters", "10")) {
      List<Timed> answers = askAtOnce(gateway, java.util.Collections.nCopies(30, 7L));

      assertThat(answers.stream().filter(t -> t.response.statusCode() == 200)).hasSize(10);
      assertThat(answers.stream().filter(t -> t.response.statusCode() == 503)).hasSize(20);
      assertThat(gateway.metric("headgate_flights_crowded_total")).isEqualTo(20);
    }
  }

  @Test
  void L16_hanging_jobs_hold_their_permits_until_they_are_abandoned_and_never_more() {
    try (ScriptedEngine engine = new ScriptedEngine().otherwise(ScriptedEngine.hang());
        TestGateway gateway =
            TestGateway.before(
                engine,
                "admission.deadline",
                "800ms",
                "source.zeta.attemptTimeout",
                "300ms",
                "source.zeta.abandonAfter",
                "3s")) {
      List<Long> jobs = new ArrayList<>();
      for (long job = 1; job <= 20; job++) {
        jobs.add(job);
      }
      List<Timed> answers = askAtOnce(gateway, jobs);

      assertThat(answers).allSatisfy(t -> assertThat(t.response.statusCode()).isEqualTo(503));
      assertThat(answers.stream().filter(t -> t.took().toMillis() > 500)).hasSize(4);
      assertThat(gateway.metric("headgate_permits_used{pool=\"lineage\"}")).isEqualTo(4);
      // The same jobs again: their work is still open, so they take no second permit.
      assertThat(askAtOnce(gateway, jobs))
          .allSatisfy(
              t -> {
                assertThat(t.response.statusCode()).isEqualTo(503);
                assertThat(t.took()).isLessThan(Duration.ofMillis(600));
              });
      assertThat(engine.mostOpen()).isEqualTo(4);
      gateway.awaitNothingHeld(Duration.ofSeconds(6));
      assertThat(engine.open()).isZero();
      assertThat(
              gateway.metric("headgate_permits_ended_total{ending=\"dropped\",pool=\"lineage\"}"))
          .isEqualTo(4);
    }
  }
}
