package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headgate.kit.Changes;
import io.headgate.kit.JobInfo;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import io.vertx.core.Context;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Timelines as their readers see them (T13 to T15): reported and read over HTTP, kept by a real
 * member, in front of an engine that does what the test says. Each test has jobs of its own.
 */
class ShownTimelineTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final AtomicLong JOBS = new AtomicLong(1_000);

  private static ScriptedEngine engine;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine();
    gateway =
        TestGateway.before(
            engine,
            "hazelcast.enabled",
            "true",
            "admission.freshness",
            "0",
            "admission.permits",
            "6",
            "http.idleTimeout",
            "120s",
            "http.requestDeadline",
            "60s",
            "admission.deadline",
            "30s",
            "source.zeta.attemptTimeout",
            "30s",
            "source.zeta.abandonAfter",
            "30s",
            "limits.responseBytes",
            "128KiB");
  }

  @AfterAll
  static void stop() {
    gateway.close();
    engine.close();
  }

  private static Changes job() {
    return new Changes(gateway, JOBS.incrementAndGet());
  }

  private static Changes known() {
    Changes job = job();
    engine.job(job.jobId(), ScriptedEngine.graphAfter(0));
    return job;
  }

  private static void assertSays(HttpResponse<String> response, int status, String code) {
    assertThat(response.body()).startsWith("{\"code\":\"" + code + "\",");
    assertThat(response.statusCode()).isEqualTo(status);
    assertL8(response);
  }

  private static void assertL8(HttpResponse<String> response) {
    assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(response.headers().firstValue("Cache-Control")).contains("private, no-store");
    assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(response.headers().firstValueAsLong("Content-Length").orElseThrow())
        .isEqualTo(response.body().getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void T13_a_known_job_of_which_nothing_was_reported_has_no_records_whatever_its_graph_is() {
    Changes found = known();
    Changes inconsistent = job();
    engine.job(
        inconsistent.jobId(),
        ScriptedEngine.body(
            "{\"jobId\":\"%d\",\"jobStatus\":\"RUNNING\",\"jobDag\":null}"
                .formatted(inconsistent.jobId())));
    Changes ended = job();
    engine.job(
        ended.jobId(),
        (request, id, vertx) ->
            request.response().end(JobInfo.of(id).finished("2026-11-30 10:00:00").json()));
    Changes tooLarge = job();
    engine.job(
        tooLarge.jobId(),
        (request, id, vertx) -> request.response().end(JobInfo.of(id).nodes(2_000).json()));
    assertThat(gateway.lineage(inconsistent.jobId()).statusCode()).isEqualTo(409);
    assertThat(gateway.lineage(tooLarge.jobId()).statusCode()).isEqualTo(413);
    String history = found.page("").get("historyId").asText();
    assertThat(history).matches("[0-9a-f]{16}");
    for (Changes job : List.of(found, inconsistent, ended, tooLarge)) {
      HttpResponse<String> response = job.get("?limit=7&table=a");
      assertThat(response.body())
          .isEqualTo(
              "{\"schemaVersion\":1,\"jobId\":\""
                  + job.jobId()
                  + "\",\"historyId\":\""
                  + history
                  + "\",\"records\":[],\"nextBeforeSequence\":null,\"evictedRecords\":0,"
                  + "\"evictedUnresolved\":0,\"droppedEvents\":0,\"truncated\":false}");
      assertThat(response.statusCode()).isEqualTo(200);
    }
    found.observed(1, 1);
    assertThat(found.page("").get("historyId").asText()).as("its own").isNotEqualTo(history);
  }

  @Test
  void T13_an_unknown_job_is_404() {
    assertSays(job().get(""), 404, "JOB_NOT_FOUND");
  }

  @Test
  void T13_records_are_served_without_asking_the_source_even_when_that_is_down() {
    Changes job = job();
    engine.job(job.jobId(), ScriptedEngine.status(500));
    job.observed(1, 2);
    int calls = engine.calls();
    assertThat(Changes.sequences(job.page(""))).containsExactly(2L, 1L);
    assertThat(Changes.sequences(job.page("?table=none"))).isEmpty();
    assertThat(engine.calls()).isEqualTo(calls);
  }

  @Test
  void T13_without_records_a_source_that_is_down_is_503() {
    Changes job = job();
    engine.job(job.jobId(), ScriptedEngine.status(500));
    HttpResponse<String> response = job.get("");
    assertSays(response, 503, "TIMELINE_TEMPORARILY_UNAVAILABLE");
    assertThat(response.headers().firstValue("Retry-After").orElseThrow()).matches("[123]");
  }

  @Test
  void T13_the_newest_100_come_first_and_the_cursor_goes_on() {
    Changes job = job();
    job.observed(1, 130);
    JsonNode first = job.page("");
    assertThat(Changes.sequences(first))
        .containsExactlyElementsOf(descending(130, 31))
        .hasSize(100);
    assertThat(first.get("nextBeforeSequence").asLong()).isEqualTo(31);
    JsonNode second = job.page("?beforeSequence=31");
    assertThat(Changes.sequences(second)).containsExactlyElementsOf(descending(30, 1));
    assertThat(second.get("nextBeforeSequence").isNull()).isTrue();
    assertThat(Changes.sequences(job.page("?limit=1&beforeSequence=5"))).containsExactly(4L);
    assertThat(Changes.sequences(job.page("?limit=9999&beforeSequence=99999999999999999999")))
        .startsWith(130L);
  }

  private static List<Long> descending(long from, long to) {
    return LongStream.iterate(from, i -> i >= to, i -> i - 1).boxed().toList();
  }

  @Test
  void T13_filters_are_exact_and_take_source_and_target_tables() {
    Changes job = job();
    job.observed(1, 3);
    job.completed(1, "lake/t 1+", "APPLIED");
    job.completed(2, "lake.t2", "FAILED");
    assertThat(Changes.sequences(job.page("?table=shop.t3"))).containsExactly(3L);
    assertThat(Changes.sequences(job.page("?table=lake%2Ft+1%2B"))).containsExactly(1L);
    assertThat(Changes.sequences(job.page("?table=lake.T2"))).isEmpty();
    assertThat(Changes.sequences(job.page("?outcome=FAILED"))).containsExactly(2L);
    assertThat(Changes.sequences(job.page("?outcome=APPLIED&table=shop.t1"))).containsExactly(1L);
    assertThat(Changes.sequences(job.page("?outcome=IGNORED"))).isEmpty();
  }

  @Test
  void T13_fields_that_are_not_known_are_null_and_stages_without_a_report_are_named() {
    Changes job = job();
    job.observed(1, 1);
    JsonNode record = job.page("").get("records").get(0);
    for (String name : List.of("completedAt", "outcome", "reasonCode", "targetCount")) {
      assertThat(record.get(name).isNull()).as(name).isTrue();
    }
    assertThat(record.get("unavailableStages").toString())
        .contains("\"COMPLETED\"", "\"NORMALIZED\"")
        .doesNotContain("\"OBSERVED\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"limit=0", "limit=1&limit=1", "beforeSequence=x", "table=", "outcome=applied"})
  void T13_a_bad_or_repeated_parameter_is_400_before_a_permit_is_taken(String query) {
    Changes job = job();
    int calls = engine.calls();
    double granted = gateway.metric("headgate_permits_granted_total{pool=\"timelines\"}");
    assertSays(job.get("?" + query), 400, "INVALID_PARAMETER");
    assertThat(engine.calls()).isEqualTo(calls);
    assertThat(gateway.metric("headgate_permits_granted_total{pool=\"timelines\"}"))
        .isEqualTo(granted);
  }

  @Test
  void T13_an_unknown_parameter_is_ignored() {
    Changes job = job();
    job.observed(1, 1);
    assertThat(job.get("?color=red&color=blue").body()).isEqualTo(job.get("").body());
  }

  @Test
  void T14_walking_the_cursor_while_records_arrive_visits_each_that_was_there_once() {
    Changes job = job();
    job.observed(1, 60);
    List<Long> visited = new ArrayList<>();
    String cursor = "";
    int more = 61;
    while (cursor != null) {
      JsonNode page = job.page("?limit=7" + cursor);
      visited.addAll(Changes.sequences(page));
      JsonNode next = page.get("nextBeforeSequence");
      cursor = next.isNull() ? null : "&beforeSequence=" + next.asLong();
      job.observed(more, more + 4);
      more += 5;
    }
    assertThat(visited).containsExactlyElementsOf(descending(60, 1));
  }

  @Test
  void T14_a_page_ends_early_at_the_byte_cap_with_its_cursor_set() {
    Changes job = job();
    job.observed(1, 300);
    List<Long> visited = new ArrayList<>();
    long before = 301;
    while (before > 0) {
      HttpResponse<String> response = job.get("?limit=500&beforeSequence=" + before);
      assertThat(response.body().length()).isLessThanOrEqualTo(128 << 10);
      JsonNode page = job.page("?limit=500&beforeSequence=" + before);
      assertThat(Changes.sequences(page)).isNotEmpty();
      visited.addAll(Changes.sequences(page));
      before = page.get("nextBeforeSequence").asLong(); // null is 0
    }
    assertThat(visited).containsExactlyElementsOf(descending(300, 1));
    assertThat(job.page("?limit=500").get("nextBeforeSequence").isNull()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "+7", "007", "%37", "", "abc", "9223372036854775808", "7;a"})
  void T15_ids_are_those_of_lineage(String segment) {
    int calls = engine.calls();
    assertSays(gateway.get("/job-info/" + segment + "/schema-evolution"), 400, "INVALID_JOB_ID");
    assertThat(engine.calls()).isEqualTo(calls);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/job-info/7/schema-evolution/",
        "/job-info/7/Schema-Evolution",
        "/job-info/7/a/schema-evolution",
        "/job-info/schema-evolution",
        "/job-info/7"
      })
  void T15_other_paths_are_not_there(String path) {
    assertSays(gateway.get(path), 404, "NOT_FOUND");
  }

  @Test
  void T15_headers_and_conditions_are_those_of_lineage() {
    Changes job = job();
    job.observed(1, 2);
    HttpResponse<String> response = job.get("");
    assertL8(response);
    String etag = response.headers().firstValue("ETag").orElseThrow();
    assertThat(etag).matches("\"[A-Za-z0-9_-]+\"");
    for (String condition : List.of(etag, "W/" + etag, "\"x\", " + etag, "*")) {
      HttpResponse<String> same = job.get("", "If-None-Match", condition);
      assertThat(same.statusCode()).isEqualTo(304);
      assertThat(same.body()).isEmpty();
      assertThat(same.headers().firstValue("ETag")).contains(etag);
      assertThat(same.headers().firstValue("Content-Type")).isEmpty();
    }
    job.observed(3, 3);
    HttpResponse<String> changed = job.get("", "If-None-Match", etag);
    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(changed.headers().firstValue("ETag")).isNotEqualTo(etag);
    assertThat(known().get("").headers().firstValue("ETag")).as("without records").isPresent();
  }

  @Test
  void T15_HEAD_gives_the_headers_and_other_methods_are_405() {
    Changes job = job();
    job.observed(1, 1);
    HttpResponse<String> whole = job.get("");
    HttpResponse<String> head = gateway.head(job.path());
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("ETag")).isEqualTo(whole.headers().firstValue("ETag"));
    assertThat(head.headers().firstValue("Content-Length"))
        .isEqualTo(whole.headers().firstValue("Content-Length"));
    for (HttpResponse<String> refused :
        List.of(gateway.post(job.path(), "[]"), gateway.delete(job.path()))) {
      assertSays(refused, 405, "METHOD_NOT_ALLOWED");
      assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD");
    }
  }

  /** Lookups that the engine answers when the test says so. */
  private static final class Held {
    private final Queue<Runnable> calls = new ConcurrentLinkedQueue<>();

    Changes job() {
      Changes job = ShownTimelineTest.job();
      engine.job(
          job.jobId(),
          (request, id, vertx) -> {
            Context context = vertx.getOrCreateContext();
            String body = JobInfo.of(id).json();
            calls.add(() -> context.runOnContext(event -> request.response().end(body)));
          });
      return job;
    }

    void await(int count) {
      Awaitility.await().atMost(PATIENCE).until(() -> calls.size() == count);
    }

    void release() {
      calls.forEach(Runnable::run);
    }
  }

  @Test
  void T15_a_question_and_a_lineage_request_share_one_lookup() {
    Held held = new Held();
    Changes job = held.job();
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    asked.add(gateway.getAsync("/job-lineage/" + job.jobId()));
    held.await(1);
    double joined = gateway.metric("headgate_flights_joined_total");
    for (int i = 0; i < 3; i++) {
      asked.add(gateway.getAsync(job.path()));
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> gateway.metric("headgate_flights_joined_total") == joined + 3);
    held.release();
    asked.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(200));
    assertThat(held.calls).hasSize(1);
  }

  @Test
  void T15_questions_have_permits_of_their_own_and_more_of_them_are_refused_at_once() {
    Changes recorded = job();
    recorded.observed(1, 1);
    Changes other = known();
    Held held = new Held();
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      asked.add(gateway.getAsync(held.job().path()));
    }
    held.await(4);
    double busy = busy();
    assertSays(recorded.get(""), 503, "TIMELINE_TEMPORARILY_UNAVAILABLE");
    assertThat(busy()).isEqualTo(busy + 1);
    assertThat(gateway.lineage(other.jobId()).statusCode()).isEqualTo(200);
    held.release();
    asked.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(200));
    Awaitility.await().atMost(PATIENCE).until(() -> recorded.get("").statusCode() == 200);
  }

  @Test
  void T15_where_lineage_has_no_permit_left_records_are_served_and_other_jobs_are_503() {
    Changes recorded = job();
    recorded.observed(1, 1);
    Changes other = known();
    Held held = new Held();
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      asked.add(gateway.getAsync("/job-lineage/" + held.job().jobId()));
    }
    held.await(6);
    double busy = busy();
    assertThat(recorded.get("").statusCode()).isEqualTo(200);
    assertSays(other.get(""), 503, "TIMELINE_TEMPORARILY_UNAVAILABLE");
    assertThat(busy()).isEqualTo(busy + 1);
    held.release();
    asked.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(200));
  }

  @Test
  void T15_the_last_permit_of_lineage_is_not_for_questions() {
    Changes known = known();
    Held held = new Held();
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    Changes lookedUp = held.job();
    asked.add(gateway.getAsync("/job-lineage/" + lookedUp.jobId()));
    for (int i = 1; i < 5; i++) {
      asked.add(gateway.getAsync("/job-lineage/" + held.job().jobId()));
    }
    held.await(5);
    double joined = gateway.metric("headgate_flights_joined_total");
    assertSays(known.get(""), 503, "TIMELINE_TEMPORARILY_UNAVAILABLE");
    assertThat(gateway.lineage(known.jobId()).statusCode()).isEqualTo(200);
    asked.add(gateway.getAsync(lookedUp.path()));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> gateway.metric("headgate_flights_joined_total") == joined + 1);
    held.release();
    asked.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(200));
  }

  private static double busy() {
    double count =
        gateway.metric("headgate_timeline_outcomes_total{reason=\"busy\",status=\"503\"}");
    return Double.isNaN(count) ? 0 : count; // a series begins with its first answer
  }

  @Test
  void T15_where_timelines_are_off_the_route_is_not_there() {
    try (TestGateway without = TestGateway.recorded()) {
      assertSays(without.get("/job-info/7/schema-evolution"), 404, "NOT_FOUND");
    }
  }
}
