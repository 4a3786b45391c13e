package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.RawClient;
import io.headgate.kit.TestGateway;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** L30, as long as there is no write route: nothing takes a write, whoever asks. */
class WriteRoutesTest {
  @Test
  void L30_nothing_takes_a_write() {
    try (TestGateway gateway = TestGateway.recorded()) {
      for (String target :
          new String[] {
            "/event/report",
            "/schema-evolution/events",
            "/jobs/7/graph",
            "/fn/bundles",
            "/job-lineage/7",
            "/health/live",
            "/metrics"
          }) {
        for (String method : new String[] {"POST", "PUT", "PATCH"}) {
          String request =
              method
                  + " "
                  + target
                  + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + "Content-Length: 2\r\n\r\n[]";
          try (RawClient client = new RawClient(gateway.port())) {
            RawClient.Received received = client.send(request).receive(Duration.ofSeconds(2));
            assertThat(received.status()).as(method + " " + target).isIn(404, 405);
            assertThat(received.closed())
                .as("the body was not read, so the connection ends")
                .isTrue();
          }
        }
      }
    }
  }
}
