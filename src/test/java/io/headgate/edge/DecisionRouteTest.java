package io.headgate.edge;

import static io.headgate.kit.ReportingGateway.DECISIONS;
import static io.headgate.kit.ReportingGateway.ENGINES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.graph.Unavailability;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawResponse;
import io.headgate.kit.ReportingGateway;
import io.headgate.timeline.TimelineUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What transforms, routers, policies and sinks post of their decisions, and what they are told. */
class DecisionRouteTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ObjectMapper TREES = new ObjectMapper();

  private static ReportingGateway gateway;

  @BeforeAll
  static void start() {
    gateway = new ReportingGateway("timeline.bodyBytes", "64KiB");
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static String first(long job, String key, String more) {
    return "{\"jobId\":%d,\"observationKey\":\"%s\",\"stage\":\"OBSERVED\"%s}"
        .formatted(job, key, more);
  }

  private static JsonNode results(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    try {
      return TREES.readTree(response.body()).get("results");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertSays(HttpResponse<String> response, ErrorCode code) {
    assertThat(response.body()).isEqualTo(code.body());
    assertThat(response.statusCode()).isEqualTo(code.status());
  }

  @Test
  void T2_each_entry_is_answered_by_its_index_with_its_change_or_its_fault() {
    JsonNode results =
        results(
            gateway.post(
                DECISIONS,
                "["
                    + first(10, "a", "")
                    + ",17,"
                    + first(11, "a", "")
                    + ","
                    + first(10, "b", "")
                    + ",{\"jobId\":10,\"sourceSequence\":9,\"stage\":\"COMPLETED\"}]"));
    assertThat(results).hasSize(5);
    for (int i = 0; i < 5; i++) {
      assertThat(results.get(i).get("index").asInt()).isEqualTo(i);
    }
    assertThat(results.get(0).get("schemaChangeId").asText()).startsWith("10-1-");
    assertThat(results.get(1).get("fault").asText()).isEqualTo("INVALID_EVENT");
    assertThat(results.get(1).get("schemaChangeId").isNull()).isTrue();
    assertThat(results.get(2).get("schemaChangeId").asText()).startsWith("11-1-");
    assertThat(results.get(3).get("schemaChangeId").asText()).startsWith("10-2-");
    assertThat(results.get(4).get("fault").asText()).isEqualTo("UNKNOWN_CHANGE");
    assertThat(gateway.store().records(10)).isEqualTo(2);
  }

  @Test
  void T2_the_same_batch_again_gives_the_same_ids_and_no_new_record() {
    String body = "[" + first(20, "a", "") + "," + first(20, "b", "") + "]";
    JsonNode once = results(gateway.post(DECISIONS, body));
    assertThat(results(gateway.post(DECISIONS, body))).isEqualTo(once);
    assertThat(gateway.store().records(20)).isEqualTo(2);
  }

  @Test
  void T2_a_sink_says_what_became_of_a_change_that_an_engine_has_reported() {
    gateway.post(
        ENGINES,
        "[{\"jobId\":\"30\",\"createdTime\":1,\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\","
            + "\"tablePath\":{\"tableName\":\"orders\"}}]");
    String said =
        "{\"jobId\":30,\"sourceSequence\":1,\"stage\":\"%s\",\"target\":{\"table\":\"dw.orders\"}%s}";
    JsonNode results =
        results(
            gateway.post(
                DECISIONS,
                "["
                    + said.formatted("TARGET_RESOLVED", ",\"targetCount\":1")
                    + ","
                    + said.formatted("COMPLETED", ",\"outcome\":\"APPLIED\"")
                    + "]"));
    assertThat(results.get(1).get("fault").isNull()).isTrue();
    assertThat(gateway.store().json(30)).contains("\"state\":\"TERMINAL\",\"outcome\":\"APPLIED\"");
  }

  @Test
  void T2_a_batch_is_503_as_long_as_it_is_not_stored_whole() {
    String body = "[" + first(40, "a", "") + "," + first(41, "a", "") + "]";
    gateway.store().failFor(41);
    try {
      assertSays(gateway.post(DECISIONS, body), ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE);
    } finally {
      gateway.store().failFor(0);
    }
    gateway.store().fail(new TimelineUnavailableException(Unavailability.STORE_BUSY));
    try {
      HttpResponse<String> response = gateway.post(DECISIONS, body);
      assertSays(response, ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE);
      assertThat(response.headers().firstValue("retry-after")).isPresent();
    } finally {
      gateway.store().fail(null);
    }
    assertThat(results(gateway.post(DECISIONS, body))).hasSize(2);
    assertThat(gateway.store().records(40)).isEqualTo(1);
    assertThat(gateway.store().records(41)).isEqualTo(1);
    assertThat(gateway.decisions(503, "store-busy")).isPositive();
  }

  @Test
  void T9_an_unknown_reason_is_kept_as_unknown_and_counted() {
    double before = gateway.metric("headgate_decision_unknown_reasons_total");
    gateway.post(DECISIONS, "[" + first(50, "a", ",\"reasonCode\":\"WEATHER\"") + "]");
    assertThat(gateway.metric("headgate_decision_unknown_reasons_total") - before).isEqualTo(1);
    assertThat(gateway.store().json(50)).contains("\"reasonCode\":\"UNKNOWN\"");
  }

  // --- T4: bounds

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "null", "[", "[{}", "[{]", "[]x", "[\u00e9\u0000]"})
  void T4_a_body_that_is_no_json_array_is_400(String body) {
    int changes = gateway.store().changes();
    assertSays(gateway.post(DECISIONS, body), ErrorCode.INVALID_BODY);
    assertThat(gateway.store().changes()).isEqualTo(changes);
  }

  @Test
  void T4_a_batch_with_more_entries_or_deeper_ones_than_may_be_is_413() {
    int changes = gateway.store().changes();
    String most = String.join(",", Collections.nCopies(1_000, "{}"));
    assertThat(results(gateway.post(DECISIONS, "[" + most + "]"))).hasSize(1_000);
    assertSays(gateway.post(DECISIONS, "[" + most + ",{}]"), ErrorCode.BODY_TOO_LARGE);
    String deep = "{\"a\":".repeat(70) + "1" + "}".repeat(70);
    assertSays(
        gateway.post(DECISIONS, "[" + first(60, "a", "") + "," + deep + "]"),
        ErrorCode.BODY_TOO_LARGE);
    assertThat(gateway.decisions(413, "batch-bound")).isEqualTo(2);
    assertThat(gateway.store().changes()).isEqualTo(changes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void T4_a_body_over_its_bound_is_413_and_not_read_on(boolean chunked) {
    String piece = " ".repeat(4_096);
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          "POST "
              + DECISIONS
              + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
      if (chunked) {
        client.send("Transfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < 17; i++) {
          client.send("1000\r\n" + piece + "\r\n");
        }
      } else {
        client.send("Content-Length: " + (17 * 4_096) + "\r\n\r\n");
      }
      RawClient.Received received = client.receive(PATIENCE);
      assertThat(received.closed()).isTrue();
      RawResponse answer = RawResponse.all(received.bytes()).get(0);
      assertThat(answer.status()).isEqualTo(413);
      assertThat(answer.body()).isEqualTo(ErrorCode.BODY_TOO_LARGE.body());
    }
  }

  @Test
  void T4_no_answer_and_no_log_line_echoes_what_was_sent() {
    String secret = "s3cr3tT3xt";
    try (LoggedLines log = LoggedLines.detailed()) {
      List<String> bodies =
          List.of(
              secret,
              "[\"" + secret + "\"]",
              "[{\"jobId\":\"" + secret + "\"}]",
              "[{\"jobId\":7,\"observationKey\":\"" + secret + "\",\"stage\":\"" + secret + "\"}]",
              "[" + first(70, secret, ",\"policy\":\"" + secret.repeat(200) + "\"") + "]",
              "[" + first(70, secret, ",\"errorSummary\":\"" + secret + "\"") + "]",
              "[" + first(70, secret, ",\"" + secret + "\":\"" + secret + "\"") + "]");
      for (String body : bodies) {
        assertThat(gateway.post(DECISIONS, body).body()).doesNotContain(secret);
      }
      gateway.store().fail(new IllegalStateException(secret));
      try {
        HttpResponse<String> response = gateway.post(DECISIONS, bodies.get(5));
        assertSays(response, ErrorCode.INTERNAL_ERROR);
      } finally {
        gateway.store().fail(null);
      }
      log.assertFreeOf(secret);
    }
  }
}
