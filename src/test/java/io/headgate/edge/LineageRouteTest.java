package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The route as its clients see it: ids, methods, headers, conditions. */
class LineageRouteTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static ScriptedEngine engine;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine().otherwise(ScriptedEngine.unknown());
    engine.job(7, ScriptedEngine.graphAfter(0));
    engine.job(Long.MAX_VALUE, ScriptedEngine.graphAfter(0));
    engine.job(
        9, (r, id, v) -> r.response().end(JobInfo.of(9).name("naïve \uD83D\uDE00 /").json()));
    engine.job(11, (r, id, v) -> r.response().end(JobInfo.of(11).nodes(2000).json()));
    gateway = TestGateway.before(engine);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "+7",
        "007",
        "7.0",
        "0x7",
        "%37",
        "7%20",
        "%207",
        "",
        "7/",
        "abc",
        "9223372036854775808",
        "99999999999999999999",
        "18446744073709551617",
        "7;a=b",
        "%D9%A7",
        "7,8",
        "1e1"
      })
  void L1_anything_but_a_positive_64_bit_decimal_is_400_and_nobody_is_asked(String segment) {
    int calls = engine.calls();
    double permits = gateway.metric("headgate_permits_granted_total{pool=\"lineage\"}");

    HttpResponse<String> response = gateway.get("/job-lineage/" + segment);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body())
        .isEqualTo(
            "{\"code\":\"INVALID_JOB_ID\",\"message\":\"The job id is not a positive 64-bit decimal"
                + " number.\"}");
    assertThat(engine.calls()).isEqualTo(calls);
    assertThat(gateway.metric("headgate_permits_granted_total{pool=\"lineage\"}"))
        .isEqualTo(permits);
  }

  @Test
  void L1_the_largest_id_is_an_id_and_a_query_string_is_none_of_it() {
    assertThat(gateway.lineage(Long.MAX_VALUE).body())
        .isEqualTo(JobInfo.of(Long.MAX_VALUE).lineage());
    assertThat(gateway.get("/job-lineage/7?pretty=true").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "/job-lineage, 404, NOT_FOUND",
    "/job-lineage/7/graph, 404, NOT_FOUND",
    "/Job-Lineage/7, 404, NOT_FOUND",
    "//, 404, NOT_FOUND",
    "/%2e%2e/etc, 404, NOT_FOUND",
    "/job-lineage/42, 404, JOB_NOT_FOUND"
  })
  void L21_unknown_routes_and_unknown_jobs_have_the_same_envelope(
      String path, int status, String code) {
    HttpResponse<String> response = gateway.get(path);
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).startsWith("{\"code\":\"" + code + "\",\"message\":\"");
    assertL8(response);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"})
  void other_methods_are_405_with_allow(String method) {
    String answer =
        raw(
            method
                + " /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 405 ").containsIgnoringCase("\r\nallow: GET, HEAD\r\n");
    String withBody =
        raw(
            method
                + " /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi");
    assertThat(withBody).matches("(?s)HTTP/1\\.1 (405|400) .*");
  }

  @Test
  void L8_headers_of_success() {
    HttpResponse<String> response = gateway.lineage(7);
    assertThat(response.statusCode()).isEqualTo(200);
    assertL8(response);
    assertThat(response.headers().firstValue("ETag").orElseThrow())
        .matches("\"[A-Za-z0-9_-]{24}\"");
    assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
  }

  @Test
  void L8_content_length_counts_bytes_and_no_coding_is_applied() {
    HttpResponse<String> response = gateway.lineage(9, "Accept-Encoding", "gzip, br, deflate");
    assertThat(response.body()).isEqualTo(JobInfo.of(9).name("naïve \uD83D\uDE00 /").lineage());
    assertThat(response.headers().firstValueAsLong("Content-Length").orElseThrow())
        .isEqualTo(response.body().getBytes(StandardCharsets.UTF_8).length);
    assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
  }

  @Test
  void head_has_the_headers_of_get_and_no_body() {
    int length = gateway.lineage(7).body().length();
    String answer =
        raw("HEAD /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertThat(answer)
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("content-length: " + length)
        .containsIgnoringCase("etag: \"")
        .endsWith("\r\n\r\n");
    assertThat(raw("HEAD /job-lineage/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .endsWith("\r\n\r\n");
  }

  @Test
  void L9_a_matching_condition_is_304_without_a_body() {
    String etag = gateway.lineage(7).headers().firstValue("ETag").orElseThrow();
    for (String condition :
        new String[] {
          etag,
          "W/" + etag,
          "*",
          "\"x\", " + etag,
          "\"a,b\" ,W/" + etag + ", \"c\"",
          etag + ",",
          "\"\"," + etag
        }) {
      String answer =
          raw(
              "GET /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: "
                  + condition
                  + "\r\n\r\n");
      assertThat(answer)
          .as(condition)
          .startsWith("HTTP/1.1 304 ")
          .containsIgnoringCase("\r\netag: " + etag + "\r\n")
          .containsIgnoringCase("\r\ncache-control: private, no-store\r\n")
          .doesNotContainIgnoringCase("\r\ncontent-type:")
          .doesNotContainIgnoringCase("content-length")
          .doesNotContainIgnoringCase("transfer-encoding")
          .endsWith("\r\n\r\n");
    }
    String twoLines =
        raw(
            "GET /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: \"x\"\r\nIf-None-Match: "
                + etag
                + "\r\n\r\n");
    assertThat(twoLines).startsWith("HTTP/1.1 304 ");
  }

  @Test
  void L9_other_conditions_are_200_and_errors_ignore_them() {
    String etag = gateway.lineage(7).headers().firstValue("ETag").orElseThrow();
    String bare = etag.substring(1, etag.length() - 1);
    for (String condition :
        new String[] {
          "\"x\"", bare, "\"" + bare, etag + "x", "w/" + etag, "\"x" + etag, "", "*, " + bare
        }) {
      String answer =
          raw(
              "GET /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: "
                  + condition
                  + "\r\n\r\n");
      assertThat(answer).as(condition).startsWith("HTTP/1.1 200 ");
    }
    assertThat(gateway.lineage(42, "If-None-Match", "*").statusCode()).isEqualTo(404);
  }

  @Test
  void L13_a_large_answer_arrives_whole_and_pipelined_requests_in_order() {
    String expected = JobInfo.of(11).nodes(2000).lineage();
    assertThat(expected.length()).isGreaterThan(2 * Committer.PIECE_BYTES);
    assertThat(gateway.lineage(11).body()).isEqualTo(expected);

    String two =
        "GET /job-lineage/11 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            + "GET /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    String answers = raw(two);
    int second = answers.indexOf("HTTP/1.1 200", 12);
    assertThat(answers.substring(0, second)).endsWith(expected);
    assertThat(answers).endsWith(JobInfo.of(7).lineage());
  }

  @Test
  void a_base_path_stands_in_front_of_the_route_and_not_of_health() {
    try (TestGateway based = TestGateway.before(engine, "http.basePath", "/gate/v1")) {
      assertThat(based.get("/gate/v1/job-lineage/7").statusCode()).isEqualTo(200);
      assertThat(based.get("/job-lineage/7").statusCode()).isEqualTo(404);
      assertThat(based.get("/health/live").statusCode()).isEqualTo(200);
      assertThat(based.get("/health/ready").statusCode()).isEqualTo(200);
      assertThat(based.get("/metrics").statusCode()).isEqualTo(200);
    }
  }

  private static void assertL8(HttpResponse<String> response) {
    assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(response.headers().firstValue("Cache-Control")).contains("private, no-store");
    assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(response.headers().firstValueAsLong("Content-Length").orElseThrow())
        .isEqualTo(response.body().getBytes(StandardCharsets.UTF_8).length);
  }

  /** Everything that the gateway says to a request that asks it to close the connection then. */
  private static String raw(String closing) {
    try (RawClient client = new RawClient(gateway.port())) {
      RawClient.Received received = client.send(closing).receive(PATIENCE);
      assertThat(received.closed()).as("closed after %s", received.text()).isTrue();
      return received.text();
    }
  }
}
