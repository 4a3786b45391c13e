package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.JobLister;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.Lookup;
import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of jobs as a client sees it, over real sockets. */
class JobsRouteTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Pattern ID = Pattern.compile("\"jobId\":\"([0-9]+)\"");
  private static final String INVALID =
      "{\"code\":\"INVALID_QUERY\",\"message\":\"The query has an unknown, repeated or unusable"
          + " parameter.\"}";
  private static final String NOT_YET =
      "{\"code\":\"JOBS_TEMPORARILY_UNAVAILABLE\",\"message\":\"The list of jobs is not there yet."
          + " Try again later.\"}";

  private static void awaitList(TestGateway gateway) {
    await().atMost(PATIENCE).until(() -> gateway.get("/jobs").statusCode() == 200);
  }

  private static List<String> ids(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    Matcher id = ID.matcher(answer.body());
    List<String> ids = new ArrayList<>();
    while (id.find()) {
      ids.add(id.group(1));
    }
    return ids;
  }

  /** A source with so many jobs; every tenth has ended. */
  private static final class Embedded implements JobGraphSource, JobLister {
    private final List<JobSummary> jobs;

    Embedded(int count) {
      jobs =
          LongStream.rangeClosed(1, count)
              .mapToObj(
                  id ->
                      new JobSummary(
                          id,
                          "job " + id,
                          id % 10 == 0 ? JobStatus.FAILED : JobStatus.RUNNING,
                          id % 10 != 0,
                          null,
                          null))
              .toList();
    }

    @Override
    public Call<Lookup> lookup(long jobId, Deadline deadline) {
      return Call.of(new Lookup.NotFound());
    }

    @Override
    public Call<JobListing> list(int most, Deadline deadline) {
      return Call.of(new JobListing.Read(jobs, true));
    }
  }

  @Test
  void the_engine_s_jobs_are_listed_with_their_age_by_id() {
    String active = JobInfo.of(30).json().replace("\"jobName\":\"j\"", "\"jobName\":\"a \\u00e4\"");
    String ended =
        JobInfo.of(200)
            .finished("2026-11-30 10:00:00")
            .json()
            .replace("\"RUNNING\"", "\"CANCELED\"");
    try (ScriptedEngine engine =
            new ScriptedEngine()
                .list("running-jobs", ScriptedEngine.body("[" + active + "]"))
                .list("finished-jobs/CANCELED", ScriptedEngine.body("[" + ended + "]"));
        TestGateway gateway = TestGateway.before(engine)) {
      awaitList(gateway);

      assertThat(
              gateway.get("/jobs").body().replaceFirst("\"ageMillis\":[0-9]+", "\"ageMillis\":0"))
          .isEqualTo(
              """
              {"schemaVersion":1,"ageMillis":0,"complete":true,"jobs":[\
              {"jobId":"200","name":"j","state":"CANCELED","createTime":"2026-11-30T09:41:54",\
              "finishTime":"2026-11-30T10:00:00","source":"ZETA"},\
              {"jobId":"30","name":"a ä","state":"RUNNING","createTime":"2026-11-30T09:41:54",\
              "finishTime":null,"source":"ZETA"}],"next":null}""");
      assertThat(gateway.metric("headgate_jobs_listed")).isEqualTo(2);
    }
  }

  @Test
  void L8_the_answers_have_the_headers_of_every_answer() {
    try (TestGateway gateway = TestGateway.recorded()) {
      awaitList(gateway);
      for (String path : List.of("/jobs", "/jobs?limit=0")) {
        HttpResponse<String> answer = gateway.get(path);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(answer.headers().firstValue("cache-control")).hasValue("private, no-store");
        assertThat(answer.headers().firstValue("x-content-type-options")).hasValue("nosniff");
        assertThat(answer.headers().firstValue("content-length"))
            .hasValue(Integer.toString(answer.body().length()));
        assertThat(answer.headers().firstValue("etag")).isEmpty();
      }
    }
  }

  @Test
  void head_gives_the_headers_without_the_body() {
    try (TestGateway gateway = TestGateway.recorded();
        RawClient client = new RawClient(gateway.port())) {
      awaitList(gateway);
      String answer =
          client
              .send("HEAD /jobs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
              .receive(PATIENCE)
              .text();
      assertThat(answer).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
      assertThat(answer.toLowerCase(java.util.Locale.ROOT))
          .containsPattern("content-length: [1-9][0-9]+");
    }
  }

  @Test
  void recorded_jobs_list_themselves() {
    try (TestGateway gateway = TestGateway.recorded()) {
      awaitList(gateway);
      HttpResponse<String> answer = gateway.get("/jobs?state=RUNNING");
      assertThat(ids(answer)).contains("1179718928818176001", "1179718928820000001").hasSize(6);
      assertThat(answer.body())
          .contains("\"name\":\"branch\"", "\"source\":\"RECORDED\"", "\"complete\":true");
    }
  }

  @Test
  void pages_follow_one_another_and_together_are_the_list() {
    try (TestGateway gateway = TestGateway.embedding(new Embedded(2_345))) {
      awaitList(gateway);
      assertThat(ids(gateway.get("/jobs"))).hasSize(100).startsWith("2345");
      assertThat(ids(gateway.get("/jobs?limit=1000"))).hasSize(1000);

      List<String> all = new ArrayList<>();
      String after = "";
      do {
        HttpResponse<String> page = gateway.get("/jobs?limit=1000" + after);
        all.addAll(ids(page));
        Matcher next = Pattern.compile("\"next\":\"([0-9]+)\"").matcher(page.body());
        after = next.find() ? "&after=" + next.group(1) : "";
      } while (!after.isEmpty());
      assertThat(all)
          .containsExactlyElementsOf(
              LongStream.rangeClosed(1, 2_345).mapToObj(id -> Long.toString(2_346 - id)).toList());

      assertThat(ids(gateway.get("/jobs?state=FAILED&limit=3&after=100")))
          .containsExactly("90", "80", "70");
      assertThat(ids(gateway.get("/jobs?after=1&state=FAILED"))).isEmpty();
      assertThat(ids(gateway.get("/jobs?state=PENDING"))).isEmpty();
      assertThat(ids(gateway.get("/jobs?"))).hasSize(100);
    }
  }

  @Test
  void a_query_that_is_not_exactly_as_described_is_400() {
    try (TestGateway gateway = TestGateway.recorded()) {
      awaitList(gateway);
      for (String query :
          List.of(
              "limit",
              "limit=",
              "limit=0",
              "limit=1001",
              "limit=-1",
              "limit=+1",
              "limit=01",
              "limit=1e2",
              "limit=%31",
              "limit=99999999999999999999",
              "limit=5&limit=5",
              "limit=5&",
              "&limit=5",
              "limit=5&&after=7",
              "limit=5;after=7",
              "Limit=5",
              "%6Cimit=5",
              "after=",
              "after=0",
              "after=-7",
              "after=07",
              "after=9223372036854775808",
              "after=7&after=8",
              "state=",
              "state=running",
              "state=RUNNING,FAILED",
              "state=RUNNIN%47",
              "state=RUNNING&state=FAILED",
              "state=UNKNOWN",
              "order=asc",
              "=",
              "&")) {
        HttpResponse<String> answer = gateway.get("/jobs?" + query);
        assertThat(answer.statusCode()).as(query).isEqualTo(400);
        assertThat(answer.body()).isEqualTo(INVALID);
      }
    }
  }

  @Test
  void other_methods_are_405_and_other_spellings_of_the_path_404() throws Exception {
    try (TestGateway gateway = TestGateway.recorded("http.basePath", "/v1")) {
      await().atMost(PATIENCE).until(() -> gateway.get("/v1/jobs").statusCode() == 200);
      for (String method : List.of("POST", "PUT", "PATCH", "DELETE", "OPTIONS")) {
        HttpResponse<String> answer =
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(gateway.uri("/v1/jobs"))
                        .version(HttpClient.Version.HTTP_1_1)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                    HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(method).isEqualTo(405);
        assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD");
      }
      for (String path : List.of("/jobs", "/v1/jobs/", "/v1/%6Aobs", "/v1//jobs", "/v1/Jobs")) {
        assertThat(gateway.get(path).statusCode()).as(path).isEqualTo(404);
      }
    }
  }

  @Test
  void before_the_first_reading_it_is_503_whatever_the_reason() {
    URI nobody;
    try (ScriptedEngine gone = new ScriptedEngine()) {
      nobody = gone.uri();
    }
    try (ScriptedEngine hanging = new ScriptedEngine().list("running-jobs", ScriptedEngine.hang());
        ScriptedEngine malformed =
            new ScriptedEngine().list("running-jobs", ScriptedEngine.body("[{]"))) {
      for (URI member : List.of(nobody, hanging.uri(), malformed.uri())) {
        try (TestGateway gateway = TestGateway.before(List.of(member))) {
          HttpResponse<String> answer = gateway.get("/jobs");
          assertThat(answer.statusCode()).isEqualTo(503);
          assertThat(answer.body()).isEqualTo(NOT_YET);
          assertThat(answer.headers().firstValue("retry-after").orElse("")).matches("[1-3]");
          assertThat(gateway.get("/jobs?limit=0").statusCode()).isEqualTo(400);
        }
      }
    }
  }

  @Test
  void requests_cause_no_reading_and_take_no_permit() {
    try (ScriptedEngine engine = new ScriptedEngine();
        TestGateway gateway = TestGateway.before(engine)) {
      awaitList(gateway);
      int before = engine.listRequests().size();
      assertThat(before).as("an overview and five lists").isEqualTo(6);
      for (int request = 0; request < 200; request++) {
        assertThat(gateway.get("/jobs").statusCode()).isEqualTo(200);
      }
      assertThat(engine.listRequests()).hasSize(before);
      assertThat(gateway.metric("headgate_permits_granted_total{pool=\"lineage\"}")).isZero();
    }
  }

  @Test
  void an_embedded_source_that_cant_list_its_jobs_makes_the_list_incomplete() {
    JobGraphSource source = (jobId, deadline) -> Call.of(new Lookup.NotFound());
    try (TestGateway gateway = TestGateway.embedding(source)) {
      awaitList(gateway);
      assertThat(gateway.get("/jobs").body()).contains("\"complete\":false,\"jobs\":[],");
    }
  }

  @Test
  void L24_with_users_the_list_needs_one(@TempDir Path folder) throws Exception {
    String hash =
        at.favre.lib.crypto.bcrypt.BCrypt.withDefaults().hashToString(10, "pw".toCharArray());
    Path users = Files.writeString(folder.resolve("users"), "u:" + hash + ":read\n");
    try (TestGateway gateway =
        TestGateway.recorded("http.auth.basic.usersFile", users.toString()).unchecked()) {
      assertThat(gateway.get("/jobs").statusCode()).isEqualTo(401);
      String credentials = java.util.Base64.getEncoder().encodeToString("u:pw".getBytes());
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  gateway.get("/jobs", "Authorization", "Basic " + credentials).statusCode()
                      == 200);
    }
  }

  @Test
  void L19_pages_that_nobody_reads_count_as_unwritten_bytes() {
    try (TestGateway gateway =
        TestGateway.embedding(
            new Embedded(5_000),
            "http.instances",
            "1",
            "limits.responseBytes",
            "1MiB",
            "admission.unwrittenBytes",
            "1MiB")) {
      awaitList(gateway);
      List<RawClient> clients = new ArrayList<>();
      try {
        for (int i = 0; i < 20; i++) {
          RawClient client = new RawClient(gateway.port());
          clients.add(client);
          client.send("GET /jobs?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n".repeat(50));
        }
        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () -> assertThat(gateway.metric("headgate_unwritten_evicted_total")).isPositive());
        assertThat(gateway.metric("headgate_unwritten_bytes")).isLessThanOrEqualTo(1 << 20);
      } finally {
        clients.forEach(RawClient::close);
      }
    }
  }

  @Test
  void a_stop_ends_a_reading_under_way() {
    try (ScriptedEngine engine = new ScriptedEngine().list("running-jobs", ScriptedEngine.hang())) {
      TestGateway gateway = TestGateway.before(engine);
      await().atMost(PATIENCE).until(() -> engine.listRequests().size() == 2);
      CompletableFuture<Void> closing = CompletableFuture.runAsync(gateway::close);
      assertThat(closing).succeedsWithin(PATIENCE);
    }
  }
}
