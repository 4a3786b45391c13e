package io.headgate.edge.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.Control;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** E-S6: clients that break off at any byte, some politely (FIN), some not (RST). */
class DisconnectTest {
  private static final int DISCONNECTS = 2_000;
  private static final Duration SOON = Duration.ofSeconds(10);

  private static final List<byte[]> CONVERSATIONS =
      List.of(
          bytes("GET /job-lineage/7 HTTP/1.1\r\nHost: a\r\n\r\n"),
          bytes("GET /job-lineage/8 HTTP/1.1\r\nHost: a\r\nX: bbbbbbbbbbbbbbbbbbbbbbb\r\n\r\n"),
          bytes("GET /job-lineage/8 HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3)),
          bytes("POST /job-lineage/7 HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhello"),
          bytes("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
          bytes("GET /job-lineage/9 HTTP/1.1\r\nHost: a\r\n\r\nGET /metrics HTTP/1.1\r\n"),
          http2());

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] http2() {
    return Mutator.join(
        bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        RawHttp2.frame(RawHttp2.SETTINGS, 0, 0),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 1, RawHttp2.head("GET", "/job-lineage/8")),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 3, RawHttp2.head("GET", "/job-lineage/9")));
  }

  @Test
  void nothing_is_held_afterwards_and_nothing_is_logged() {
    SplittableRandom random = new SplittableRandom(6);
    try (ScriptedEngine engine = new ScriptedEngine();
        TestGateway gateway = gateway(engine)) {
      try (LoggedLines log = LoggedLines.all();
          Control control = new Control(gateway.port(), 7)) {
        for (int i = 0; i < DISCONNECTS; i++) {
          byte[] conversation = CONVERSATIONS.get(random.nextInt(CONVERSATIONS.size()));
          int cut = random.nextInt(conversation.length + 1);
          RawClient.disconnect(gateway.port(), Arrays.copyOf(conversation, cut), random.nextInt(3));
        }
        gateway.awaitNothingHeld(SOON);
        // The control's, and the one that the metric is read by.
        await()
            .atMost(SOON)
            .until(() -> gateway.metric("headgate_connections") <= control.connections() + 1);
        assertThat(log.faults()).isEmpty();
      }
    }
  }

  @Test
  void the_body_of_a_request_whose_turn_has_not_come_is_let_go() {
    byte[] both =
        bytes(
            "GET /job-lineage/8 HTTP/1.1\r\nHost: a\r\n\r\n"
                + "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhello");
    try (ScriptedEngine engine = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(500));
        TestGateway gateway = TestGateway.before(engine, "admission.freshness", "0")) {
      for (int i = 0; i < 20; i++) {
        RawClient.disconnect(gateway.port(), both, 2);
      }
      gateway.awaitNothingHeld(SOON);
    }
    // Whatever is lost shows as a leak of Netty's buffers, which the house rules look for.
  }

  private static TestGateway gateway(ScriptedEngine engine) {
    engine.job(7, ScriptedEngine.graphAfter(0));
    engine.otherwise(ScriptedEngine.graphAfter(30));
    return TestGateway.before(engine, "admission.freshness", "1m");
  }
}
