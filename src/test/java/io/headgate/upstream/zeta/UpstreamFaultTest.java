package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.JobInfo;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.ScriptedEngine.Behaviour;
import io.headgate.kit.TestGateway;
import io.vertx.core.http.HttpServerOptions;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client gets while the engine misbehaves in every way an engine can. */
class UpstreamFaultTest {
  private static final String[] QUICK = {
    "admission.deadline", "1500ms",
    "source.zeta.attemptTimeout", "500ms",
    "source.zeta.abandonAfter", "2500ms",
    "admission.freshness", "0"
  };

  private static Behaviour text(int status, String body, String... headers) {
    return (request, jobId, vertx) -> {
      request.response().setStatusCode(status);
      for (int i = 0; i < headers.length; i += 2) {
        request.response().putHeader(headers[i], headers[i + 1]);
      }
      request.response().end(body);
    };
  }

  static Stream<Arguments> answers() {
    String graph = JobInfo.of(7).json();
    return Stream.of(
        Arguments.of("401", text(401, ""), "upstream-auth"),
        Arguments.of("403", text(403, graph), "upstream-auth"),
        Arguments.of("404", text(404, graph), "upstream-status"),
        Arguments.of("204, as 2.3.4 answers", text(204, ""), "upstream-status"),
        Arguments.of("201", text(201, graph), "upstream-status"),
        Arguments.of("a redirect", text(302, graph, "Location", "/job-info/8"), "upstream-status"),
        Arguments.of("500", text(500, graph), "upstream-status"),
        Arguments.of("502", text(502, graph), "upstream-status"),
        Arguments.of("503", text(503, graph), "upstream-status"),
        Arguments.of("a coded body", text(200, graph, "Content-Encoding", "gzip"), "upstream-body"),
        Arguments.of("no JSON", text(200, "<html>"), "upstream-body"),
        Arguments.of("half a body", text(200, graph.substring(0, 200)), "upstream-body"),
        Arguments.of("two objects", text(200, graph + graph), "upstream-body"),
        Arguments.of("an array", text(200, "[" + graph + "]"), "upstream-body"),
        Arguments.of("an empty body", text(200, ""), "upstream-body"),
        Arguments.of("another answer", text(200, "{\"status\":\"fail\"}"), "upstream-body"),
        Arguments.of("a reset", ScriptedEngine.reset(), "unreachable"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void L21_what_is_not_listed_is_503_with_its_reason(String what, Behaviour answer, String reason) {
    try (ScriptedEngine engine = new ScriptedEngine().job(7, answer);
        TestGateway gateway = TestGateway.before(engine, QUICK)) {
      HttpResponse<String> response = gateway.lineage(7);

      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.body()).contains("\"LINEAGE_TEMPORARILY_UNAVAILABLE\"");
      String meter = "headgate_lineage_outcomes_total{reason=\"%s\",status=\"503\"}";
      assertThat(gateway.metric(meter.formatted(reason))).as(reason).isEqualTo(1);
      assertThat(engine.requests()).noneMatch(r -> r.contains("/job-info/8"));
    }
  }

  @Test
  void L28_unknown_jobs_are_404_in_every_form_an_engine_says_it() {
    try (ScriptedEngine engine =
            new ScriptedEngine()
                .job(1, text(200, "{}"))
                .job(2, text(200, "{\"jobId\":\"2\"}"))
                .job(3, text(200, "{\"jobId\":3}"));
        TestGateway gateway = TestGateway.before(engine, QUICK)) {
      for (long job = 1; job <= 3; job++) {
        assertThat(gateway.lineage(job).statusCode()).isEqualTo(404);
      }
    }
  }

  @Test
  void L16_an_engine_that_hangs_gives_503_at_the_deadline() {
    try (ScriptedEngine engine = new ScriptedEngine().job(7, ScriptedEngine.hang());
        TestGateway gateway = TestGateway.before(engine, QUICK)) {
      gateway.lineage(1); // warm
      long began = System.nanoTime();
      HttpResponse<String> response = gateway.lineage(7);
      double millis = (System.nanoTime() - began) / 1e6;

      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(millis).isCloseTo(1500, within(200.0));
      assertThat(gateway.metric("headgate_permits_used{pool=\"lineage\"}"))
          .as("its work is still open")
          .isOne();
      gateway.awaitNothingHeld(Duration.ofSeconds(3));
      assertThat(gateway.metric("headgate_upstream_abandoned_total{member=\"0\"}")).isOne();
    }
  }

  @Test
  void L16_an_engine_that_drips_or_never_stops_is_cut() {
    try (ScriptedEngine engine =
            new ScriptedEngine().job(7, ScriptedEngine.drip(50)).job(8, ScriptedEngine.endless());
        TestGateway gateway =
            TestGateway.before(
                engine,
                Stream.concat(Stream.of(QUICK), Stream.of("limits.upstreamBytes", "4MiB"))
                    .toArray(String[]::new))) {
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(503);
      assertThat(gateway.lineage(8).statusCode()).isEqualTo(413);
      await().atMost(Duration.ofSeconds(5)).until(() -> engine.open() == 0);
    }
  }

  @Test
  void L25_the_next_member_is_tried_within_the_deadline() {
    try (ScriptedEngine frozen = new ScriptedEngine().otherwise(ScriptedEngine.hang());
        ScriptedEngine healthy = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(0));
        TestGateway gateway = TestGateway.before(List.of(frozen.uri(), healthy.uri()), QUICK)) {
      long began = System.nanoTime();
      HttpResponse<String> response = gateway.lineage(7);

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo(JobInfo.of(7).lineage());
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(1500));
      assertThat(gateway.metric("headgate_permits_used{pool=\"lineage\"}"))
          .as("the first call is open")
          .isOne();

      assertThat(gateway.lineage(8).statusCode()).isEqualTo(200);
      assertThat(frozen.calls()).as("the member that answered is asked first").isOne();
    }
  }

  @Test
  void L25_a_late_answer_counts_while_it_is_in_time_for_the_lookup() {
    try (ScriptedEngine slow = new ScriptedEngine().job(7, ScriptedEngine.graphAfter(900));
        TestGateway gateway = TestGateway.before(slow, QUICK)) {
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(200);
      assertThat(gateway.metric("headgate_upstream_timeouts_total{member=\"0\"}")).isOne();
    }
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        Arguments.of("500", ScriptedEngine.status(500)),
        Arguments.of("503", ScriptedEngine.status(503)),
        Arguments.of("401", ScriptedEngine.status(401)),
        Arguments.of("403", ScriptedEngine.status(403)),
        Arguments.of("a reset", ScriptedEngine.reset()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void L25_a_member_that_refuses_is_followed_by_the_next(String what, Behaviour refusal) {
    try (ScriptedEngine ill = new ScriptedEngine().otherwise(refusal);
        ScriptedEngine healthy = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(0));
        TestGateway gateway = TestGateway.before(List.of(ill.uri(), healthy.uri()), QUICK)) {
      assertThat(gateway.lineage(7).body()).isEqualTo(JobInfo.of(7).lineage());
      assertThat(ill.calls()).isOne();
    }
  }

  @Test
  void L25_a_member_nobody_listens_on_is_followed_by_the_next() {
    ScriptedEngine gone = new ScriptedEngine();
    var uri = gone.uri();
    gone.close();
    try (ScriptedEngine healthy = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(0));
        TestGateway gateway = TestGateway.before(List.of(uri, healthy.uri()), QUICK)) {
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void L25_four_failures_open_the_breaker_and_one_probe_closes_it() {
    try (ScriptedEngine engine = new ScriptedEngine().otherwise(ScriptedEngine.status(503));
        TestGateway gateway = TestGateway.before(engine, QUICK)) {
      for (int i = 1; i <= 4; i++) {
        assertThat(gateway.lineage(i).statusCode()).isEqualTo(503);
      }
      String open = "headgate_upstream_breaker_open{member=\"0\"}";
      await().atMost(Duration.ofSeconds(2)).until(() -> gateway.metric(open) == 1);
      assertThat(gateway.get("/health/ready").body())
          .isEqualTo(
              "{\"status\":\"UP\",\"demo\":false,\"sources\":[{\"member\":0,\"usable\":false}]}");
      for (int i = 5; i <= 10; i++) {
        assertThat(gateway.lineage(i).statusCode()).isEqualTo(503);
      }
      assertThat(engine.calls()).as("an open breaker spares the engine").isEqualTo(4);

      engine.otherwise(ScriptedEngine.graphAfter(0));
      await().atMost(Duration.ofSeconds(8)).until(() -> gateway.lineage(11).statusCode() == 200);
      assertThat(gateway.metric(open)).isZero();
    }
  }

  @Test
  void L23_a_job_that_always_fails_does_not_open_the_breaker_for_others() {
    try (ScriptedEngine engine =
            new ScriptedEngine()
                .job(13, ScriptedEngine.status(500))
                .otherwise(ScriptedEngine.graphAfter(0));
        TestGateway gateway = TestGateway.before(engine, QUICK)) {
      for (int i = 0; i < 12; i++) {
        assertThat(gateway.lineage(13).statusCode()).isEqualTo(503);
        assertThat(gateway.lineage(100 + i).statusCode()).isEqualTo(200);
      }
      assertThat(gateway.metric("headgate_upstream_breaker_open{member=\"0\"}")).isZero();
    }
  }

  @Test
  void L23_500_counts_where_the_members_overview_fails_too() {
    try (ScriptedEngine engine =
            new ScriptedEngine()
                .otherwise(ScriptedEngine.status(500))
                .overview(ScriptedEngine.status(500));
        TestGateway gateway = TestGateway.before(engine, QUICK)) {
      await()
          .atMost(Duration.ofSeconds(5))
          .until(
              () -> {
                gateway.lineage(7);
                return gateway.metric("headgate_upstream_breaker_open{member=\"0\"}") == 1;
              });
      assertThat(engine.calls()).isBetween(4, 8);
    }
  }

  @Test
  void L29_only_documented_routes_are_called_and_nothing_of_the_client_reaches_them() {
    try (ScriptedEngine engine = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(0));
        TestGateway gateway =
            TestGateway.before(
                List.of(java.net.URI.create(engine.uri() + "/hazelcast/rest/maps/")), QUICK)) {
      gateway.get("/job-lineage/7?a=%2e%2e&x=1", "X-Secret", "s3cr3t", "Cookie", "c=s3cr3t");
      gateway.get("/job-lineage/..%2foverview");
      gateway.get("/job-lineage/8%2f..");

      assertThat(engine.requests())
          .singleElement()
          .asString()
          .startsWith("GET /hazelcast/rest/maps/job-info/7 ")
          .containsIgnoringCase("accept-encoding=identity")
          .doesNotContain("s3cr3t", "a=", "x=1");
    }
  }

  @Test
  void L29_basic_auth_is_sent_upstream_and_connections_are_kept() {
    try (ScriptedEngine engine = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(0));
        TestGateway gateway =
            TestGateway.before(
                engine,
                Stream.concat(
                        Stream.of(QUICK),
                        Stream.of(
                            "source.zeta.username", "zeta", "source.zeta.password", "pässword"))
                    .toArray(String[]::new))) {
      gateway.lineage(7);
      assertThat(engine.requests().get(0))
          .containsIgnoringCase("authorization=Basic emV0YTpww6Rzc3dvcmQ=");
    }
  }

  @Test
  void L29_upstream_tls_trusts_what_is_configured_and_checks_the_host() throws Exception {
    var certificate = io.headgate.kit.Certificates.forLoopback();
    try (ScriptedEngine engine =
        new ScriptedEngine(
            new HttpServerOptions().setSsl(true).setKeyCertOptions(certificate.pemOptions()))) {
      engine.otherwise(ScriptedEngine.graphAfter(0));
      var member = java.net.URI.create("https://127.0.0.1:" + engine.port());
      try (TestGateway trusting =
          TestGateway.before(
              List.of(member),
              "source.zeta.tls.trustCertificate",
              certificate.certificate().toString(),
              "source.zeta.attemptTimeout",
              "8s", // the first handshake of a busy JVM takes its time
              "admission.deadline",
              "9s")) {
        assertThat(trusting.lineage(7).statusCode()).isEqualTo(200);
      }
      try (TestGateway distrusting = TestGateway.before(List.of(member), QUICK)) {
        assertThat(distrusting.lineage(7).statusCode()).isEqualTo(503);
      }
    }
  }
}
