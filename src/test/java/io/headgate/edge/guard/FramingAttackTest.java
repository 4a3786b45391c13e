package io.headgate.edge.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.edge.guard.FramingVectors.Fate;
import io.headgate.edge.guard.FramingVectors.Vector;
import io.headgate.kit.Certificates;
import io.headgate.kit.JobInfo;
import io.headgate.kit.LoopTurns;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawResponse;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * E-B1: requests whose framing two parsers could read in two ways, each with another request right
 * behind it that the gateway would answer 200. Where the rules refuse the first, the second must
 * never be answered.
 */
class FramingAttackTest {
  private static final Set<Integer> REFUSALS = Set.of(400, 408, 414, 417, 431, 501);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final byte[] FOLLOW_UP =
      "GET /job-lineage/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private static ScriptedEngine engine;
  private static TestGateway gateway;
  private static LoopTurns turns;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(0));
    gateway = TestGateway.before(engine, "http.instances", "1", "admission.freshness", "1m");
    turns = new LoopTurns(gateway.port());
  }

  @AfterAll
  static void stop() {
    turns.close();
    gateway.close();
    engine.close();
  }

  static List<Vector> vectors() {
    return FramingVectors.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void at_once(Vector vector) {
    try (RawClient client = new RawClient(gateway.port())) {
      send(client, withFollowUp(vector));
      check(vector, client.receive(PATIENCE));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void in_two_segments(Vector vector) {
    byte[] bytes = withFollowUp(vector);
    int head = vector.bytes().length;
    for (int cut : new int[] {1, head / 3, head - 2, head - 1, head, head + 1}) {
      try (RawClient client = new RawClient(gateway.port())) {
        client.send(Arrays.copyOf(bytes, cut));
        turns.await();
        send(client, Arrays.copyOfRange(bytes, cut, bytes.length));
        check(vector, client.receive(PATIENCE));
      }
    }
  }

  static Stream<Vector> some() {
    Set<String> names =
        Set.of(
            "get",
            "fold by a space",
            "two Hosts",
            "length and coding",
            "coding gzip, chunked",
            "content with GET",
            "headers far too long",
            "length longer than what comes",
            "HTTP/1.0");
    List<Vector> chosen = vectors().stream().filter(v -> names.contains(v.name())).toList();
    assertThat(chosen).hasSameSizeAs(names);
    return chosen.stream();
  }

  @Test
  void over_tls() throws Exception {
    Certificates certificates = Certificates.forLoopback();
    try (TestGateway secure =
        TestGateway.before(
                engine,
                "http.tls.certificate",
                certificates.certificate().toString(),
                "http.tls.key",
                certificates.key().toString())
            .unchecked()) {
      for (Vector vector : some().toList()) {
        try (RawClient client = new RawClient(certificates.connect(secure.port(), "http/1.1"))) {
          check(vector, client.send(withFollowUp(vector)).receive(PATIENCE));
        }
      }
    }
  }

  @Test
  void a_refused_head_request_is_answered_without_a_body() {
    try (RawClient client = new RawClient(gateway.port())) {
      String request = "HEAD /job-lineage/7 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
      RawClient.Received received = client.send(request).send(FOLLOW_UP).receive(PATIENCE);
      assertThat(received.responses()).isEqualTo(1);
      assertThat(received.status()).isEqualTo(400);
      assertThat(received.text()).contains("content-length: ").endsWith("\r\n\r\n");
      assertThat(received.closed()).isTrue();
    }
  }

  /** Sends as much as the other side takes: it may have seen enough to refuse and close. */
  private static void send(RawClient client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (UncheckedIOException e) {
      assertThat(e).hasRootCauseInstanceOf(SocketException.class);
    }
  }

  private static byte[] withFollowUp(Vector vector) {
    byte[] both = Arrays.copyOf(vector.bytes(), vector.bytes().length + FOLLOW_UP.length);
    System.arraycopy(FOLLOW_UP, 0, both, vector.bytes().length, FOLLOW_UP.length);
    return both;
  }

  private static void check(Vector vector, RawClient.Received received) {
    List<RawResponse> responses = RawResponse.all(received.bytes());
    assertThat(received.closed()).as("closed").isTrue();
    assertThat(responses).hasSize(vector.fate() == Fate.ANSWERED ? 2 : 1);
    RawResponse first = responses.get(0);
    assertThat(first.status()).isEqualTo(vector.status());
    if (vector.status() == 302) {
      assertThat(first.headers()).containsEntry("location", "ui/");
      assertThat(first.body()).isEmpty();
    } else if (vector.status() == 200) {
      assertL8(first);
      assertThat(first.body()).isEqualTo(JobInfo.of(5).lineage());
    } else {
      assertL8(first);
      assertThat(first.body())
          .matches("\\{\"code\":\"[A-Z_]+\",\"message\":\"[A-Za-z0-9 ,.'-]+\"\\}");
    }
    if (vector.fate() == Fate.REFUSED) {
      assertThat(REFUSALS).contains(first.status());
    }
    if (vector.fate() == Fate.ANSWERED) {
      assertThat(responses.get(1).status()).isEqualTo(200);
      assertThat(responses.get(1).body()).isEqualTo(JobInfo.of(7).lineage());
    } else if (!vector.name().startsWith("HTTP/1.0")) {
      assertThat(first.headers()).containsEntry("connection", "close");
    }
  }

  private static void assertL8(RawResponse response) {
    assertThat(response.headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("cache-control", "private, no-store")
        .containsEntry("x-content-type-options", "nosniff")
        .containsKey("content-length");
  }
}
