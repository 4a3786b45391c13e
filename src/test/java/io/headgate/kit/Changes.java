package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The schema changes of one job, reported to and asked of a gateway over HTTP. */
public record Changes(TestGateway gateway, long jobId) {
  private static final ObjectMapper TREES = new ObjectMapper();

  /** Where they are asked for. */
  public String path() {
    return "/job-info/" + jobId + "/schema-evolution";
  }

  public HttpResponse<String> get(String query, String... headers) {
    return gateway.get(path() + query, headers);
  }

  /** The page that this query gives. */
  public JsonNode page(String query) {
    HttpResponse<String> response = get(query);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return tree(response);
  }

  /** Reports changes that were observed, by the numbers from one to the other. */
  public void observed(int from, int to) {
    report(
        IntStream.rangeClosed(from, to)
            .mapToObj(
                i ->
                    "\"observationKey\":\"%d\",\"stage\":\"OBSERVED\",\"sourceTable\":\"shop.t%d\""
                        .formatted(i, i))
            .toList());
  }

  /** Reports that the change with this sequence was applied to its one target, or not. */
  public void completed(long sequence, String target, String outcome) {
    String of = "\"sourceSequence\":%d,\"target\":{\"table\":\"%s\"},".formatted(sequence, target);
    report(
        List.of(
            of + "\"stage\":\"TARGET_RESOLVED\",\"targetCount\":1",
            of + "\"stage\":\"COMPLETED\",\"outcome\":\"" + outcome + "\""));
  }

  private void report(List<String> entries) {
    String json =
        entries.stream()
            .map(entry -> "{\"jobId\":\"" + jobId + "\"," + entry + "}")
            .collect(Collectors.joining(",", "[", "]"));
    HttpResponse<String> response = gateway.post("/schema-evolution/events", json);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    tree(response)
        .get("results")
        .forEach(result -> assertThat(result.get("schemaChangeId").isTextual()).isTrue());
  }

  public static List<Long> sequences(JsonNode page) {
    List<Long> sequences = new ArrayList<>();
    page.get("records").forEach(record -> sequences.add(record.get("sequence").asLong()));
    return sequences;
  }

  private static JsonNode tree(HttpResponse<String> response) {
    try {
      return TREES.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
