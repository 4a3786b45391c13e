package io.headgate.observe.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.observe.LookupTimes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A line is one JSON object in printable ASCII, whatever a client sent. */
class AccessLineTest {
  private static final RouteNames.Named ROUTE = new RouteNames.Named("/known", null, false);

  private static String line(RequestRecord.Head head, LookupTimes lookup) {
    StringBuilder out = new StringBuilder();
    RequestRecord request = new RequestRecord(head, System.nanoTime(), over -> {});
    request.answered("ok", lookup);
    request.handedOver(200, 12);
    new AccessLine(out).append(request, ROUTE, 0, null);
    return out.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n{\"status\":200}",
        "\u001b[31mred\u001b[0m",
        "\u202egpj.exe",
        "\u2066\u2069\u200f\u061c",
        "\"\\\"",
        "\u0000\u007f\u0085\u2028\u2029",
        "\ud83d\ude00 and half of one \ud83d",
        "\u00e9"
      })
  void text_of_clients_comes_back_as_it_was_and_only_as_an_escape(String hostile) throws Exception {
    String line =
        line(
            new RequestRecord.Head(hostile, hostile, "/" + hostile, "::1", hostile, hostile), null);
    assertThat(line).endsWith("}\n");
    assertThat(line.substring(0, line.length() - 1)).matches("[\\x20-\\x7e]+");
    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.path("path").asText()).isEqualTo("/" + hostile);
    assertThat(json.path("requestId").asText()).isEqualTo(hostile);
    assertThat(json.path("method").asText()).startsWith(hostile.substring(0, 3 % hostile.length()));
  }

  @Test
  void a_line_stays_short_whatever_is_in_it() {
    String endless = "\u202e".repeat(100_000);
    String line =
        line(new RequestRecord.Head(endless, endless, endless, endless, endless, endless), null);
    assertThat(line.length()).isLessThan(4_096);
  }

  @Test
  void what_of_a_lookup_was_over_before_the_request_came_is_none_of_its_phases() throws Exception {
    long now = System.nanoTime();
    RequestRecord.Head head = new RequestRecord.Head("HTTP/2", "GET", "/", "::1", null, null);
    JsonNode before =
        new ObjectMapper()
            .readTree(line(head, new LookupTimes(now - 300, now - 200, now - 100, List.of())));
    assertThat(before.has("lookupUs")).isFalse();
    long later = now + 5_000_000_000L;
    JsonNode joined =
        new ObjectMapper()
            .readTree(
                line(head, new LookupTimes(now - 9_000_000_000L, later, later + 7_000, List.of())));
    assertThat(joined.path("waitUs").asLong()).isZero();
    assertThat(joined.path("lookupUs").asLong()).isBetween(4_000_000L, 5_000_000L);
    assertThat(joined.path("projectUs").asLong()).isEqualTo(7);
  }
}
