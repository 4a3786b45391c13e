package io.headgate.edge.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.Certificates;
import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** E-L2: more connections than {@code http.maxConnections} allows. */
class ConnectionLimitTest {
  private static final int LIMIT = 50;
  private static final int TRIED = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration FAST = Duration.ofMillis(500);
  private static final String GET = "GET /job-lineage/7 HTTP/1.1\r\nHost: a\r\n\r\n";

  private static ScriptedEngine engine;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine().job(7, ScriptedEngine.graphAfter(0));
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void fifty_are_served_the_others_closed_at_once_and_a_place_is_soon_free_again() {
    try (TestGateway gateway =
        TestGateway.before(
                engine,
                "http.maxConnections",
                Integer.toString(LIMIT),
                "admission.freshness",
                "1m",
                "http.headerDeadline",
                "10s")
            .unchecked()) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < TRIED; i++) {
        clients.add(new RawClient(gateway.port()));
      }
      List<RawClient> served = new ArrayList<>();
      for (RawClient client : clients) {
        if (isServed(client)) {
          served.add(client);
        }
      }
      assertThat(served).hasSize(LIMIT);

      long freed = System.nanoTime();
      served.remove(0).close();
      await()
          .atMost(FAST)
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                RawClient next = new RawClient(gateway.port());
                clients.add(next);
                return isServed(next);
              });
      assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(FAST);

      // All places are taken again; those that have one go on being served.
      assertThat(isServed(new RawClient(gateway.port()))).isFalse();
      assertThat(served).allMatch(ConnectionLimitTest::isServed);

      clients.forEach(RawClient::close);
      await().atMost(PATIENCE).until(() -> connections(gateway) == 1);
      assertThat(gateway.metric("headgate_connections_refused_total"))
          .isGreaterThanOrEqualTo(TRIED - LIMIT + 1.0);
    }
  }

  /** Asks on a connection of its own, if it gets one. */
  private static double connections(TestGateway gateway) {
    try {
      return gateway.metric("headgate_connections");
    } catch (UncheckedIOException e) {
      return Double.NaN;
    }
  }

  private static boolean isServed(RawClient client) {
    try {
      int length = JobInfo.of(7).lineage().length();
      String answer = new String(client.send(GET).bytes(length, PATIENCE));
      return answer.startsWith("HTTP/1.1 200 ")
          && client.receive(Duration.ofMillis(20)).closed() == false;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  @Test
  void with_tls_they_are_closed_before_the_handshake() throws Exception {
    Certificates certificates = Certificates.forLoopback();
    try (TestGateway gateway =
        TestGateway.before(
                engine,
                "http.maxConnections",
                "2",
                "http.tls.certificate",
                certificates.certificate().toString(),
                "http.tls.key",
                certificates.key().toString())
            .unchecked()) {
      try (RawClient first = new RawClient(certificates.connect(gateway.port()));
          RawClient second = new RawClient(certificates.connect(gateway.port()));
          RawClient third = new RawClient(gateway.port())) {
        assertThat(third.receive(PATIENCE).closed()).isTrue();
        assertThat(isServed(first)).isTrue();
        assertThat(isServed(second)).isTrue();
      }
    }
  }

  @Test
  void with_tls_whoever_does_not_shake_hands_does_not_keep_its_place() throws Exception {
    Certificates certificates = Certificates.forLoopback();
    try (TestGateway gateway =
        TestGateway.before(
                engine,
                "http.maxConnections",
                "2",
                "http.headerDeadline",
                "500ms",
                "http.tls.certificate",
                certificates.certificate().toString(),
                "http.tls.key",
                certificates.key().toString())
            .unchecked()) {
      try (RawClient silent = new RawClient(gateway.port());
          RawClient half = new RawClient(gateway.port())) {
        long began = System.nanoTime();
        half.send(new byte[] {0x16, 3, 1, 2, 0, 1, 0});
        assertThat(silent.receive(PATIENCE).closed()).isTrue();
        assertThat(half.receive(PATIENCE).closed()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
        try (RawClient next = new RawClient(certificates.connect(gateway.port()))) {
          assertThat(isServed(next)).isTrue();
        }
      }
    }
  }
}
