package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The access log of a test's gateway, read as an operator's tools would read it. */
public final class AccessLines {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Path file;

  public AccessLines(Path file) {
    this.file = file;
  }

  public Path file() {
    return file;
  }

  /** All lines so far, each of which must be one JSON object in printable ASCII. */
  public List<JsonNode> all() {
    try {
      if (!Files.exists(file)) {
        return List.of();
      }
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      String whole = text.substring(0, text.lastIndexOf('\n') + 1);
      return whole.lines().map(AccessLines::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode parse(String line) {
    assertThat(line).matches("[\\x20-\\x7e]+");
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }

  /** The lines of requests with this id, once there is one. */
  public List<JsonNode> of(String requestId) {
    await().atMost(SOON).until(() -> !now(requestId).isEmpty());
    return now(requestId);
  }

  /** The line of the one request with this id, once it is there. */
  public JsonNode one(String requestId) {
    List<JsonNode> lines = of(requestId);
    assertThat(lines).hasSize(1);
    return lines.get(0);
  }

  private List<JsonNode> now(String requestId) {
    return all().stream()
        .filter(line -> line.path("requestId").asText().equals(requestId))
        .toList();
  }

  /** The lines with this route, once there is one. */
  public List<JsonNode> ofRoute(String route) {
    await()
        .atMost(SOON)
        .until(() -> all().stream().anyMatch(line -> line.path("route").asText().equals(route)));
    return all().stream().filter(line -> line.path("route").asText().equals(route)).toList();
  }
}
