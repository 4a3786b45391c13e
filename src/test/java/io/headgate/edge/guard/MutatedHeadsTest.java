package io.headgate.edge.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.headgate.kit.JobInfo;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawResponse;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** E-B2: request heads with random faults, the same ones in every run. */
class MutatedHeadsTest {
  private static final int DECODED = 100_000;
  private static final int SENT = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Set<Integer> STATUSES =
      Set.of(200, 302, 304, 400, 404, 405, 414, 417, 431, 501);
  private static final byte[] FOLLOW_UP =
      "\r\n\r\nGET /job-lineage/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  @Test
  void what_is_taken_for_a_request_is_what_a_strict_grammar_takes_for_one() {
    Mutator mutator = new Mutator(1);
    int taken = 0;
    for (int i = 0; i < DECODED; i++) {
      byte[] bytes = mutator.next();
      taken += compare(new String(bytes, StandardCharsets.ISO_8859_1), Decoding.of(bytes));
    }
    assertThat(taken).as("well-formed ones among them").isBetween(DECODED / 20, DECODED);
  }

  private static int compare(String text, List<Object> decoded) {
    int at = 0;
    int taken = 0;
    for (Object seen : decoded) {
      Optional<StrictHead> strict = StrictHead.at(text.substring(at));
      if (seen instanceof Refusal.Kind) {
        assertThat(strict).as("refused, as %s: %s", seen, text).isEmpty();
        return taken;
      }
      if (seen instanceof Decoding.Request request) {
        StrictHead head =
            strict.orElseGet(() -> fail("taken for a request, %s: %s", request, text));
        assertThat(request.method()).as(text).isEqualTo(head.method());
        assertThat(request.target()).as(text).isEqualTo(head.target());
        taken++;
        if (head.hasContent()) {
          return taken;
        }
        at += head.length();
      }
    }
    assertThat(StrictHead.at(text.substring(at))).as("not taken: " + text).isEmpty();
    return taken;
  }

  @Test
  void every_answer_is_one_of_a_closed_set() {
    Mutator mutator = new Mutator(2);
    try (ScriptedEngine engine = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(0));
        TestGateway gateway = TestGateway.before(engine, "admission.freshness", "1m")) {
      for (int i = 0; i < SENT; i++) {
        byte[] bytes = mutator.next();
        RawClient client = new RawClient(gateway.port());
        RawClient.Received received = exchange(client, Mutator.join(bytes, FOLLOW_UP));
        client.reset();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(received.closed()).as("closed after %s: %s", text, received.text()).isTrue();
        assertThat(received.bytes()).as("an answer to %s", text).isNotEmpty();
        if (text.contains("HEAD")) {
          continue; // an answer to it has no body, so where the next one begins is not clear
        }
        for (RawResponse response : RawResponse.all(received.bytes())) {
          assertThat(STATUSES).as(text).contains(response.status());
          assertThat(response.body()).as(text).startsWith(response.status() == 302 ? "" : "{");
        }
      }
      assertThat(gateway.lineage(7).body()).isEqualTo(JobInfo.of(7).lineage());
    }
  }

  private static RawClient.Received exchange(RawClient client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (UncheckedIOException e) {
      // Refused before all of it was sent.
    }
    return client.receive(PATIENCE);
  }
}
