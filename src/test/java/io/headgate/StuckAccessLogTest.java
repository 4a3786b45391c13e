package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.RawClient;
import io.headgate.kit.TestGateway;
import io.headgate.observe.access.LineOutput;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Standard output that nobody reads, and a disk that is full, cost lines and no answers. */
class StuckAccessLogTest {
  private static final int REQUESTS = 20_000;
  private static final int AT_ONCE = 100;
  private static final String ONE = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private static TestGateway printing(LineOutput output) {
    return TestGateway.running(
            new HeadgateVerticle(TestGateway.config("http.instances", "1")).printingTo(output))
        .unchecked();
  }

  @Test
  void past_the_ring_requests_are_answered_and_counted_as_without_a_line() {
    CountDownLatch released = new CountDownLatch(1);
    AtomicInteger written = new AtomicInteger();
    LineOutput stuck =
        lines -> {
          try {
            released.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          written.addAndGet((int) lines.chars().filter(c -> c == '\n').count());
        };
    try (TestGateway gateway = printing(stuck)) {
      try (RawClient client = new RawClient(gateway.port())) {
        for (int i = 0; i < REQUESTS; i += AT_ONCE) {
          client.send(ONE.repeat(AT_ONCE));
          for (int answer = 0; answer < AT_ONCE; answer++) {
            assertThat(client.response(Duration.ofSeconds(20)).status()).isEqualTo(200);
          }
        }
      }
      double dropped = gateway.metric("headgate_access_log_dropped_total{reason=\"full\"}");
      assertThat(dropped).isPositive();
      assertThat(gateway.metric("headgate_access_log_waiting")).isPositive();
      released.countDown();
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> gateway.metric("headgate_access_log_waiting") < 10);
      assertThat(written.get() + dropped).isGreaterThanOrEqualTo(REQUESTS);
    }
  }

  @Test
  void an_output_that_fails_costs_its_lines_and_is_tried_again() {
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger written = new AtomicInteger();
    LineOutput full =
        lines -> {
          if (calls.incrementAndGet() == 1) {
            throw new java.io.IOException("no space left");
          }
          written.incrementAndGet();
        };
    try (TestGateway gateway = printing(full)) {
      gateway.get("/health/live");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> gateway.metric("headgate_access_log_dropped_total{reason=\"output\"}") >= 1);
      await().atMost(Duration.ofSeconds(20)).until(() -> written.get() > 0);
    }
  }

  @Test
  void an_output_that_never_comes_back_keeps_no_gateway_from_stopping() {
    CountDownLatch never = new CountDownLatch(1);
    LineOutput stuck =
        lines -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    try (TestGateway gateway = printing(stuck)) {
      gateway.get("/health/live");
    }
    assertThat(never.getCount()).isEqualTo(1);
  }
}
