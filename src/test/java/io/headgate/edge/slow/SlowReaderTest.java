package io.headgate.edge.slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.Control;
import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.RawResponse;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** E-S3, L19: clients that ask for much and read little. */
class SlowReaderTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration WRITE_DEADLINE = Duration.ofMillis(1500);
  private static final int SMALL_BUFFER = 16 * 1024;
  private static final int WINDOW = 16 << 20;

  /** More than the kernel takes off our hands, which is 4 MiB for each connection. */
  private static final int AT_LEAST = 7_000_000;

  private static final long LARGE = 9;

  private static ScriptedEngine engine;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine();
    engine.job(7, ScriptedEngine.graphAfter(0));
    engine.job(LARGE, ScriptedEngine.body(large(LARGE).json()));
    for (long job = 20; job <= 22; job++) {
      engine.job(job, ScriptedEngine.body(large(job).json()));
    }
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  private static JobInfo large(long job) {
    return JobInfo.of(job).nodes(9_500).name("n".repeat(600));
  }

  /** Has the answer looked up, so that it is there at once from now on. */
  private static String warm(TestGateway gateway, long job) {
    await().atMost(SOON).until(() -> gateway.lineage(job).statusCode() == 200);
    return gateway.lineage(job).body();
  }

  private static RawClient reader(TestGateway gateway, long job) {
    try {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(SMALL_BUFFER);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
      return new RawClient(socket).send("GET /job-lineage/" + job + " HTTP/1.1\r\nHost: a\r\n\r\n");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TestGateway impatient() {
    return TestGateway.before(
        engine,
        "http.writeDeadline",
        "1500ms",
        "admission.deadline",
        "1400ms",
        "http.headerDeadline",
        "1s",
        "http.requestDeadline",
        "1500ms",
        "http.idleTimeout",
        "1600ms",
        "admission.freshness",
        "1m");
  }

  @Test
  void L19_whoever_reads_too_slowly_or_nothing_is_cut_at_the_write_deadline() {
    try (TestGateway gateway = impatient()) {
      String expected = warm(gateway, LARGE);
      assertThat(expected).isEqualTo(large(LARGE).lineage()).hasSizeGreaterThan(AT_LEAST);
      long began = System.nanoTime();
      try (Control control = new Control(gateway.port(), 7);
          RawClient slow = reader(gateway, LARGE);
          RawClient nothing = reader(gateway, LARGE)) {
        await()
            .atMost(SOON)
            .pollInterval(Duration.ofMillis(100))
            .until(
                () -> {
                  slow.read(100, Duration.ofMillis(50)); // 1 KB a second
                  return gateway.metric("headgate_unwritten_cut_total") == 2;
                });
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .isBetween(WRITE_DEADLINE.minusMillis(50), WRITE_DEADLINE.plusSeconds(3));
        gateway.awaitNothingHeld(SOON);
        for (RawClient client : List.of(slow, nothing)) {
          RawClient.Received rest = client.receive(SOON);
          assertThat(rest.closed()).isTrue();
          assertThat(rest.bytes()).hasSizeLessThan(expected.length());
        }
        assertThat(control.answers()).isPositive();
      }
    }
  }

  @Test
  void L19_a_stream_whose_window_stays_shut_is_reset_at_the_write_deadline() {
    try (TestGateway gateway = impatient()) {
      warm(gateway, LARGE);
      try (Control control = new Control(gateway.port(), 7);
          RawHttp2 client = new RawHttp2(gateway.port())) {
        client.settings(RawHttp2.INITIAL_WINDOW_SIZE, 100_000);
        RawHttp2.Answer cut = client.get(1, "/job-lineage/" + LARGE).answer(1);
        assertThat(cut.reset()).hasValue(8);
        assertThat(cut.ended()).isFalse();
        assertThat(client.received(1)).isLessThan(200_000);
        gateway.awaitNothingHeld(SOON);

        client.window(0, WINDOW);
        assertThat(client.get(3, "/job-lineage/7").answer(3).body())
            .isEqualTo(JobInfo.of(7).lineage());
        assertThat(control.answers()).isPositive();
      }
    }
  }

  @Test
  void L19_nor_does_a_shut_window_hold_small_answers_of_any_route() {
    try (TestGateway gateway = impatient()) {
      try (RawHttp2 client = new RawHttp2(gateway.port())) {
        client.settings(RawHttp2.INITIAL_WINDOW_SIZE, 0);
        List<String> paths =
            List.of("/job-lineage/7", "/job-lineage/8", "/nowhere", "/metrics", "/health/live");
        for (int i = 0; i < paths.size(); i++) {
          client.get(1 + 2 * i, paths.get(i));
        }
        for (int i = 0; i < paths.size(); i++) {
          assertThat(client.answer(1 + 2 * i).reset()).as(paths.get(i)).hasValue(8);
        }
        client.awaitClosed(SOON);
      }
      await().atMost(SOON).until(() -> gateway.metric("headgate_connections") == 1);
    }
  }

  @Test
  void L19_a_body_that_many_wait_for_counts_once() {
    try (TestGateway gateway = TestGateway.before(engine, "admission.freshness", "1m")) {
      int length = warm(gateway, LARGE).getBytes(StandardCharsets.UTF_8).length;
      List<RawClient> readers = new ArrayList<>();
      try (Control control = new Control(gateway.port(), 7)) {
        for (int i = 0; i < 50; i++) {
          readers.add(reader(gateway, LARGE));
        }
        for (RawClient reader : readers) {
          assertThat(reader.read(1000, SOON)).isEqualTo(1000); // its answer is on its way
        }
        await()
            .during(Duration.ofMillis(300))
            .atMost(SOON)
            .pollInterval(Duration.ofMillis(50))
            .untilAsserted(
                () ->
                    assertThat(gateway.metric("headgate_unwritten_bytes"))
                        .isBetween((double) length, length + 8.0 * 1024));
        assertThat(control.answers()).isPositive();
      } finally {
        readers.forEach(RawClient::close);
      }
      gateway.awaitNothingHeld(SOON);
    }
  }

  @Test
  void L19_the_smallest_budget_lets_go_of_a_stalled_answer_for_a_new_one() {
    try (TestGateway gateway =
        TestGateway.before(
            engine,
            "admission.freshness",
            "1m",
            "limits.responseBytes",
            "8MiB",
            "admission.unwrittenBytes",
            "8MiB")) {
      warm(gateway, 20);
      try (Control control = new Control(gateway.port(), 7);
          RawClient stalled = reader(gateway, 20)) {
        assertThat(stalled.read(1000, SOON)).isEqualTo(1000);

        assertThat(warm(gateway, 21)).isEqualTo(large(21).lineage());

        assertThat(gateway.metric("headgate_unwritten_evicted_total")).isEqualTo(1);
        RawClient.Received cut = stalled.receive(SOON);
        assertThat(cut.closed()).isTrue();
        assertThat(cut.bytes()).hasSizeLessThan(AT_LEAST);
        assertThat(control.answers()).isPositive();
      }
    }
  }

  /** Which one it is, {@code UnwrittenBytesTest} says; here the kernel may move either on. */
  @Test
  void L19_a_full_budget_lets_go_of_one_stalled_answer_and_of_no_other() {
    try (TestGateway gateway =
        TestGateway.before(
            engine, "admission.freshness", "1m", "admission.unwrittenBytes", "16MiB")) {
      warm(gateway, 20);
      warm(gateway, 21);
      try (RawClient first = reader(gateway, 20);
          RawClient second = reader(gateway, 21)) {
        assertThat(first.read(1000, SOON)).isEqualTo(1000);
        assertThat(second.read(1000, SOON)).isEqualTo(1000);

        assertThat(warm(gateway, 22)).isEqualTo(large(22).lineage());

        assertThat(gateway.metric("headgate_unwritten_evicted_total")).isEqualTo(1);
        RawClient.Received one = first.receive(Duration.ofSeconds(1));
        RawClient.Received other = second.receive(Duration.ofSeconds(1));
        assertThat(List.of(one.closed(), other.closed())).containsExactlyInAnyOrder(true, false);
        RawClient.Received cut = one.closed() ? one : other;
        assertThat(cut.bytes()).hasSizeLessThan(AT_LEAST);
        String whole = large(one.closed() ? 21 : 20).lineage();
        assertThat((one.closed() ? other : one).text()).endsWith(whole.substring(1000));
      }
    }
  }

  @Test
  void a_client_that_asks_and_asks_and_reads_nothing_is_not_answered_into_memory() {
    try (TestGateway gateway = TestGateway.before(engine, "admission.freshness", "1m")) {
      warm(gateway, 7);
      try (Control control = new Control(gateway.port(), 7);
          RawClient client = reader(gateway, 7)) {
        byte[] many = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".repeat(200).getBytes();
        Thread asking = new Thread(() -> flood(client, many));
        asking.setDaemon(true);
        asking.start();
        double[] before = {-1};
        await() // the gateway has stopped answering, and so reading
            .atMost(SOON)
            .pollInterval(Duration.ofMillis(300))
            .until(
                () -> {
                  double now = gateway.metric("headgate_other_responses_total{status=\"200\"}");
                  double asked = now - before[0];
                  before[0] = now;
                  return asked <= 1; // the asking of this loop
                });
        assertThat(before[0]).isLessThan(2_000);
        assertThat(control.answers()).isPositive();
      }
    }
  }

  private static void flood(RawClient client, byte[] bytes) {
    try {
      for (int i = 0; i < 10_000; i++) {
        client.send(bytes);
      }
    } catch (UncheckedIOException e) {
      // The test is over.
    }
  }

  @Test
  void a_reader_that_takes_its_time_and_finishes_gets_every_byte() {
    try (TestGateway gateway = TestGateway.before(engine, "admission.freshness", "1m")) {
      warm(gateway, LARGE);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (RawClient client = reader(gateway, LARGE)) {
        await()
            .atMost(Duration.ofSeconds(30))
            .pollInterval(Duration.ofMillis(20))
            .until(
                () -> {
                  bytes.writeBytes(client.bytes(200_000, SOON));
                  return bytes.size() > AT_LEAST;
                });
        bytes.writeBytes(client.receive(Duration.ofSeconds(1)).bytes());
      }
      assertThat(RawResponse.all(bytes.toByteArray()))
          .singleElement()
          .satisfies(r -> assertThat(r.body()).isEqualTo(large(LARGE).lineage()));
    }
  }
}
