package io.headgate.edge.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.Certificates;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawResponse;
import io.headgate.kit.TestGateway;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that is refused in the midst of sending gets to read why (RFC 9112 section 9.6). */
class StillSendingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n";

  private static Certificates certificates;
  private static TestGateway plain;
  private static TestGateway secure;

  @BeforeAll
  static void start() throws Exception {
    certificates = Certificates.forLoopback();
    plain = TestGateway.recorded();
    secure =
        TestGateway.recorded(
                "http.tls.certificate",
                certificates.certificate().toString(),
                "http.tls.key",
                certificates.key().toString())
            .unchecked();
  }

  @AfterAll
  static void stop() {
    plain.close();
    secure.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /" + HOST + "Content-Length: 100000000\r\n\r\n",
        "GET /" + HOST + "X y: \r\n\r\n",
        "POST /" + HOST + "Content-Length: 100000000\r\n\r\n",
        "POST /" + HOST + "Transfer-Encoding: chunked\r\n\r\n1000000\r\n"
      })
  void its_writes_do_not_fail_and_it_reads_the_answer(String head) throws Exception {
    for (RawClient client :
        List.of(new RawClient(plain.port()), new RawClient(certificates.connect(secure.port())))) {
      client.send(head);
      for (int i = 0; i < 8; i++) {
        client.send(new byte[256 * 1024]);
      }
      RawClient.Received received = client.receive(PATIENCE);
      assertThat(received.closed()).isTrue();
      assertThat(RawResponse.all(received.bytes()))
          .singleElement()
          .satisfies(response -> assertThat(response.status()).isIn(400, 405));
      client.close();
    }
  }

  @Test
  void whoever_goes_on_sending_does_not_hold_the_connection() {
    try (RawClient client = new RawClient(plain.port())) {
      client.send("GET /" + HOST + "Content-Length: 100000000\r\n\r\n");
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> !canSend(client) && plain.metric("headgate_connections") == 1);
    }
  }

  private static boolean canSend(RawClient client) {
    try {
      client.send("a");
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }
}
