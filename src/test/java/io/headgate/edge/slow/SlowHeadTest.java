package io.headgate.edge.slow;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.Control;
import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.RawResponse;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * E-S1: clients that send slowly, or nothing, and others that wait for a slow answer and must not
 * be mistaken for them.
 */
class SlowHeadTest {
  private static final Duration HEADER_DEADLINE = Duration.ofMillis(500);
  private static final Duration IDLE = Duration.ofMillis(1500);
  private static final Duration SLACK = Duration.ofSeconds(3);
  private static final Duration EARLY = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int CLIENTS = 200;
  private static final String GET = "GET /job-lineage/7 HTTP/1.1\r\nHost: a\r\n\r\n";

  private static ScriptedEngine engine;
  private static TestGateway gateway;
  private static Control control;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(600));
    engine.job(7, ScriptedEngine.graphAfter(0));
    gateway =
        TestGateway.before(
            engine,
            "http.headerDeadline",
            "500ms",
            "admission.deadline",
            "1200ms",
            "http.requestDeadline",
            "1300ms",
            "http.idleTimeout",
            "1500ms",
            "admission.freshness",
            "1m");
    control = new Control(gateway.port(), 7);
  }

  @AfterAll
  static void stop() {
    control.close();
    gateway.close();
    engine.close();
  }

  /** Sends a byte of an endless header to each client now and then, as long as it is open. */
  private static AutoCloseable drip(List<RawClient> clients) {
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    thread.scheduleWithFixedDelay(
        () -> clients.forEach(SlowHeadTest::sendByte), 0, 50, TimeUnit.MILLISECONDS);
    return thread::shutdownNow;
  }

  private static void sendByte(RawClient client) {
    try {
      client.send("a");
    } catch (UncheckedIOException e) {
      // It has been cut.
    }
  }

  private static List<RawClient> connect(int count) {
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(new RawClient(gateway.port()));
    }
    return clients;
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  @Test
  void heads_that_drip_are_408_at_the_header_deadline_200_at_once() throws Exception {
    long began = System.nanoTime();
    List<RawClient> clients = connect(CLIENTS);
    clients.forEach(client -> client.send("GET /job-lineage/7 HTTP/1.1\r\nHost: a\r\nX: "));
    try (AutoCloseable drip = drip(clients)) {
      for (RawClient client : clients) {
        RawClient.Received received = client.receive(PATIENCE);
        assertThat(since(began))
            .isBetween(HEADER_DEADLINE.minus(EARLY), HEADER_DEADLINE.plus(SLACK));
        assertThat(received.closed()).isTrue();
        assertThat(RawResponse.all(received.bytes()))
            .singleElement()
            .satisfies(
                response -> {
                  assertThat(response.status()).isEqualTo(408);
                  assertThat(response.body()).startsWith("{\"code\":\"REQUEST_TIMEOUT\",");
                  assertThat(response.headers()).containsEntry("connection", "close");
                });
        client.close();
      }
    }
  }

  @Test
  void a_second_head_has_its_own_deadline_from_its_first_byte() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      RawClient.Received first = client.send(GET).receive(Duration.ofMillis(700));
      assertThat(first.status()).isEqualTo(200);
      assertThat(first.closed()).as("after longer than the header deadline").isFalse();
      long began = System.nanoTime();
      client.send("GET /job-lineage/7 HTTP/1.1\r\nX: ");
      try (AutoCloseable drip = drip(List.of(client))) {
        RawClient.Received second = client.receive(PATIENCE);
        assertThat(second.status()).isEqualTo(408);
        assertThat(second.responses()).isEqualTo(1);
      }
      assertThat(since(began)).isBetween(HEADER_DEADLINE.minus(EARLY), HEADER_DEADLINE.plus(SLACK));
    }
  }

  @Test
  void connections_that_send_nothing_are_closed_without_a_word() {
    long began = System.nanoTime();
    for (RawClient client : connect(50)) {
      RawClient.Received received = client.receive(PATIENCE);
      assertThat(received.closed()).isTrue();
      assertThat(received.bytes()).isEmpty();
      client.close();
    }
    assertThat(since(began)).isBetween(HEADER_DEADLINE.minus(EARLY), HEADER_DEADLINE.plus(SLACK));
  }

  @Test
  void empty_lines_do_not_hold_a_connection() {
    long began = System.nanoTime();
    try (RawClient client = new RawClient(gateway.port())) {
      assertThat(client.send("\r\n").receive(PATIENCE).bytes()).isEmpty();
      assertThat(since(began)).isBetween(HEADER_DEADLINE.minus(EARLY), HEADER_DEADLINE.plus(SLACK));
    }
  }

  @Test
  void a_connection_without_a_request_is_closed_at_the_idle_timeout() {
    try (RawClient client = new RawClient(gateway.port())) {
      long began = System.nanoTime();
      RawClient.Received received = client.send(GET).receive(PATIENCE);
      assertThat(received.responses()).isEqualTo(1);
      assertThat(received.closed()).isTrue();
      assertThat(since(began)).isBetween(IDLE.minus(EARLY), IDLE.plus(SLACK));
    }
  }

  @Test
  void a_connection_that_waits_for_answers_is_not_closed_however_long_they_take() {
    try (RawClient client = new RawClient(gateway.port())) {
      StringBuilder requests = new StringBuilder();
      for (int job = 101; job <= 104; job++) { // one after another, longer than the idle timeout
        requests.append("GET /job-lineage/" + job + " HTTP/1.1\r\nHost: a\r\n\r\n");
      }
      requests.insert(requests.length() - 2, "Connection: close\r\n");
      long began = System.nanoTime();
      RawClient.Received received = client.send(requests.toString()).receive(PATIENCE);
      assertThat(since(began)).isGreaterThan(IDLE.plus(EARLY));
      List<RawResponse> responses = RawResponse.all(received.bytes());
      assertThat(responses).hasSize(4);
      for (int i = 0; i < 4; i++) {
        assertThat(responses.get(i).body()).isEqualTo(JobInfo.of(101 + i).lineage());
      }
    }
  }

  @Test
  void a_late_head_is_refused_in_its_turn_behind_the_answer_before_it() {
    try (RawClient client = new RawClient(gateway.port())) {
      String both = "GET /job-lineage/201 HTTP/1.1\r\nHost: a\r\n\r\nGET /job-lineage/7 HT";
      List<RawResponse> responses = RawResponse.all(client.send(both).receive(PATIENCE).bytes());
      assertThat(responses).extracting(RawResponse::status).containsExactly(200, 408);
      assertThat(responses.get(0).body()).isEqualTo(JobInfo.of(201).lineage());
    }
  }

  @Test
  void half_a_preface_half_a_frame_and_pings_do_not_hold_an_http2_connection() throws Exception {
    byte[] half = RawHttp2.frame(RawHttp2.HEADERS, 5, 1, RawHttp2.head("GET", "/job-lineage/7"));
    long began = System.nanoTime();
    try (RawClient preface = new RawClient(gateway.port());
        RawHttp2 settings = new RawHttp2(gateway.port()).settings();
        RawHttp2 frame = new RawHttp2(gateway.port()).settings();
        RawHttp2 pings = new RawHttp2(gateway.port()).settings()) {
      preface.send("PRI * HTTP/2");
      settings.flush();
      frame.write(java.util.Arrays.copyOf(half, half.length - 1)).flush();
      ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
      try {
        thread.scheduleWithFixedDelay(
            () -> pings.send(RawHttp2.PING, 0, 0, new byte[8]).flush(),
            0,
            50,
            TimeUnit.MILLISECONDS);
        assertThat(preface.receive(PATIENCE).closed()).isTrue();
        settings.awaitClosed(PATIENCE);
        frame.awaitClosed(PATIENCE);
        pings.awaitClosed(PATIENCE);
      } finally {
        thread.shutdownNow();
      }
      assertThat(since(began)).isBetween(HEADER_DEADLINE.minus(EARLY), HEADER_DEADLINE.plus(SLACK));
      assertThat(settings.goAway()).hasValue(0);
    }
  }

  @Test
  void an_http2_connection_without_a_stream_is_closed_at_the_idle_timeout() {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      long began = System.nanoTime();
      assertThat(client.get(1, "/job-lineage/7").answer(1).status()).isEqualTo(200);
      client.awaitClosed(PATIENCE);
      assertThat(since(began)).isBetween(IDLE.minus(EARLY), IDLE.plus(SLACK));
    }
  }
}
