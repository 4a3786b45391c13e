package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.JobInfo;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.PublishingGateway;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * E-S6 for requests with a body: clients that break off at any byte, politely (FIN) or not (RST).
 */
class AbandonedBodyTest {
  private static final int DISCONNECTS = 800;
  private static final Duration SOON = Duration.ofSeconds(10);

  private static List<byte[]> conversations() {
    PublicationBody body = PublicationBody.of(JobInfo.of(7).nodes(40));
    String json = body.json();
    String chunks =
        Integer.toHexString(json.length() - 9) + "\r\n" + json.substring(9) + "\r\n0\r\n\r\n";
    String chunked =
        PublicationBody.head(7, "Transfer-Encoding: chunked\r\n")
            + "9\r\n"
            + json.substring(0, 9)
            + "\r\n"
            + chunks;
    return List.of(
        bytes(body.request()),
        bytes(chunked),
        bytes(body.request() + chunked + body.request()),
        bytes("GET /job-lineage/7 HTTP/1.1\r\nHost: a\r\n\r\n" + chunked),
        bytes(PublicationBody.request(7, json, "Expect: 100-continue\r\n")),
        http2(bytes(json)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] http2(byte[] body) {
    byte[] head = RawHttp2.head("PUT", "/jobs/7/graph", "content-type", "application/json");
    byte[][] parts = {
      bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
      RawHttp2.frame(RawHttp2.SETTINGS, 0, 0),
      RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head),
      RawHttp2.frame(RawHttp2.DATA, 0, 1, Arrays.copyOf(body, 100)),
      RawHttp2.frame(
          RawHttp2.DATA, RawHttp2.END_STREAM, 1, Arrays.copyOfRange(body, 100, body.length))
    };
    byte[] all = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  @Test
  void nothing_is_held_afterwards_and_nothing_is_logged_as_a_fault() {
    SplittableRandom random = new SplittableRandom(6);
    List<byte[]> conversations = conversations();
    try (PublishingGateway gateway = new PublishingGateway("source.directory.permits", "64");
        LoggedLines log = LoggedLines.all()) {
      for (int i = 0; i < DISCONNECTS; i++) {
        byte[] conversation = conversations.get(random.nextInt(conversations.size()));
        int cut = random.nextInt(conversation.length + 1);
        RawClient.disconnect(gateway.port(), Arrays.copyOf(conversation, cut), random.nextInt(3));
      }
      gateway.awaitNothingHeld();
      await().atMost(SOON).until(() -> gateway.metric("headgate_connections") == 0);
      assertThat(gateway.put(7, PublicationBody.of(7).epoch(2).json()).statusCode()).isEqualTo(200);
      assertThat(log.faults()).isEmpty();
    }
  }
}
