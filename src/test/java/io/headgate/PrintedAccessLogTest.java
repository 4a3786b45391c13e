package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.TestGateway;
import io.headgate.observe.access.StreamOutput;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Lines on standard output, where people read along. */
class PrintedAccessLogTest {
  @Test
  void what_the_page_asks_for_its_own_sake_and_got_leaves_no_line_on_standard_output() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    StreamOutput output =
        new StreamOutput(new PrintStream(printed, true, StandardCharsets.US_ASCII));
    try (TestGateway gateway =
        TestGateway.running(new HeadgateVerticle(TestGateway.config()).printingTo(output))) {
      gateway.get("/ui/");
      String etag = gateway.get("/ui/style.css").headers().firstValue("etag").orElseThrow();
      assertThat(gateway.get("/ui/style.css", "If-None-Match", etag).statusCode()).isEqualTo(304);
      gateway.get("/ui/state");
      gateway.get("/ui/none.js");
      gateway.delete("/ui/style.css");
      gateway.get("/health/live");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> printed.toString(StandardCharsets.US_ASCII).contains("/live"));
    }
    assertThat(printed.toString(StandardCharsets.US_ASCII).lines().limit(4))
        .satisfiesExactly(
            line -> assertThat(line).contains("\"path\":\"/ui/\"", "\"status\":200"),
            line -> assertThat(line).contains("\"path\":\"/ui/none.js\"", "\"status\":404"),
            line -> assertThat(line).contains("\"path\":\"/ui/style.css\"", "\"status\":405"),
            line -> assertThat(line).contains("\"path\":\"/health/live\""));
  }
}
