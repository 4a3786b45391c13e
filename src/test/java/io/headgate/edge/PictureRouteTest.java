package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.JobInfo;
import io.headgate.kit.PaintingGateway;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures as their clients get them: ids, methods, headers, conditions, errors. */
class PictureRouteTest {
  private static ScriptedEngine engine;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine().otherwise(ScriptedEngine.unknown());
    engine.job(7, ScriptedEngine.graphAfter(0));
    engine.job(8, ScriptedEngine.status(503));
    engine.job(9, (r, id, v) -> r.response().end(JobInfo.of(9).name("<b>&\u202e").json()));
    engine.job(
        5,
        ScriptedEngine.body(
            "{\"jobId\":\"5\",\"jobStatus\":\"RUNNING\",\"createTime\":\"2026-11-30 09:41:54\","
                + "\"jobDag\":\"null\"}"));
    engine.job(6, (r, id, v) -> r.response().end(JobInfo.of(6).nodes(11).json()));
    gateway = TestGateway.before(engine, "limits.nodes", "10");
  }

  @AfterAll
  static void stop() {
    gateway.close();
    engine.close();
  }

  private static String path(Object jobId) {
    return "/job-lineage/" + jobId + "/graph.svg";
  }

  @Test
  void a_picture_may_do_nothing_and_be_kept_by_nobody() {
    HttpResponse<String> response = gateway.get(path(7));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().map())
        .containsEntry("content-type", java.util.List.of("image/svg+xml"))
        .containsEntry("content-security-policy", java.util.List.of("default-src 'none'; sandbox"))
        .containsEntry("referrer-policy", java.util.List.of("no-referrer"))
        .containsEntry("x-content-type-options", java.util.List.of("nosniff"))
        .containsEntry("cache-control", java.util.List.of("private, no-store"));
    assertThat(response.headers().firstValueAsLong("Content-Length").orElseThrow())
        .isEqualTo(response.body().getBytes(StandardCharsets.UTF_8).length);
    assertThat(response.headers().firstValue("ETag").orElseThrow())
        .matches("\"[A-Za-z0-9_-]{24}\"");
    assertThat(response.body()).startsWith("<svg ").contains("SOURCE 1", "stage 2", "db.t3");
  }

  @Test
  void hostile_names_are_text() {
    assertThat(gateway.get(path(9)).body())
        .contains("&lt;b&gt;&amp;\uFFFD 1")
        .doesNotContain("<b>", "\u202e");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "007", "%37", "", "abc", "9223372036854775808"})
  void L1_ids_are_read_as_those_of_lineage_are(String id) {
    int calls = engine.calls();
    assertThat(gateway.get(path(id)).body()).contains("INVALID_JOB_ID");
    assertThat(gateway.get(path(id)).statusCode()).isEqualTo(400);
    assertThat(engine.calls()).isEqualTo(calls);
  }

  @ParameterizedTest
  @CsvSource({
    "42, 404, JOB_NOT_FOUND",
    "5, 409, LINEAGE_UNAVAILABLE",
    "6, 413, LINEAGE_GRAPH_TOO_LARGE",
    "8, 503, LINEAGE_TEMPORARILY_UNAVAILABLE"
  })
  void L21_where_there_is_no_lineage_the_answer_is_that_of_its_own_route(
      int jobId, int status, String code) {
    HttpResponse<String> response = gateway.get(path(jobId));
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).startsWith("{\"code\":\"" + code + "\"");
    assertThat(response.body()).isEqualTo(gateway.lineage(jobId).body());
    assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(response.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 503);
  }

  @Test
  void other_paths_and_methods_are_none_of_this_route() {
    assertThat(gateway.get("/job-lineage/7/graph.png").statusCode()).isEqualTo(404);
    assertThat(gateway.get("/job-lineage/7/graph.svg/").statusCode()).isEqualTo(404);
    assertThat(gateway.get("/job-lineage/7/8/graph.svg").statusCode()).isEqualTo(404);
    HttpResponse<String> response = gateway.delete(path(7));
    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @Test
  void head_has_the_headers_of_get_and_no_body() {
    HttpResponse<String> get = gateway.get(path(7));
    HttpResponse<String> head = gateway.head(path(7));
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    for (String name : new String[] {"etag", "content-length", "content-type"}) {
      assertThat(head.headers().firstValue(name)).isEqualTo(get.headers().firstValue(name));
    }
  }

  @Test
  void L9_a_client_that_has_the_picture_gets_304_and_nothing_is_drawn_for_it() {
    String etag = gateway.get(path(7)).headers().firstValue("ETag").orElseThrow();
    assertThat(gateway.lineage(7).headers().firstValue("ETag").orElseThrow()).isNotEqualTo(etag);
    try (TestGateway other = TestGateway.before(engine)) {
      HttpResponse<String> response = other.get(path(7), "If-None-Match", "\"x\", W/" + etag);
      assertThat(response.statusCode()).isEqualTo(304);
      assertThat(response.body()).isEmpty();
      assertThat(response.headers().firstValue("ETag")).contains(etag);
      assertThat(response.headers().firstValue("Content-Type")).isEmpty();
      assertThat(other.metric("headgate_permits_granted_total{pool=\"picture\"}")).isZero();
      assertThat(other.get(path(7), "If-None-Match", "\"x\"").statusCode()).isEqualTo(200);
    }
    assertThat(gateway.get(path(42), "If-None-Match", "*").statusCode()).isEqualTo(404);
  }

  @Test
  void the_same_answer_gives_the_same_picture_at_every_gateway_and_is_drawn_once_at_each() {
    try (TestGateway one = TestGateway.before(engine, "admission.freshness", "0");
        TestGateway other = TestGateway.before(engine)) {
      HttpResponse<String> first = one.get(path(7));
      for (int i = 0; i < 3; i++) {
        assertThat(one.get(path(7)).body()).isEqualTo(first.body());
      }
      assertThat(other.get(path(7)).body()).isEqualTo(first.body());
      assertThat(other.get(path(7)).headers().firstValue("ETag"))
          .isEqualTo(first.headers().firstValue("ETag"));
      assertThat(one.metric("headgate_picture_drawn_total{form=\"full\"}")).isEqualTo(1);
      assertThat(one.metric("headgate_picture_reused_total")).isEqualTo(3);
    }
  }

  @Test
  void other_caps_make_another_picture_with_another_tag() {
    try (TestGateway capped = TestGateway.before(engine, "picture.nodes", "2")) {
      HttpResponse<String> response = capped.get(path(7));
      assertThat(response.body()).contains("Drawn in groups").contains("job-lineage/7");
      assertThat(response.headers().firstValue("ETag"))
          .isNotEqualTo(gateway.get(path(7)).headers().firstValue("ETag"));
      assertThat(capped.metric("headgate_picture_drawn_total{form=\"grouped\"}")).isEqualTo(1);
    }
  }

  @Test
  void L13_a_picture_over_the_response_cap_is_413() {
    try (TestGateway capped = TestGateway.before(engine, "limits.responseBytes", "1KiB")) {
      assertThat(capped.lineage(7).statusCode()).isEqualTo(200);
      HttpResponse<String> response = capped.get(path(7));
      assertThat(response.statusCode()).isEqualTo(413);
      assertThat(response.body()).contains("LINEAGE_GRAPH_TOO_LARGE");
      assertThat(
              capped.metric(
                  "headgate_picture_outcomes_total{reason=\"response-bytes\",status=\"413\"}"))
          .isEqualTo(1);
    }
  }

  @Test
  void L16_at_the_deadline_the_client_is_answered_and_the_permit_stays_taken_until_the_end() {
    try (PaintingGateway held = new PaintingGateway("picture.deadline", "300ms")) {
      HttpResponse<String> response = held.picture(1);
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.body()).contains("LINEAGE_TEMPORARILY_UNAVAILABLE");
      assertThat(response.headers().firstValue("Retry-After")).isPresent();
      assertThat(held.permitsUsed()).isEqualTo(1);

      // The same picture is not begun again meanwhile, nor another, and lineage goes on.
      assertThat(held.picture(1).statusCode()).isEqualTo(503);
      assertThat(held.picture(2).statusCode()).isEqualTo(503);
      assertThat(held.begun()).isEqualTo(1);
      for (int jobId = 1; jobId < 10; jobId++) {
        assertThat(held.get("/job-lineage/" + jobId).statusCode()).isEqualTo(200);
      }

      held.release();
      held.awaitNothingHeld();
      assertThat(held.metric("headgate_permits_ended_total{ending=\"dropped\",pool=\"picture\"}"))
          .isEqualTo(1);
      assertThat(held.metric("headgate_picture_overdue_total")).isEqualTo(1);
      assertThat(held.picture(2).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void L15_without_a_permit_another_picture_is_refused_at_once() {
    try (PaintingGateway held = new PaintingGateway("picture.deadline", "60s")) {
      CompletableFuture<HttpResponse<String>> first = held.pictureLater(1);
      await().until(() -> held.begun() == 1);

      assertThat(held.picture(2).statusCode()).isEqualTo(503);
      assertThat(held.metric("headgate_picture_outcomes_total{reason=\"busy\",status=\"503\"}"))
          .isEqualTo(1);
      assertThat(first).isNotDone();

      held.release();
      assertThat(first.join().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void L17_all_who_ask_for_one_picture_share_one_drawing() {
    try (PaintingGateway held = new PaintingGateway("picture.deadline", "60s")) {
      CompletableFuture<HttpResponse<String>> first = held.pictureLater(1);
      CompletableFuture<HttpResponse<String>> second = held.pictureLater(1);
      await().until(() -> held.metric("headgate_picture_waiting") == 2);

      held.release();
      assertThat(first.join().statusCode()).isEqualTo(200);
      assertThat(second.join().body()).isEqualTo(first.join().body());
      assertThat(held.begun()).isEqualTo(1);
    }
  }

  @Test
  void no_permit_of_lineage_is_held_while_a_picture_is_drawn() {
    try (PaintingGateway held =
        new PaintingGateway("picture.deadline", "60s", "admission.permits", "1")) {
      CompletableFuture<HttpResponse<String>> first = held.pictureLater(1);
      await().until(() -> held.begun() == 1);

      assertThat(held.metric("headgate_permits_used{pool=\"lineage\"}")).isZero();
      assertThat(held.get("/job-lineage/2").statusCode()).isEqualTo(200);

      held.release();
      assertThat(first.join().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_lookup_for_a_picture_takes_no_permit_of_lineage() {
    CompletableFuture<Void> released = new CompletableFuture<>();
    try (ScriptedEngine slow = new ScriptedEngine()) {
      slow.job(1, (request, id, v) -> released.thenRun(() -> request.response().end(graphOf(1))));
      slow.job(2, ScriptedEngine.graphAfter(0));
      try (TestGateway single =
          TestGateway.before(slow, "admission.permits", "1", "admission.deadline", "9s")) {
        CompletableFuture<HttpResponse<String>> first = single.getAsync(path(1));
        await().until(() -> used(single, "picture-lookups") == 1);

        assertThat(used(single, "lineage")).isZero();
        assertThat(single.lineage(2).statusCode()).isEqualTo(200);
        HttpResponse<String> other = single.get(path(3));
        assertThat(other.statusCode()).as("a second lookup for a picture").isEqualTo(503);

        // Whoever asks for the lineage itself joins it.
        CompletableFuture<HttpResponse<String>> joined = single.getAsync("/job-lineage/1");
        await().until(() -> single.metric("headgate_flights_waiting") == 2);
        released.complete(null);
        assertThat(first.join().statusCode()).isEqualTo(200);
        assertThat(joined.join().statusCode()).isEqualTo(200);
      }
    }
  }

  private static String graphOf(long jobId) {
    return JobInfo.of(jobId).json();
  }

  private static double used(TestGateway gateway, String pool) {
    return gateway.metric("headgate_permits_used{pool=\"" + pool + "\"}");
  }

  @Test
  void the_next_drawing_begins_when_the_last_one_has_been_rested_from() {
    try (PaintingGateway held = new PaintingGateway("picture.deadline", "60s")) {
      CompletableFuture<HttpResponse<String>> first = held.pictureLater(1);
      await().until(() -> held.begun() == 1);
      long seen = System.nanoTime();
      await().pollDelay(Duration.ofMillis(100)).until(() -> true);
      long released = System.nanoTime();
      held.release();
      assertThat(first.join().statusCode()).isEqualTo(200);

      assertThat(held.picture(2).statusCode()).isEqualTo(200);
      assertThat(Duration.ofNanos(System.nanoTime() - released))
          .as("from the end of a drawing to the end of the next")
          .isGreaterThanOrEqualTo(Duration.ofNanos(9 * (released - seen)));
    }
  }

  @Test
  void a_rest_is_no_longer_than_a_tenth_of_the_deadline() {
    try (PaintingGateway held = new PaintingGateway("picture.deadline", "400ms")) {
      assertThat(held.picture(1).statusCode()).as("held past its deadline").isEqualTo(503);
      held.release();
      held.awaitNothingHeld();

      assertThat(held.picture(2).statusCode())
          .as("nine times as long would be past the deadline")
          .isEqualTo(200);
    }
  }
}
