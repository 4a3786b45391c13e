package io.headgate;

import static io.headgate.kit.ReportingGateway.DECISIONS;
import static io.headgate.kit.ReportingGateway.ENGINES;
import static io.headgate.kit.SecretReports.SENTINEL;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.MemoryTimelines;
import io.headgate.kit.RawClient;
import io.headgate.kit.RecordedReport;
import io.headgate.kit.SecretReports;
import io.headgate.kit.TestGateway;
import io.headgate.state.HeldPart;
import io.headgate.timeline.Timeline;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reports on schema changes, from a socket to the map of a real member. */
class ReportedTimelinesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String CLUSTER = "test-reports-" + ProcessHandle.current().pid();
  private static final String TIMELINES = "headgate-timelines";

  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    gateway =
        TestGateway.recorded(
            "hazelcast.enabled", "true", "hazelcast.port", "0", "hazelcast.clusterName", CLUSTER);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static HazelcastInstance member() {
    return Hazelcast.getAllHazelcastInstances().stream()
        .filter(each -> each.getConfig().getClusterName().equals(CLUSTER))
        .findAny()
        .orElseThrow();
  }

  private static IMap<Long, Timeline> timelines() {
    return member().getMap(TIMELINES);
  }

  private static Timeline timeline(long job) {
    return Objects.requireNonNull(timelines().get(job));
  }

  private static void assertStored(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  @Test
  void T1b_recorded_batches_of_an_engine_that_loses_every_answer_make_no_record_twice() {
    try (RawClient engine = new RawClient(gateway.port())) {
      int turn = 0;
      for (RecordedReport report : RecordedReport.ofTheCdcJob()) {
        RawClient.disconnect(gateway.port(), report.request(), turn++ % 3);
        gateway.awaitNothingHeld(PATIENCE);
        assertThat(engine.send(report.request()).response(PATIENCE).status()).isEqualTo(200);
      }
    }
    Timeline timeline = timeline(RecordedReport.CDC_JOB);
    assertThat(timeline.size()).isEqualTo(RecordedReport.CDC_EVENTS);
    assertThat(MemoryTimelines.json(timeline))
        .contains("\"sourceTable\":\"shop.orders\"", "\"sequence\":6")
        .doesNotContain("\"sequence\":7");
  }

  @Test
  void T1a_a_store_that_hangs_is_503_and_what_the_engine_sends_again_is_stored_once() {
    long job = 4_711;
    String body =
        "[{\"jobId\":\"%d\",\"createdTime\":1,\"eventType\":\"SCHEMA_CHANGE_DROP_COLUMN\"}]"
            .formatted(job);
    try (HeldPart held = HeldPart.of(member(), TIMELINES, job)) {
      HttpResponse<String> response = gateway.post(ENGINES, body);
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.body()).contains("TIMELINE_TEMPORARILY_UNAVAILABLE");
      assertThat(gateway.lineage(1).statusCode()).as("lookups go on").isEqualTo(404);
      assertThat(held).isNotNull();
    }
    assertStored(gateway.post(ENGINES, body));
    assertThat(timeline(job).size()).isEqualTo(1);
  }

  @Test
  void T2_decisions_meet_what_the_engine_has_reported() {
    long job = 4_712;
    assertStored(
        gateway.post(
            ENGINES,
            "[{\"jobId\":%d,\"createdTime\":1,\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\"}]"
                .formatted(job)));
    String said = "{\"jobId\":%d,\"sourceSequence\":%d,\"stage\":\"TRANSFORMED\"}";
    HttpResponse<String> response =
        gateway.post(DECISIONS, "[" + said.formatted(job, 1) + "," + said.formatted(job, 2) + "]");
    assertStored(response);
    assertThat(response.body())
        .contains("\"schemaChangeId\":\"4712-1-", "\"fault\":\"UNKNOWN_CHANGE\"");
    assertThat(MemoryTimelines.json(timeline(job))).contains("\"stage\":\"TRANSFORMED\"");
  }

  @Test
  void T11_no_field_of_any_event_is_found_in_the_store_the_answers_or_the_logs() {
    StringBuilder told = new StringBuilder();
    try (LoggedLines log = LoggedLines.detailed()) {
      for (String batch :
          new String[] {
            SecretReports.recorded().replace("" + RecordedReport.CDC_JOB, "4713"),
            SecretReports.ofEveryKind(4_714),
            SecretReports.ofEveryKind(4_714).substring(2), // no JSON array
            "[" + SENTINEL
          }) {
        told.append(gateway.post(ENGINES, batch).body());
      }
      told.append(gateway.post(DECISIONS, SecretReports.decision(4_715)).body());
      told.append(gateway.post(DECISIONS, SecretReports.decision(4_715).substring(1)).body());
      told.append(gateway.get("/metrics").body());
      log.assertFreeOf(SENTINEL);
    }
    assertThat(told.toString()).contains("STORED").doesNotContain(SENTINEL);
    assertThat(timeline(4_713).size()).isEqualTo(RecordedReport.CDC_EVENTS);
    assertThat(timeline(4_714).size()).isEqualTo(7);
    assertThat(timeline(4_715).size()).isEqualTo(1);
    timelines()
        .forEach(
            (job, timeline) ->
                assertThat(
                        new String(timeline.toBytes(), StandardCharsets.ISO_8859_1)
                            + MemoryTimelines.json(timeline))
                    .as("job %d", job)
                    .doesNotContain(SENTINEL));
  }
}
