package io.headgate.edge.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.Certificates;
import io.headgate.kit.Control;
import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawResponse;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients that ask for more at once than their share, and those that share the loop with them. */
class FairnessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int GREEDY = 10;
  private static final int PIPELINED = 1_000;
  private static final String GET = "GET /job-lineage/7 HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String LAST =
      "GET /job-lineage/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  private static ScriptedEngine engine;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine().job(7, ScriptedEngine.graphAfter(0));
    engine.otherwise(ScriptedEngine.graphAfter(100));
    gateway =
        TestGateway.before(
            engine,
            "admission.freshness",
            "1m",
            "http.instances",
            "1",
            "http.headerDeadline",
            "1s");
  }

  @AfterAll
  static void stop() {
    gateway.close();
    engine.close();
  }

  @Test
  void what_one_read_brings_is_decoded_in_turns_and_nothing_is_read_meanwhile() {
    EmbeddedChannel channel = Decoding.channel();
    byte[] requests = GET.repeat(100).getBytes(StandardCharsets.US_ASCII);

    channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(requests));
    channel.pipeline().fireChannelReadComplete();
    assertThat(channel.inboundMessages()).hasSize(2 * 16); // heads and their ends
    assertThat(channel.config().isAutoRead()).isFalse();

    for (int turn = 0; turn < 100 && !channel.config().isAutoRead(); turn++) {
      channel.runScheduledPendingTasks();
    }
    assertThat(channel.inboundMessages()).hasSize(2 * 100);
    assertThat(channel.config().isAutoRead()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void a_thousand_pipelined_requests_are_all_answered_in_order() {
    try (RawClient client = new RawClient(gateway.port())) {
      askForMany(client);
    }
  }

  @Test
  void a_thousand_over_tls_too() throws Exception {
    Certificates certificates = Certificates.forLoopback();
    try (TestGateway secure =
            TestGateway.before(
                    engine,
                    "http.tls.certificate",
                    certificates.certificate().toString(),
                    "http.tls.key",
                    certificates.key().toString())
                .unchecked();
        RawClient client = new RawClient(certificates.connect(secure.port(), "http/1.1"))) {
      askForMany(client);
    }
  }

  private static void askForMany(RawClient client) {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < PIPELINED; i++) {
      requests.append(i % 100 == 50 ? "GET /job-lineage/x HTTP/1.1\r\nHost: a\r\n\r\n" : GET);
    }
    List<RawResponse> responses =
        RawResponse.all(client.send(requests + LAST).receive(PATIENCE).bytes());
    assertThat(responses).hasSize(PIPELINED + 1);
    for (int i = 0; i < PIPELINED; i++) {
      assertThat(responses.get(i).status()).isEqualTo(i % 100 == 50 ? 400 : 200);
    }
  }

  @Test
  void requests_behind_a_slow_one_wait_for_it_however_many_they_are() {
    for (int more : new int[] {0, 1, 3, 4, 15, 16, 17, 40, 200}) {
      long job = 1_000 + more;
      try (RawClient client = new RawClient(gateway.port())) {
        String slow = GET.replace("/7", "/" + job);
        List<RawResponse> responses =
            RawResponse.all(
                client
                    .send(slow + GET.repeat(more) + slow + GET.repeat(more) + LAST)
                    .receive(PATIENCE)
                    .bytes());
        assertThat(responses).as("%d behind it", more).hasSize(2 * more + 3);
        assertThat(responses.get(0).body()).isEqualTo(JobInfo.of(job).lineage());
        assertThat(responses.get(2 * more + 2).body()).isEqualTo(JobInfo.of(7).lineage());
        assertThat(responses).extracting(RawResponse::status).containsOnly(200);
      }
    }
  }

  @Test
  void one_who_asks_now_and_then_is_served_between_those_who_ask_without_end() throws Exception {
    byte[] many =
        (GET.repeat(20) + "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
            .repeat(100)
            .getBytes(StandardCharsets.US_ASCII);
    List<RawClient> greedy = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try (Control control = new Control(gateway.port(), 7)) {
      for (int i = 0; i < GREEDY; i++) {
        RawClient client = new RawClient(gateway.port());
        greedy.add(client);
        threads.add(new Thread(() -> ask(client, many)));
        threads.get(i).start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(control.answers()).isGreaterThan(20);
    } finally {
      greedy.forEach(RawClient::close);
    }
  }

  /** A thousand requests; the answers are left to the kernel, and then to nobody. */
  private static void ask(RawClient client, byte[] many) {
    try {
      client.socket().setSoTimeout(2_000);
      client.send(many);
      client.receive(Duration.ofMillis(500));
    } catch (UncheckedIOException | java.net.SocketException e) {
      // It was cut, which is as good.
    }
  }
}
