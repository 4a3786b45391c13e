package io.headgate.edge.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.RawResponse;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A request is answered with the same status, headers and bytes over HTTP/2 as over HTTP/1.1. */
class Http2ParityTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LARGE_WINDOW = 16 << 20;

  private static ScriptedEngine engine;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine();
    engine.job(7, ScriptedEngine.graphAfter(0));
    engine.job(9, ScriptedEngine.body(JobInfo.of(9).nodes(9_500).name("n".repeat(100)).json()));
    engine.job(10, ScriptedEngine.body("{\"jobId\":\"10\",\"jobStatus\":\"RUNNING\"}"));
    engine.job(11, ScriptedEngine.status(500));
    gateway = TestGateway.before(engine, "admission.freshness", "1m");
  }

  @AfterAll
  static void stop() {
    gateway.close();
    engine.close();
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /job-lineage/7, 200",
    "GET, /job-lineage/7?a=b, 200",
    "GET, /job-lineage/9, 200",
    "GET, /job-lineage/8, 404",
    "GET, /job-lineage/007, 400",
    "GET, /job-lineage/7/x, 404",
    "GET, /nowhere, 404",
    "GET, /job-lineage/10, 409",
    "GET, /job-lineage/11, 503",
    "DELETE, /job-lineage/7, 405",
    "POST, /job-lineage/7, 405",
    "PUT, /health/live, 405",
    "GET, /health/live, 200",
    "GET, /health/ready, 200",
    "OPTIONS, *, 404"
  })
  void the_same_answer(String method, String path, int status) {
    RawResponse one = http1(method, path);
    RawHttp2.Answer two = http2(method, path);

    assertThat(one.status()).isEqualTo(status);
    assertThat(two.status()).isEqualTo(status);
    assertThat(two.body()).isEqualTo(one.body());
    assertThat(steady(two.headers())).isEqualTo(steady(one.headers()));
    assertThat(two.headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("cache-control", "private, no-store")
        .containsEntry("x-content-type-options", "nosniff");
  }

  @Test
  void L9_the_same_304() {
    String etag = http1("GET", "/job-lineage/7").headers().get("etag");
    RawResponse one = http1("GET", "/job-lineage/7", "If-None-Match: " + etag + "\r\n");
    RawHttp2.Answer two = http2("GET", "/job-lineage/7", "if-none-match", etag);

    assertThat(one.status()).isEqualTo(304);
    assertThat(two.status()).isEqualTo(304);
    assertThat(two.body()).isEmpty();
    assertThat(steady(two.headers())).isEqualTo(steady(one.headers())).containsEntry("etag", etag);
  }

  @ParameterizedTest
  @CsvSource({"/job-lineage/7", "/job-lineage/8", "/job-lineage/x", "/health/live"})
  void head_has_the_headers_of_get_and_no_body(String path) {
    RawHttp2.Answer get = http2("GET", path);
    RawHttp2.Answer head = http2("HEAD", path);

    assertThat(head.status()).isEqualTo(get.status());
    assertThat(head.body()).isEmpty();
    assertThat(head.headers()).isEqualTo(get.headers()).containsKey("content-length");
  }

  private static RawResponse http1(String method, String path, String... headers) {
    try (RawClient client = new RawClient(gateway.port())) {
      String head = method + " " + path + " HTTP/1.1\r\nHost: a\r\n" + String.join("", headers);
      RawClient.Received received =
          client.send(head + "Connection: close\r\n\r\n").receive(PATIENCE);
      return RawResponse.all(received.bytes()).get(0);
    }
  }

  private static RawHttp2.Answer http2(String method, String path, String... headers) {
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      client.settings(RawHttp2.INITIAL_WINDOW_SIZE, LARGE_WINDOW).window(0, LARGE_WINDOW);
      RawHttp2.Answer answer = client.request(1, method, path, headers).answer(1);
      assertThat(answer.ended()).isTrue();
      return answer;
    }
  }

  /** Without what HTTP/2 says in another way, and without the jitter of Retry-After. */
  private static Map<String, String> steady(Map<String, String> headers) {
    Map<String, String> steady = new TreeMap<>(headers);
    steady.remove(":status");
    steady.remove("connection");
    steady.computeIfPresent("retry-after", (name, value) -> "1 to 3");
    return steady;
  }
}
