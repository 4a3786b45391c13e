package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.headgate.kit.AccessLines;
import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each request that began has a line, however it ended, over real sockets. */
class AccessLogTest {
  private static final long LARGE = 9;
  private static final Duration SOON = Duration.ofSeconds(20);

  private static ScriptedEngine engine;
  private static TestGateway gateway;
  private static AccessLines lines;

  @BeforeAll
  static void start(@TempDir Path folder) {
    lines = new AccessLines(folder.resolve("access.log"));
    engine = new ScriptedEngine().otherwise(ScriptedEngine.unknown());
    engine.job(7, ScriptedEngine.graphAfter(30));
    engine.job(8, ScriptedEngine.hang());
    engine.job(
        LARGE, ScriptedEngine.body(JobInfo.of(LARGE).nodes(9_500).name("n".repeat(600)).json()));
    gateway =
        TestGateway.before(
            engine,
            "accessLog.file",
            lines.file().toString(),
            "http.basePath",
            "/gate",
            "admission.deadline",
            "2s",
            "admission.freshness",
            "10s",
            "source.zeta.abandonAfter",
            "2s");
  }

  @AfterAll
  static void stop() {
    gateway.close();
    engine.close();
  }

  private static String head(String id) {
    return " HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: " + id + "\r\n\r\n";
  }

  @Test
  void a_file_has_lines_of_all_that_a_page_brings_with_it() {
    gateway.get("/gate/ui/style.css", "X-Request-Id", "style");
    assertThat(lines.one("style").path("route").asText()).isEqualTo("/ui/*");
  }

  @Test
  void an_answer_that_was_looked_up_has_its_phases_and_the_next_one_has_none() {
    gateway.get("/gate/job-lineage/7", "X-Request-Id", "first");
    JsonNode first = lines.one("first");
    assertThat(first.path("remote").asText()).isEqualTo("127.0.0.1");
    assertThat(first.path("protocol").asText()).isEqualTo("HTTP/1.1");
    assertThat(first.path("method").asText()).isEqualTo("GET");
    assertThat(first.path("route").asText()).isEqualTo("/job-lineage/{jobId}");
    assertThat(first.path("path").asText()).isEqualTo("/gate/job-lineage/7");
    assertThat(first.path("job").asText()).isEqualTo("7");
    assertThat(first.path("status").asInt()).isEqualTo(200);
    assertThat(first.path("reason").asText()).isEqualTo("ok");
    assertThat(first.path("outcome").asText()).isEqualTo("answered");
    assertThat(first.path("lookupUs").asLong()).isGreaterThanOrEqualTo(30_000);
    assertThat(first.path("projectUs").asLong()).isPositive();
    assertThat(first.has("user")).isFalse();
    long parts = 0;
    for (String part : List.of("waitUs", "lookupUs", "projectUs", "writeUs")) {
      assertThat(first.has(part)).as(part).isTrue();
      parts += first.path(part).asLong();
    }
    assertThat(first.path("totalUs").asLong()).isGreaterThanOrEqualTo(parts);

    int bytes = gateway.get("/gate/job-lineage/7", "X-Request-Id", "next").body().length();
    JsonNode next = lines.one("next");
    assertThat(next.path("bytes").asInt()).isEqualTo(bytes);
    assertThat(next.has("lookupUs")).isFalse();
    assertThat(next.path("workUs").asLong()).isLessThan(first.path("totalUs").asLong());
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /gate/job-lineage/7x, 400, invalid-job-id, /job-lineage/{jobId}",
    "GET, /gate/job-lineage/404, 404, not-found, /job-lineage/{jobId}",
    "DELETE, /gate/job-lineage/7, 405, method-not-allowed, /job-lineage/{jobId}",
    "GET, /gate/job-info/7/schema-evolution, 404, not-found, /job-info/{jobId}/schema-evolution",
    "PUT, /gate/jobs/7/graph, 404, not-found, /jobs/{jobId}/graph",
    "POST, /gate/event/report, 404, not-found, /event/report",
    "POST, /gate/fn/bundles/a/inputs/b/c, 404, not-found, /fn/bundles/{bundleId}/inputs/{transform}/{name}",
    "GET, /health/live, 200, , /health/live",
    "GET, /gate/ui/, 200, ok, /ui/",
    "GET, /gate/ui/jobs/7, 200, ok, /ui/jobs/{jobId}",
    "GET, /gate/ui/nothing-of-ours, 404, not-found, /ui/*",
    "GET, /gate/ui, 302, , /ui/",
    "GET, /metrics, 200, , /metrics",
    "GET, /gate/health/live, 404, not-found, other",
    "GET, /elsewhere, 404, not-found, other",
    "BREW, /gate/jobs, 405, method-not-allowed, /jobs",
  })
  void every_route_has_lines_with_status_reason_and_a_name_from_a_closed_set(
      String method, String path, int status, String reason, String route) {
    String id = method + path.replace('/', '-');
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(method + " " + path + head(id)).response(SOON);
    }
    JsonNode line = lines.one(id);
    assertThat(line.path("status").asInt()).isEqualTo(status);
    assertThat(line.path("reason").asText("")).isEqualTo(reason == null ? "" : reason);
    assertThat(line.path("route").asText()).isEqualTo(route);
    assertThat(line.path("method").asText()).isEqualTo(method);
    assertThat(line.path("outcome").asText()).isEqualTo("answered");
  }

  @Test
  void a_304_and_a_HEAD_have_no_bytes() {
    String etag = gateway.get("/gate/job-lineage/7").headers().firstValue("ETag").orElseThrow();
    gateway.get("/gate/job-lineage/7", "If-None-Match", etag, "X-Request-Id", "unchanged");
    gateway.head("/gate/job-lineage/7", "X-Request-Id", "head");
    assertThat(lines.one("unchanged").path("status").asInt()).isEqualTo(304);
    assertThat(lines.one("unchanged").path("bytes").asInt()).isZero();
    assertThat(lines.one("head").path("status").asInt()).isEqualTo(200);
    assertThat(lines.one("head").path("bytes").asInt()).isZero();
  }

  @Test
  void a_head_that_the_guards_refuse_has_a_line_that_repeats_nothing_of_it() {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send("GET /secret-of-nobody HTTP/1.1\r\n\r\n").receive(SOON);
    }
    try (RawClient client = new RawClient(gateway.port())) {
      client.send("\u0001\u001b[31mGET / HTTP/1.1\r\nHost: a\r\n\r\n").receive(SOON);
    }
    await().atMost(SOON).until(() -> lines.ofRoute("refused").size() >= 2);
    for (JsonNode line : lines.ofRoute("refused")) {
      assertThat(line.path("status").asInt()).isEqualTo(400);
      assertThat(line.path("reason").asText()).isEqualTo("invalid-request");
      assertThat(line.has("path")).isFalse();
      assertThat(line.has("method")).isFalse();
    }
  }

  @Test
  void a_client_that_leaves_before_its_answer_has_a_line_without_a_status() {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send("GET /gate/job-lineage/8" + head("gone"));
      await().atMost(SOON).until(() -> engine.open() > 0);
    }
    JsonNode line = lines.one("gone");
    assertThat(line.path("outcome").asText()).isEqualTo("left");
    assertThat(line.has("status")).isFalse();
    assertThat(line.path("bytes").asInt()).isZero();
    gateway.awaitNothingHeld(SOON);
    assertThat(lines.of("gone")).as("no second line when its lookup ends").hasSize(1);
  }

  @Test
  void a_client_that_leaves_in_the_midst_of_its_answer_has_a_line_that_says_cut() {
    await().atMost(SOON).until(() -> gateway.get("/gate/job-lineage/" + LARGE).statusCode() == 200);
    try (RawClient client = new RawClient(gateway.port())) {
      client.send("GET /gate/job-lineage/" + LARGE + head("cut")).read(1_000, SOON);
      client.reset();
    }
    JsonNode line = lines.one("cut");
    assertThat(line.path("outcome").asText()).isEqualTo("cut");
    assertThat(line.path("status").asInt()).isEqualTo(200);
    assertThat(line.path("bytes").asLong()).isBetween(1_000L, 5_600_000L);
  }

  @Test
  void streams_of_one_connection_have_lines_of_their_own_and_one_may_be_reset() {
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      client.settings();
      client.get(1, "/gate/job-lineage/7", "x-request-id", "stream-1");
      client.get(3, "/gate/job-lineage/8", "x-request-id", "stream-3");
      client.flush();
      assertThat(client.answer(1).status()).isEqualTo(200);
      await().atMost(SOON).until(() -> engine.open() > 0);
      client.reset(3, 8).flush();
      assertThat(lines.one("stream-3").path("outcome").asText()).isEqualTo("left");
    }
    JsonNode line = lines.one("stream-1");
    assertThat(line.path("protocol").asText()).isEqualTo("HTTP/2");
    assertThat(line.path("status").asInt()).isEqualTo(200);
    assertThat(line.path("outcome").asText()).isEqualTo("answered");
    gateway.awaitNothingHeld(SOON);
  }

  @Test
  void what_a_client_chose_appears_escaped_and_cut_and_its_query_not_at_all() {
    String rightToLeft = "\u00e2\u0080\u00ae\"}"; // as bytes of UTF-8
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          "GET /gate/'%0a%1b[31m\"\\{}"
              + "x".repeat(600)
              + "?password=hunter2"
              + head(rightToLeft));
      assertThat(client.response(SOON).status()).isEqualTo(404);
      client.send("GET /gate/jobs?token=hunter2" + head("with-query")).response(SOON);
    }
    assertThat(lines.one("with-query").path("path").asText()).isEqualTo("/gate/jobs");
    JsonNode line = lines.one(rightToLeft);
    assertThat(line.path("path").asText())
        .startsWith("/gate/'%0a%1b[31m\"\\{}xxx")
        .endsWith("xxx...")
        .hasSize(259);
    assertThat(lines.all().toString()).doesNotContain("hunter2");
  }

  @Test
  void bytes_that_HTTP_2_lets_into_a_path_are_escaped() {
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      client.settings();
      client.get(1, "/gate/\u00e2\u0080\u00ae\"", "x-request-id", "escape").flush();
      assertThat(client.answer(1).status()).isEqualTo(404);
    }
    assertThat(lines.one("escape").path("path").asText()).isEqualTo("/gate/\u00e2\u0080\u00ae\"");
  }

  @Test
  void hundreds_of_disconnects_leave_one_line_for_each_request_that_began() {
    Random random = new Random(52);
    int tries = 500;
    for (int i = 0; i < tries; i++) {
      byte[] whole =
          ("GET /gate/job-lineage/7" + head("broken-" + i)).getBytes(StandardCharsets.US_ASCII);
      byte[] sent = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
      RawClient.disconnect(gateway.port(), sent, random.nextInt(3));
    }
    gateway.get("/gate/jobs", "X-Request-Id", "after-all");
    lines.one("after-all");
    gateway.awaitNothingHeld(SOON);
    Set<String> seen = new HashSet<>();
    for (JsonNode line : lines.all()) {
      String id = line.path("requestId").asText();
      assertThat(!id.startsWith("broken-") || seen.add(id)).as(id).isTrue();
    }
  }

  @Test
  void a_user_is_named_once_known_and_credentials_never_are(@TempDir Path folder) throws Exception {
    String hash =
        at.favre.lib.crypto.bcrypt.BCrypt.withDefaults().hashToString(10, "hunter2".toCharArray());
    Path users = Files.writeString(folder.resolve("users"), "alice:" + hash + ":read\n");
    AccessLines own = new AccessLines(folder.resolve("access.log"));
    try (TestGateway closed =
        TestGateway.recorded(
                "http.auth.basic.usersFile",
                users.toString(),
                "accessLog.file",
                own.file().toString())
            .unchecked()) {
      for (String[] who : new String[][] {{"alice:hunter2", "in"}, {"hunter2:x", "out"}}) {
        String basic =
            java.util.Base64.getEncoder().encodeToString(who[0].getBytes(StandardCharsets.UTF_8));
        closed.get("/jobs", "Authorization", "Basic " + basic, "X-Request-Id", who[1]);
      }
    }
    assertThat(own.one("in").path("user").asText()).isEqualTo("alice");
    assertThat(own.one("out").path("status").asInt()).isEqualTo(401);
    assertThat(own.one("out").has("user")).isFalse();
    assertThat(Files.readString(own.file())).doesNotContain("hunter2");
  }

  @Test
  void what_is_there_when_the_gateway_stops_is_still_written(@TempDir Path folder) {
    AccessLines own = new AccessLines(folder.resolve("access.log"));
    try (TestGateway short_lived =
        TestGateway.recorded("accessLog.file", own.file().toString()).unchecked()) {
      short_lived.get("/jobs", "X-Request-Id", "last");
    }
    assertThat(own.all()).anyMatch(line -> line.path("requestId").asText().equals("last"));
  }
}
