package io.headgate.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.HeadgateConfig;
import io.headgate.kit.ApiContract;
import io.headgate.kit.SystemPrograms;
import io.headgate.kit.TestGateway;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What pages for users show can be typed in, and comes to what they say. {@link
 * EmbeddingDocumentTest} has the Java of one page, {@link TimelineDocumentTest} what is peculiar to
 * another.
 */
class DocumentSnippetsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String GATEWAY = "http://127.0.0.1:8077";
  private static final Pattern MEMBER = Pattern.compile("\"(\\w+)\":");
  private static final Pattern VARIABLE = Pattern.compile("\\bHEADGATE_[A-Z_]*[A-Z]\\b");
  private static final Pattern KEY = Pattern.compile("(?m)^\\| `\\S+` `(HEADGATE_[A-Z_]+)`");
  private static final Pattern FILE = Pattern.compile(": (conf/\\S+)");
  private static final Pattern BENCHMARK = Pattern.compile("-Dbench\\.include=\"?(\\w+)");
  private static final Pattern TEST = Pattern.compile("-Dtest='?(\\w+)(?:#(\\w+))?");

  /** What Kubernetes makes for a service of our name. */
  private static final Set<String> OF_KUBERNETES = Set.of("HEADGATE_PORT", "HEADGATE_SERVICE_HOST");

  /** A page that says what to do first, then those that show what comes of it. */
  private static final List<Path> PAGES =
      Stream.of("docs/timeline.md", "docs/rest.md", "README.md").map(Path::of).toList();

  @Test
  void every_call_of_curl_gets_what_its_page_says(@TempDir Path folder) throws IOException {
    String curl = curl();
    int calls = 0;
    try (TestGateway gateway =
        TestGateway.recorded(
            "hazelcast.enabled",
            "true",
            "hazelcast.port",
            "0",
            "hazelcast.clusterName",
            "test-snippets-" + ProcessHandle.current().pid(),
            "source.directory.enabled",
            "true",
            "source.order",
            "directory,recorded")) {
      await().atMost(PATIENCE).until(() -> gateway.get("/jobs").statusCode() == 200);
      gateway.post(
          "/event/report",
          "[{\"jobId\":7,\"createdTime\":1,\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\"}]");
      for (Path page : PAGES) {
        for (CodeBlock block : CodeBlock.of(page)) {
          for (ShellCommand command : ShellCommand.of(block)) {
            check(command, gateway, curl, folder);
            calls++;
          }
        }
      }
    }
    assertThat(calls).isGreaterThan(20);
  }

  private static String curl() {
    return SystemPrograms.find("curl")
        .map(Path::toString)
        .orElseGet(() -> SystemPrograms.missing("curl is not installed", "REQUIRE_CURL"));
  }

  private static void check(ShellCommand command, TestGateway gateway, String curl, Path folder) {
    assertThat(command.text()).contains(GATEWAY);
    Path body = folder.resolve("body");
    String there =
        command
            .text()
            .replace(GATEWAY, "http://127.0.0.1:" + gateway.port())
            .replace("JOB_ID", "1179718928818176001")
            .replaceFirst("^curl", curl);
    String typed = there + " -sS --max-time 60 -o '" + body + "' -w '%{http_code}'";
    String status =
        SystemPrograms.run(List.of("sh", "-c", typed), folder.resolve("status"), PATIENCE);
    assertThat(status).as(command.text()).isEqualTo(Integer.toString(command.status()));
    try {
      // Ids, times and counts are others each time, so only what they are called is compared.
      List<String> shown = members(command.output());
      if (!shown.isEmpty()) {
        assertThat(members(Files.readString(body))).as(command.text()).containsSubsequence(shown);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<String> members(String json) {
    return MEMBER.matcher(json).results().map(found -> found.group(1)).toList();
  }

  @Test
  void every_configuration_that_is_shown_has_no_fault(@TempDir Path folder) throws IOException {
    List<CodeBlock> shown =
        CodeBlock.ofAllPages().stream().filter(CodeBlock::isConfiguration).toList();
    assertThat(shown).hasSizeGreaterThan(1);
    for (CodeBlock block : shown) {
      Path file = folder.resolve("headgate.yaml");
      Files.writeString(file, withFilesIn(folder, block.text()));
      assertThatCode(() -> HeadgateConfig.load(file, Map.of()))
          .as(block.toString())
          .doesNotThrowAnyException();
    }
    assertThatCode(() -> HeadgateConfig.load(Path.of("conf", "headgate.yaml"), Map.of()))
        .doesNotThrowAnyException();
  }

  /** Files that a configuration names have to be there. */
  private static String withFilesIn(Path folder, String configuration) throws IOException {
    for (MatchResult named : FILE.matcher(configuration).results().toList()) {
      Path file = folder.resolve(named.group(1));
      Files.createDirectories(file.getParent());
      Files.writeString(file, "");
    }
    return FILE.matcher(configuration).replaceAll(": " + folder + "/$1");
  }

  @Test
  void every_text_that_is_shown_as_JSON_is_JSON_and_an_answer_is_one() throws IOException {
    ApiContract contract = ApiContract.ofTheProgram();
    int answers = 0;
    for (CodeBlock block : CodeBlock.ofAllPages()) {
      if (!block.isJson()) {
        continue;
      }
      assertThatCode(() -> new ObjectMapper().readTree(block.text()))
          .as(block.toString())
          .doesNotThrowAnyException();
      String schema =
          block.text().startsWith("{\"code\":")
              ? "Error"
              : block.text().contains("\"graphKind\":\"PROCESS_BUNDLE\"")
                  ? "DescriptorLineage"
                  : null;
      if (schema != null) {
        contract.validate(block.toString(), contract.schema(schema), new JsonObject(block.text()));
        answers++;
      }
    }
    assertThat(answers).isGreaterThan(1);
  }

  @Test
  void every_variable_that_is_named_exists() throws IOException {
    List<String> known =
        KEY.matcher(Files.readString(Path.of("docs", "configuration.md")))
            .results()
            .map(found -> found.group(1))
            .toList();
    for (Path file : files()) {
      List<String> named =
          VARIABLE
              .matcher(Files.readString(file))
              .results()
              .map(MatchResult::group)
              .filter(name -> !OF_KUBERNETES.contains(name))
              .distinct()
              .toList();
      assertThat(known).as(file.toString()).containsAll(named);
    }
  }

  @Test
  void every_benchmark_and_every_test_that_is_named_exists() throws IOException {
    String benchmarks =
        Files.readString(Path.of("src/test/java/io/headgate/bench/Benchmarks.java"));
    try (Stream<Path> sources = Files.walk(Path.of("src", "test", "java"))) {
      List<Path> tests = sources.toList();
      for (Path file : files()) {
        String text = Files.readString(file);
        for (MatchResult named : BENCHMARK.matcher(text).results().toList()) {
          assertThat(benchmarks).as(file + " " + named.group()).contains(named.group(1));
        }
        for (MatchResult named : TEST.matcher(text).results().toList()) {
          List<Path> found =
              tests.stream().filter(test -> test.endsWith(named.group(1) + ".java")).toList();
          assertThat(found).as(file + " " + named.group()).hasSize(1);
          if (named.group(2) != null) {
            assertThat(Files.readString(found.get(0))).contains("void " + named.group(2) + "(");
          }
        }
      }
    }
  }

  @Test
  void Java_stands_only_where_it_is_compiled() {
    assertThat(CodeBlock.ofAllPages())
        .filteredOn(block -> block.mark().startsWith("java"))
        .isNotEmpty()
        .allSatisfy(block -> assertThat(block.page()).endsWith(Path.of("embedding.md")));
  }

  /** All pages, and what is in conf. */
  private static List<Path> files() throws IOException {
    try (Stream<Path> pages = Files.list(Path.of("docs"));
        Stream<Path> conf = Files.list(Path.of("conf"))) {
      return Stream.of(
              Stream.of("README.md", "README.zh.md", "CONTRIBUTING.md", "SECURITY.md")
                  .map(Path::of),
              pages.filter(Files::isRegularFile),
              conf.filter(Files::isRegularFile))
          .flatMap(each -> each)
          .toList();
    }
  }
}
