package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.headgate.kit.Changes;
import io.headgate.kit.JobInfo;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a timeline when its job ends, and when it runs again (T12): a whole gateway with
 * a real member, an engine that does what the test says, a clock that the test moves, and a watch
 * that has its rounds sooner than every minute. Each test has a job of its own.
 */
class EndedJobTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration RETENTION = Duration.ofHours(24);
  private static final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-30T10:00:00Z"));
  private static final AtomicLong JOBS = new AtomicLong(600);

  private static ScriptedEngine engine;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine();
    HeadgateConfig config =
        TestGateway.config(
            "hazelcast.enabled", "true",
            "source.directory.enabled", "true",
            "source.zeta.members", engine.uri().toString(),
            "admission.freshness", "0");
    InstantSource clock = now::get;
    gateway =
        TestGateway.running(new HeadgateVerticle(config, null, clock, Duration.ofMillis(100)));
  }

  @AfterAll
  static void stop() {
    engine.otherwise(ScriptedEngine.unknown());
    gateway.unchecked().close(); // the watch may hold a permit at any moment
    engine.close();
  }

  private static Changes running() {
    Changes job = new Changes(gateway, JOBS.addAndGet(1));
    engine.job(job.jobId(), ScriptedEngine.graphAfter(0));
    return job;
  }

  private static void ends(Changes job) {
    engine.job(
        job.jobId(),
        (request, id, vertx) ->
            request.response().end(JobInfo.of(id).finished("2026-11-30 10:00:00").json()));
  }

  private static JsonNode record(Changes job, long sequence) {
    JsonNode page = job.page("?limit=1&beforeSequence=" + (sequence + 1));
    assertThat(Changes.sequences(page)).containsExactly(sequence);
    return page.get("records").get(0);
  }

  private static void awaitTerminal(Changes job, long sequence) {
    await()
        .atMost(PATIENCE)
        .until(() -> record(job, sequence).get("state").asText().equals("TERMINAL"));
  }

  private static double answers(String answer) {
    return gateway.metric("headgate_timeline_watch_questions_total{answer=\"" + answer + "\"}");
  }

  private static double changes(String change) {
    return gateway.metric("headgate_timeline_watch_changes_total{change=\"" + change + "\"}");
  }

  /** Waits for so many more questions that were answered in this way. */
  private static void awaitAnswers(String answer, int more) {
    double before = answers(answer);
    await().atMost(PATIENCE).until(() -> answers(answer) >= before + more);
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void T12_when_the_job_ends_what_was_not_reported_is_unknown_and_the_shape_is_the_same() {
    Changes job = running();
    job.observed(1, 2);
    job.completed(1, "lake.t", "APPLIED");
    JsonNode before = job.page("");
    awaitAnswers("active", 2);
    assertThat(record(job, 2).get("state").asText()).isEqualTo("IN_PROGRESS");
    ends(job);
    awaitTerminal(job, 2);
    JsonNode after = job.page("");
    assertThat(names(after)).isEqualTo(names(before));
    assertThat(names(after.get("records").get(0))).isEqualTo(names(before.get("records").get(0)));
    assertThat(after.get("historyId")).isEqualTo(before.get("historyId"));
    assertThat(record(job, 1)).as("it was resolved").isEqualTo(before.get("records").get(1));
    JsonNode open = record(job, 2);
    assertThat(open.get("outcome").isNull()).isTrue();
    assertThat(open.get("reasonCode").asText()).isEqualTo("UNKNOWN");
  }

  @Test
  void T12_a_running_job_without_a_graph_that_can_be_shown_has_not_ended() {
    Changes job = running();
    String known =
        "{\"jobId\":\"%d\",\"jobStatus\":\"RUNNING\",\"createTime\":\"x\",\"jobDag\":%s}";
    String plan =
        "{\"jobId\":%d,\"vertices\":[],\"edges\":[]}".formatted(job.jobId()); // as 2.3.8 has it
    engine.job(job.jobId(), ScriptedEngine.body(known.formatted(job.jobId(), plan)));
    assertThat(gateway.lineage(job.jobId()).statusCode()).isEqualTo(409);
    job.observed(1, 1);
    awaitAnswers("active", 3);
    assertThat(record(job, 1).get("state").asText()).isEqualTo("IN_PROGRESS");
    String ended = known.formatted(job.jobId(), "null").replace("}", ",\"finishTime\":\"y\"}");
    engine.job(job.jobId(), ScriptedEngine.body(ended));
    assertThat(gateway.lineage(job.jobId()).statusCode()).isEqualTo(409);
    awaitTerminal(job, 1);
  }

  @Test
  void T12_while_the_source_is_down_and_where_it_knows_no_such_job_nothing_changes() {
    Changes job = running();
    job.observed(1, 1);
    engine.job(job.jobId(), ScriptedEngine.reset());
    awaitAnswers("unsaid", 2);
    engine.job(job.jobId(), ScriptedEngine.unknown());
    awaitAnswers("absent", 2);
    assertThat(record(job, 1).get("state").asText()).isEqualTo("IN_PROGRESS");
    ends(job);
    awaitTerminal(job, 1);
  }

  @Test
  void T12_events_that_come_after_the_end_merge_into_it() {
    Changes job = running();
    job.observed(1, 2);
    ends(job);
    awaitTerminal(job, 2);
    job.completed(2, "lake.t", "APPLIED");
    assertThat(record(job, 2).get("outcome").asText()).isEqualTo("APPLIED");
    job.observed(3, 3);
    awaitTerminal(job, 3);
    assertThat(Changes.sequences(job.page(""))).containsExactly(3L, 2L, 1L);
  }

  @Test
  void T12_a_resumed_job_goes_on_with_its_records_and_sequence_and_does_not_expire() {
    Changes job = running();
    job.observed(1, 2);
    String history = job.page("").get("historyId").asText();
    ends(job);
    awaitTerminal(job, 2);
    double resumed = changes("resumed");
    engine.job(job.jobId(), ScriptedEngine.graphAfter(0));
    job.observed(3, 3);
    await().atMost(PATIENCE).until(() -> changes("resumed") > resumed);
    assertThat(Changes.sequences(job.page(""))).containsExactly(3L, 2L, 1L);
    assertThat(record(job, 3).get("state").asText()).isEqualTo("IN_PROGRESS");
    now.updateAndGet(instant -> instant.plus(RETENTION));
    assertThat(Changes.sequences(job.page(""))).containsExactly(3L, 2L, 1L);
    assertThat(job.page("").get("historyId").asText()).isEqualTo(history);
  }

  @Test
  void T12_an_ended_one_is_kept_for_the_retention_and_then_gone() {
    Changes job = running();
    job.observed(1, 1);
    ends(job);
    awaitTerminal(job, 1);
    engine.job(job.jobId(), ScriptedEngine.unknown());
    now.updateAndGet(instant -> instant.plus(RETENTION).minusMillis(1));
    assertThat(Changes.sequences(job.page(""))).containsExactly(1L);
    now.updateAndGet(instant -> instant.plusMillis(1));
    assertThat(job.get("").statusCode()).isEqualTo(404);
  }

  @Test
  void T12_the_directory_tells_of_an_end_too() {
    Changes job = new Changes(gateway, JOBS.addAndGet(1));
    engine.job(job.jobId(), ScriptedEngine.unknown());
    PublicationBody published = PublicationBody.of(job.jobId());
    String path = "/jobs/" + job.jobId() + "/graph";
    assertThat(gateway.put(path, published.json()).statusCode()).isEqualTo(200);
    job.observed(1, 1);
    awaitAnswers("active", 2);
    assertThat(record(job, 1).get("state").asText()).isEqualTo("IN_PROGRESS");
    String ended = published.status("FINISHED").withoutGraph().json();
    assertThat(gateway.put(path, ended).statusCode()).isEqualTo(200);
    awaitTerminal(job, 1);
  }
}
