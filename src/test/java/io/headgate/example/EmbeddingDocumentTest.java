package io.headgate.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.HeadgateConfig;
import io.headgate.HeadgateVerticle;
import io.headgate.graph.Call;
import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/embedding.md shows is code that runs, and does what the page says. */
class EmbeddingDocumentTest {
  private static final Path PAGE = Path.of("docs", "embedding.md");
  private static final Path HERE = Path.of("src", "test", "java", "io", "headgate", "example");
  private static final Pattern SNIPPET = Pattern.compile("(?s)```java (\\w+)\n(.*?)```");

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void every_snippet_of_the_page_is_part_of_a_program_that_runs() throws IOException {
    Matcher snippet = SNIPPET.matcher(Files.readString(PAGE));
    int snippets = 0;
    while (snippet.find()) {
      snippets++;
      assertThat(snippet.group(2).strip()).isEqualTo(source(snippet.group(1)));
    }
    assertThat(snippets).isEqualTo(6);
  }

  /** The lines between the marks of this name in the sources beside this test, without indent. */
  private static String source(String name) throws IOException {
    StringBuilder code = new StringBuilder();
    for (String file : List.of("PublishingService.java", "EmbeddingDocumentTest.java")) {
      boolean inside = false;
      for (String line : Files.readAllLines(HERE.resolve(file))) {
        if (line.strip().equals("// [" + name + "]")) {
          inside = !inside;
        } else if (inside) {
          code.append(line).append('\n');
        }
      }
    }
    String all = code.toString().stripTrailing();
    int indent =
        all.lines()
            .filter(line -> !line.isBlank())
            .mapToInt(line -> line.length() - line.stripLeading().length())
            .min()
            .orElse(0);
    return all.lines()
        .map(line -> line.isBlank() ? "" : line.substring(indent))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void L25_a_service_publishes_and_its_readers_see_what_the_page_promises() throws Exception {
    HeadgateConfig config =
        TestGateway.config("hazelcast.enabled", "true", "source.directory.enabled", "true");
    PublishingService service = new PublishingService(config);
    try {
      ScriptedEngine.await(service.start(vertx));
      assertThat(lineage(service.port(), 42).statusCode()).isEqualTo(404);
      service.run(42, 1);
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(lineage(service.port(), 42).statusCode()).isEqualTo(200));
      String running = lineage(service.port(), 42).body();
      assertThat(running).contains("\"name\":\"orders\"", "\"tablePaths\":[\"dw.orders\"]");
      service.end(42, 1);
      assertThat(lineage(service.port(), 42).body()).isEqualTo(running);
      service.change(42, "change 1", true);
      await().atMost(Duration.ofSeconds(10)).until(() -> service.recorded() == 2);
    } finally {
      ScriptedEngine.await(vertx.close());
    }
  }

  @Test
  void L25_a_service_is_asked_as_the_source() throws Exception {
    HeadgateConfig config = TestGateway.config();
    Instant begun = Instant.now();
    // [source]
    JobGraphSource source =
        (jobId, deadline) ->
            Call.of(
                jobId == 42
                    ? new Lookup.Found(graph(42), Execution.ofEpoch(1, begun), false)
                    : new Lookup.NotFound());
    HeadgateVerticle gateway = new HeadgateVerticle(config, source);
    // [source]
    try {
      ScriptedEngine.await(vertx.deployVerticle(gateway));
      assertThat(lineage(gateway.port(), 42).statusCode()).isEqualTo(200);
      assertThat(lineage(gateway.port(), 43).statusCode()).isEqualTo(404);
    } finally {
      ScriptedEngine.await(vertx.close());
    }
  }

  private static JobGraph graph(long jobId) {
    return PublishingService.graph(jobId);
  }

  private HttpResponse<String> lineage(int port, long jobId)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + "/job-lineage/" + jobId);
    return client.send(
        HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
