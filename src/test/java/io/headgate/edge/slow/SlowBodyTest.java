package io.headgate.edge.slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.Control;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.PublishingGateway;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.RawResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** E-S2: clients that send their bodies slowly, as many as may and many more. */
class SlowBodyTest {
  private static final Duration REQUEST_DEADLINE = Duration.ofMillis(2500);
  private static final Duration EARLY = Duration.ofMillis(50);
  private static final Duration SLACK = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final int PERMITS = 64;
  private static final int CLIENTS = 400;

  private static PublishingGateway gateway() {
    PublishingGateway gateway =
        new PublishingGateway(
            "source.directory.permits",
            Integer.toString(PERMITS),
            "admission.freshness",
            "1m",
            "admission.deadline",
            "1200ms",
            "http.headerDeadline",
            "2500ms",
            "http.requestDeadline",
            REQUEST_DEADLINE.toMillis() + "ms");
    assertThat(gateway.put(7, PublicationBody.of(7).json()).statusCode()).isEqualTo(200);
    return gateway;
  }

  /** Clients that have all been answered already, so that no head of theirs is late. */
  private static Control control(PublishingGateway gateway) {
    Control control = new Control(gateway.port(), 7);
    await().atMost(PATIENCE).until(() -> control.answers() > 4 * control.connections());
    return control;
  }

  /** Sends a byte more of its body for each client now and then, as long as it is open. */
  private static AutoCloseable drip(List<RawClient> clients, String bytes) {
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    thread.scheduleWithFixedDelay(
        () -> clients.forEach(client -> trySend(client, bytes)), 0, 100, TimeUnit.MILLISECONDS);
    return thread::shutdownNow;
  }

  private static void trySend(RawClient client, String bytes) {
    try {
      client.send(bytes);
    } catch (UncheckedIOException e) {
      // It has been cut.
    }
  }

  private static List<RawClient> connect(PublishingGateway gateway, int count, String head) {
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(new RawClient(gateway.port()).send(head));
    }
    return clients;
  }

  @Test
  void bodies_that_drip_are_408_at_the_request_deadline_and_those_without_a_permit_503_at_once()
      throws Exception {
    try (PublishingGateway gateway = gateway();
        Control control = control(gateway)) {
      long began = System.nanoTime();
      List<RawClient> clients =
          connect(gateway, CLIENTS / 2, PublicationBody.head(7, "Content-Length: 9000\r\n") + "{");
      List<RawClient> chunked =
          connect(gateway, CLIENTS / 2, PublicationBody.head(7, "Transfer-Encoding: chunked\r\n"));
      int late = 0;
      try (AutoCloseable drip = drip(clients, " ");
          AutoCloseable more = drip(chunked, "1\r\n \r\n")) {
        clients.addAll(chunked);
        for (RawClient client : clients) {
          RawClient.Received received = client.receive(PATIENCE);
          Duration took = Duration.ofNanos(System.nanoTime() - began);
          assertThat(received.closed()).isTrue();
          RawResponse response = RawResponse.all(received.bytes()).get(0);
          assertThat(response.headers()).containsEntry("connection", "close");
          if (response.status() == 408) {
            late++;
            assertThat(response.body()).startsWith("{\"code\":\"REQUEST_TIMEOUT\",");
            assertThat(took).isGreaterThan(REQUEST_DEADLINE.minus(EARLY));
          } else {
            assertThat(response.status()).isEqualTo(503);
          }
          assertThat(took).isLessThan(REQUEST_DEADLINE.plus(SLACK));
          client.close();
        }
      }
      assertThat(late).as("bodies that held a permit").isEqualTo(PERMITS);
      assertThat(gateway.answers(408, "request-timeout")).isEqualTo(PERMITS);
      assertThat(gateway.answers(503, "busy")).isEqualTo(CLIENTS - PERMITS);
      gateway.awaitNothingHeld();
      assertThat(gateway.put(7, PublicationBody.of(7).json()).statusCode())
          .as("permits are back")
          .isEqualTo(200);
    }
  }

  @Test
  void streams_of_http2_that_drip_are_cut_one_by_one() {
    try (PublishingGateway gateway = gateway();
        Control control = control(gateway);
        RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      byte[] head = RawHttp2.head("PUT", "/jobs/7/graph", "content-type", "application/json");
      for (int stream = 1; stream < 200; stream += 2) {
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, head);
        client.send(RawHttp2.DATA, 0, stream, " ".getBytes());
      }
      client.flush();
      int late = 0;
      for (int stream = 1; stream < 200; stream += 2) {
        late += client.answer(stream).status() == 408 ? 1 : 0;
      }
      assertThat(late).isEqualTo(PERMITS);
      assertThat(client.get(201, "/job-lineage/7").answer(201).status()).isEqualTo(200);
      assertThat(client.goAway()).isEmpty();
      gateway.awaitNothingHeld();
    }
  }
}
