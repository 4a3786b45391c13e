package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.directory.DirectoryUnavailableException;
import io.headgate.directory.PublishOutcome;
import io.headgate.graph.Unavailability;
import io.headgate.kit.JobInfo;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.PublishingGateway;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawResponse;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What services publish over HTTP, and what they are told. */
class PublishRouteTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static PublishingGateway gateway;

  @BeforeAll
  static void start() {
    gateway = new PublishingGateway("admission.freshness", "0", "limits.nodes", "50");
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static void assertSays(HttpResponse<String> response, int status, String code) {
    assertThat(response.statusCode()).isEqualTo(status);
    ErrorCode known = ErrorCode.valueOf(code);
    assertThat(response.body()).isEqualTo(known.body());
    assertThat(known.status()).isEqualTo(status);
    assertThat(response.headers().firstValue("retry-after").isPresent()).isEqualTo(status == 503);
  }

  private static void assertResult(HttpResponse<String> response, String result) {
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"result\":\"" + result + "\"}");
  }

  @Test
  void a_published_graph_is_served_and_the_same_again_changes_nothing() {
    PublicationBody body = PublicationBody.of(100);
    assertThat(gateway.get("/job-lineage/100").statusCode()).isEqualTo(404);
    assertResult(gateway.put(100, body.json()), "PUBLISHED");
    assertThat(gateway.get("/job-lineage/100").body()).isEqualTo(JobInfo.of(100).lineage());
    assertResult(gateway.put(100, body.json()), "UNCHANGED");

    JobInfo other = JobInfo.of(100).nodes(5);
    assertResult(gateway.put(100, PublicationBody.of(other).json()), "PUBLISHED");
    assertThat(gateway.get("/job-lineage/100").body()).isEqualTo(other.lineage());
  }

  @Test
  void L8_an_answer_has_the_headers_of_every_answer() {
    for (HttpResponse<String> response :
        List.of(
            gateway.put(110, PublicationBody.of(110).json()),
            gateway.put(110, "{}"),
            gateway.delete(110),
            gateway.delete(110))) {
      assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
      assertThat(response.headers().firstValue("cache-control")).hasValue("private, no-store");
      assertThat(response.headers().firstValue("x-content-type-options")).hasValue("nosniff");
      assertThat(response.headers().firstValue("content-length"))
          .hasValue(Integer.toString(response.body().length()));
    }
  }

  @Test
  void a_state_may_come_before_its_graph() {
    PublicationBody body = PublicationBody.of(120);
    assertResult(gateway.put(120, body.status("PENDING").withoutGraph().json()), "PUBLISHED");
    assertThat(gateway.get("/job-lineage/120").statusCode()).isEqualTo(409);
    assertResult(gateway.put(120, body.json()), "PUBLISHED");
    assertResult(gateway.put(120, body.status("FAILING").withoutGraph().json()), "PUBLISHED");
    assertThat(gateway.get("/job-lineage/120").body()).isEqualTo(JobInfo.of(120).lineage());
  }

  @Test
  void a_lower_epoch_is_stale_and_an_execution_that_ended_stays_ended() {
    PublicationBody body = PublicationBody.of(130);
    assertResult(gateway.put(130, body.epoch(2).json()), "PUBLISHED");
    assertSays(gateway.put(130, body.epoch(1).json()), 409, "STALE_EPOCH");
    assertResult(
        gateway.put(130, body.epoch(2).status("FINISHED").withoutGraph().json()), "PUBLISHED");
    assertSays(gateway.put(130, body.epoch(2).json()), 409, "EXECUTION_ENDED");
    assertThat(gateway.get("/job-lineage/130").body()).isEqualTo(JobInfo.of(130).lineage());
    assertResult(gateway.put(130, body.epoch(3).json()), "PUBLISHED");
  }

  @Test
  void delete_removes_all_of_a_job_even_its_epochs() {
    PublicationBody body = PublicationBody.of(140);
    assertSays(gateway.delete(140), 404, "JOB_NOT_FOUND");
    assertResult(gateway.put(140, body.epoch(9).json()), "PUBLISHED");
    assertResult(gateway.delete(140), "REMOVED");
    assertThat(gateway.get("/job-lineage/140").statusCode()).isEqualTo(404);
    assertResult(gateway.put(140, body.epoch(1).json()), "PUBLISHED");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-1", "007", "+7", "%37", "9223372036854775808", "7.0", "x", "", "7%2F"})
  void L1_an_id_that_is_none_is_400_before_anything_else_is_looked_at(String segment) {
    int changes = gateway.directory().changes();
    double permits = gateway.metric("headgate_permits_granted_total{pool=\"publications\"}");
    String request =
        "PUT /jobs/"
            + segment
            + "/graph HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: 2\r\n\r\n{}";
    try (RawClient client = new RawClient(gateway.port())) {
      RawClient.Received received = client.send(request).receive(PATIENCE);
      assertThat(received.closed()).as("the body was not read").isTrue();
      assertThat(RawResponse.all(received.bytes()))
          .singleElement()
          .satisfies(
              response -> {
                assertThat(response.status()).isEqualTo(400);
                assertThat(response.body()).isEqualTo(ErrorCode.INVALID_JOB_ID.body());
              });
    }
    assertThat(gateway.directory().changes()).isEqualTo(changes);
    assertThat(gateway.metric("headgate_permits_granted_total{pool=\"publications\"}"))
        .isEqualTo(permits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/jobs/7", "/jobs/7/graph/", "/jobs/7/8/graph", "/jobs/graph", "/graph"})
  void other_paths_are_no_such_resource(String path) {
    String request = "PUT " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}";
    try (RawClient client = new RawClient(gateway.port())) {
      RawClient.Received received = client.send(request).receive(PATIENCE);
      assertThat(received.status()).isEqualTo(404);
      assertThat(received.text()).endsWith(ErrorCode.NOT_FOUND.body());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PATCH", "OPTIONS", "TRACE"})
  void other_methods_are_405_and_the_answer_names_those_there_are(String method) {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(method + " /jobs/7/graph HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      assertThat(RawResponse.all(client.receive(PATIENCE).bytes()))
          .singleElement()
          .satisfies(
              response -> {
                assertThat(response.status()).isEqualTo(405);
                assertThat(response.headers()).containsEntry("allow", "PUT, DELETE");
              });
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "7",
        "{",
        "{}x",
        "{\"status\":\"RUNNING\",\"createdAt\":\"2026-11-30T09:41:54Z\"}",
        "{\"epoch\":1,\"createdAt\":\"2026-11-30T09:41:54Z\"}",
        "{\"epoch\":1,\"status\":\"RUNNING\"}",
        "{\"epoch\":1,\"status\":\"RUNNING\",\"createdAt\":\"2026-11-30T09:41:54Z\",\"more\":1}"
      })
  void a_body_of_another_form_is_400(String body) {
    int changes = gateway.directory().changes();
    assertSays(gateway.put(7, body), 400, "INVALID_BODY");
    assertThat(gateway.directory().changes()).isEqualTo(changes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[",
        "{\"a\":",
        "{\"epoch\":1,\"graph\":{\"vertexInfoMap\":[{\"tablePaths\":[\"a\",\"b\",",
      })
  void a_body_made_to_cost_more_than_it_weighs_is_refused(String begin) {
    int again = begin.length() > 10 ? begin.lastIndexOf("\"a\"") : 0;
    String bomb = begin + begin.substring(again).repeat((4 << 20) / (begin.length() - again));
    assertThat(gateway.put(7, bomb).statusCode()).isIn(400, 413);
  }

  @Test
  void the_example_of_the_documentation_is_published() throws Exception {
    String page = Files.readString(Path.of("docs", "rest.md"));
    int from = page.indexOf("/jobs/7/graph -d '") + "/jobs/7/graph -d '".length();
    String example = page.substring(from, page.indexOf("'", from));
    gateway.delete(7);
    assertResult(gateway.put(7, example), "PUBLISHED");
    assertThat(gateway.get("/job-lineage/7").body()).contains("shop.orders", "lake.orders");
    gateway.delete(7);
  }

  @Test
  void L10_a_graph_that_contradicts_itself_is_422_and_what_is_known_stays() {
    PublicationBody body = PublicationBody.of(150);
    assertResult(gateway.put(150, body.json()), "PUBLISHED");
    double loops = gateway.answers(422, "self-loop");
    String loop = body.graph().replace("\"targetVertexId\":\"2\"", "\"targetVertexId\":\"1\"");
    assertSays(gateway.put(150, body.graph(loop).json()), 422, "INVALID_JOB_GRAPH");
    assertThat(gateway.answers(422, "self-loop")).isEqualTo(loops + 1);
    assertThat(gateway.get("/job-lineage/150").body()).isEqualTo(JobInfo.of(150).lineage());
  }

  @Test
  void L10_a_graph_of_another_job_is_422() {
    String others = PublicationBody.of(161).json();
    assertSays(gateway.put(160, others), 422, "INVALID_JOB_GRAPH");
    assertThat(gateway.directory().record(160)).isNull();
    assertThat(gateway.directory().record(161)).isNull();
  }

  @Test
  void L12_at_a_limit_is_published_and_one_over_is_413() {
    JobInfo at = JobInfo.of(170).nodes(50);
    assertResult(gateway.put(170, PublicationBody.of(at).json()), "PUBLISHED");
    assertThat(gateway.get("/job-lineage/170").body()).isEqualTo(at.lineage());
    assertSays(
        gateway.put(170, PublicationBody.of(at.nodes(51)).json()), 413, "LINEAGE_GRAPH_TOO_LARGE");
    assertThat(gateway.answers(413, "nodes")).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"FULL, 503, DIRECTORY_FULL", "STALE_EPOCH, 409, STALE_EPOCH"})
  void what_the_directory_decides_is_told(PublishOutcome outcome, int status, String code) {
    try (PublishingGateway own = new PublishingGateway()) {
      own.directory().answer(outcome);
      assertSays(own.put(7, PublicationBody.of(7).json()), status, code);
    }
  }

  @Test
  void L21_a_directory_that_fails_is_503_or_500_and_the_reason_is_counted() {
    String body = PublicationBody.of(7).json();
    try (PublishingGateway own = new PublishingGateway()) {
      own.directory().fail(new DirectoryUnavailableException(Unavailability.STOPPING));
      assertSays(own.put(7, body), 503, "DIRECTORY_TEMPORARILY_UNAVAILABLE");
      assertSays(own.delete(7), 503, "DIRECTORY_TEMPORARILY_UNAVAILABLE");
      assertThat(own.answers(503, "stopping")).isEqualTo(2);
      own.directory().fail(new IllegalStateException("secret"));
      assertSays(own.put(7, body), 500, "INTERNAL_ERROR");
      assertSays(own.delete(7), 500, "INTERNAL_ERROR");
      assertThat(own.answers(500, "internal")).isEqualTo(2);
      own.directory().fail(null);
      assertResult(own.put(7, body), "PUBLISHED");
    }
  }

  @Test
  void L16_a_directory_that_hangs_is_503_at_the_deadline_and_costs_its_permit_until_it_answers() {
    try (PublishingGateway own = new PublishingGateway("admission.deadline", "300ms")) {
      own.directory().hold();
      long began = System.nanoTime();
      assertSays(
          own.put(7, PublicationBody.of(7).json()), 503, "DIRECTORY_TEMPORARILY_UNAVAILABLE");
      assertSays(own.delete(8), 503, "DIRECTORY_TEMPORARILY_UNAVAILABLE");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(590));
      assertThat(own.answers(503, "deadline")).isEqualTo(2);
      assertThat(own.publicationsUnderWay()).isEqualTo(2);

      assertSays(own.delete(9), 503, "DIRECTORY_TEMPORARILY_UNAVAILABLE");
      assertThat(own.answers(503, "busy")).isEqualTo(1);

      own.directory().release();
      own.awaitNothingHeld();
      assertThat(
              own.metric("headgate_permits_ended_total{ending=\"dropped\",pool=\"publications\"}"))
          .isEqualTo(2);
      assertThat(own.get("/job-lineage/7").body())
          .as("it was made all the same")
          .isEqualTo(JobInfo.of(7).lineage());
      assertResult(own.put(7, PublicationBody.of(7).json()), "UNCHANGED");
    }
  }

  @Test
  void L15_without_a_permit_503_at_once_and_lineage_is_untouched() {
    ExecutorService clients = Executors.newCachedThreadPool();
    try (PublishingGateway own =
        new PublishingGateway(
            "source.directory.permits",
            "1",
            "admission.permits",
            "1",
            "admission.freshness",
            "0")) {
      assertResult(own.put(7, PublicationBody.of(7).json()), "PUBLISHED");
      own.directory().hold();
      var held = CompletableFuture.supplyAsync(() -> own.delete(8), clients);
      await().atMost(PATIENCE).until(() -> own.publicationsUnderWay() == 1);

      List<CompletableFuture<HttpResponse<String>>> others = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String body = PublicationBody.of(7).json();
        others.add(CompletableFuture.supplyAsync(() -> own.put(7, body), clients));
      }
      others.forEach(other -> assertSays(other.join(), 503, "DIRECTORY_TEMPORARILY_UNAVAILABLE"));
      assertThat(own.answers(503, "busy")).isEqualTo(20);
      assertThat(own.directory().changes()).isEqualTo(2);
      assertThat(own.get("/job-lineage/7").body()).isEqualTo(JobInfo.of(7).lineage());
      assertThat(own.metric("headgate_permits_refused_total{pool=\"lineage\"}")).isZero();

      own.directory().release();
      assertSays(held.join(), 404, "JOB_NOT_FOUND");
    } finally {
      clients.shutdownNow();
    }
  }
}
