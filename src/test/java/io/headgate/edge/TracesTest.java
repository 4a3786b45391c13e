package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.AccessLines;
import io.headgate.kit.FreePorts;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import io.headgate.kit.TraceCollector;
import io.headgate.kit.TraceCollector.Span;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces as a collector gets them: one for a request, with its phases and upstream calls. */
class TracesTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String SAMPLED = "00-" + TRACE + "-" + PARENT + "-01";
  private static final String GATHERING = "otel.bsp.schedule.delay"; // in milliseconds
  private static final long SERVER = 2;
  private static final long CLIENT = 3;

  private static ScriptedEngine engine;
  private static ScriptedEngine broken;

  @BeforeAll
  static void start() {
    broken = new ScriptedEngine().otherwise(ScriptedEngine.status(503));
    engine = new ScriptedEngine().otherwise(ScriptedEngine.unknown());
    engine.job(7, ScriptedEngine.graphAfter(20));
  }

  @AfterAll
  static void stop() {
    engine.close();
    broken.close();
  }

  private static TestGateway tracing(String endpoint, String... more) {
    java.util.ArrayList<String> settings =
        new java.util.ArrayList<>(List.of("traces.enabled", "true", "traces.endpoint", endpoint));
    settings.addAll(List.of(more));
    return TestGateway.before(List.of(broken.uri(), engine.uri()), settings.toArray(String[]::new));
  }

  /** Its spans are sent soon, not after the 5 s for which OpenTelemetry gathers them. */
  private static TestGateway tracingPromptly(String endpoint, String... more) {
    System.setProperty(GATHERING, "100");
    try {
      return tracing(endpoint, more);
    } finally {
      System.clearProperty(GATHERING);
    }
  }

  private static Span named(List<Span> spans, String name) {
    return spans.stream().filter(span -> span.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void a_request_that_belongs_to_a_trace_is_one_span_of_it_with_its_phases_below(
      @TempDir Path folder) {
    AccessLines lines = new AccessLines(folder.resolve("access.log"));
    try (TraceCollector collector = TraceCollector.open();
        TestGateway gateway =
            tracingPromptly(
                collector.endpoint(),
                "traces.perMille",
                "0",
                "accessLog.file",
                lines.file().toString())) {
      gateway.get("/job-lineage/7?token=hunter2", "traceparent", SAMPLED, "X-Request-Id", "traced");
      await().atMost(SOON).until(() -> collector.spans().size() >= 7);
      List<Span> spans = collector.spans();
      assertThat(spans).allMatch(span -> span.traceId().equals(TRACE));

      Span request = named(spans, "GET /job-lineage/{jobId}");
      assertThat(request.parentId()).isEqualTo(PARENT);
      assertThat(request.kind()).isEqualTo(SERVER);
      assertThat(request.attributes())
          .containsEntry("http.request.method", "GET")
          .containsEntry("http.route", "/job-lineage/{jobId}")
          .containsEntry("http.response.status_code", "[200]")
          .containsEntry("network.protocol.version", "1.1")
          .containsEntry("headgate.reason", "ok")
          .containsEntry("headgate.job.id", "7");
      for (String phase : List.of("wait", "lookup", "project", "write")) {
        Span part = named(spans, phase);
        assertThat(part.parentId()).as(phase).isEqualTo(request.spanId());
        assertThat(part.begunAt()).isBetween(request.begunAt(), request.endedAt());
        assertThat(part.endedAt()).isBetween(part.begunAt(), request.endedAt());
      }
      List<Span> calls = spans.stream().filter(span -> span.kind() == CLIENT).toList();
      assertThat(calls)
          .hasSize(2)
          .allMatch(call -> call.parentId().equals(named(spans, "lookup").spanId()));
      assertThat(calls.stream().map(call -> call.attributes().get("headgate.outcome")))
          .contains("answered");
      assertThat(collector.resources().get(0)).containsEntry("service.name", "headgate");
      assertThat(spans.toString()).doesNotContain("hunter2", "127.0.0.1", "localhost");
      assertThat(lines.one("traced").path("traceId").asText()).isEqualTo(TRACE);
      await()
          .atMost(SOON)
          .until(() -> gateway.metric("headgate_traces_spans_total{outcome=\"sent\"}") == 7);
      assertThat(gateway.metric("headgate_traces_waiting")).isZero();
    }
  }

  @Test
  void of_other_requests_as_many_begin_a_trace_as_the_configuration_says() {
    try (TraceCollector collector = TraceCollector.open();
        TestGateway all = tracingPromptly(collector.endpoint(), "traces.perMille", "1000")) {
      all.get("/nowhere");
      all.get("/nowhere", "traceparent", "00-garbage-01");
      all.get("/nowhere", "traceparent", SAMPLED.replaceFirst("01$", "00"));
      await().atMost(SOON).until(() -> collector.spans().size() >= 6);
      Set<String> traces =
          collector.spans().stream().map(Span::traceId).collect(Collectors.toSet());
      assertThat(traces).hasSize(2).as("the caller said not to").doesNotContain(TRACE);
      assertThat(named(collector.spans(), "GET other").parentId()).isEmpty();
    }
    try (TraceCollector collector = TraceCollector.open()) {
      try (TestGateway none = tracing(collector.endpoint(), "traces.perMille", "0")) {
        none.get("/nowhere");
      }
      assertThat(collector.calls()).isZero();
    }
  }

  @Test
  void what_is_waiting_at_a_stop_is_sent() {
    try (TraceCollector collector = TraceCollector.open()) {
      try (TestGateway gateway = tracing(collector.endpoint())) {
        gateway.get("/nowhere", "traceparent", SAMPLED);
      }
      assertThat(collector.spans()).anyMatch(span -> span.traceId().equals(TRACE));
    }
  }

  @Test
  void a_collector_that_is_not_there_costs_spans_and_no_answers() {
    int port = FreePorts.pick(1).get(0);
    try (TestGateway gateway = tracing("http://127.0.0.1:" + port)) {
      for (int i = 0; i < 1_000; i++) {
        assertThat(gateway.get("/health/live", "traceparent", SAMPLED).statusCode()).isEqualTo(200);
      }
      await()
          .atMost(SOON)
          .until(
              () ->
                  gateway.metric("headgate_traces_spans_total{outcome=\"failed\"}") > 0
                      && gateway.metric("headgate_traces_spans_total{outcome=\"dropped\"}") > 0);
      assertThat(gateway.metric("headgate_traces_waiting")).isLessThanOrEqualTo(2048);
    }
  }

  @Test
  void a_collector_that_never_answers_fills_its_room_and_keeps_no_gateway_from_stopping() {
    try (TraceCollector collector = TraceCollector.hanging();
        TestGateway gateway = tracing(collector.endpoint())) {
      for (int i = 0; i < 1_000; i++) {
        assertThat(gateway.get("/health/live", "traceparent", SAMPLED).statusCode()).isEqualTo(200);
      }
      await()
          .atMost(SOON)
          .until(() -> gateway.metric("headgate_traces_spans_total{outcome=\"dropped\"}") > 0);
      assertThat(collector.calls()).isPositive();
    }
  }

  @Test
  void without_the_setting_nothing_is_sent_and_there_are_no_metrics_of_it() {
    try (TraceCollector collector = TraceCollector.open()) {
      try (TestGateway gateway =
          TestGateway.before(engine, "traces.endpoint", collector.endpoint())) {
        gateway.get("/nowhere", "traceparent", SAMPLED);
        assertThat(gateway.get("/metrics").body()).doesNotContain("headgate_traces");
      }
      assertThat(collector.calls()).isZero();
    }
  }
}
