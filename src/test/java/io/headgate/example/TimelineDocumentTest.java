package io.headgate.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import at.favre.lib.crypto.bcrypt.BCrypt;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.headgate.kit.ReportingGateway;
import io.headgate.kit.TestGateway;
import io.headgate.peer.ZetaCluster;
import io.headgate.peer.ZetaConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/timeline.md and its translation show is what happens. */
class TimelineDocumentTest {
  private static final Path PAGE = Path.of("docs", "timeline.md");
  private static final Path TRANSLATION = Path.of("docs", "timeline.zh.md");
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private static final ObjectMapper TREES = new ObjectMapper();

  private static List<String> all(Path page, String regex) throws IOException {
    return Pattern.compile(regex)
        .matcher(Files.readString(page))
        .results()
        .map(MatchResult::group)
        .toList();
  }

  /** The one block of the page that is marked so. */
  private static String block(String mark) throws IOException {
    List<String> blocks = all(PAGE, "(?s)```" + mark + "\n.*?```");
    assertThat(blocks).hasSize(1);
    return blocks.get(0).replace("```" + mark, "").replace("```", "");
  }

  @Test
  void T16_both_languages_say_that_it_is_no_audit_log() throws IOException {
    assertThat(Files.readString(PAGE)).contains("not an audit log");
    assertThat(Files.readString(TRANSLATION)).contains("不是审计日志");
  }

  @Test
  void T8_the_partial_apply_of_the_page_is_told_as_the_page_tells_it() throws IOException {
    try (ReportingGateway gateway = new ReportingGateway()) {
      String decisions = block("json decisions");
      assertThat(gateway.post(ReportingGateway.DECISIONS, decisions).statusCode()).isEqualTo(200);
      JsonNode record = TREES.readTree(gateway.store().json(7)).at("/records/0");
      assertHas(record, TREES.readTree(block("json record")));
    }
  }

  @Test
  void T2_the_commands_of_the_page_lead_from_a_recorded_change_to_an_applied_one()
      throws IOException {
    String commands = block("sh try");
    String batch = between(commands, "--data-binary @", "\n");
    String decisions = between(commands, "-d '\n", "'\n");
    try (ReportingGateway gateway = new ReportingGateway()) {
      gateway.post(ReportingGateway.ENGINES, Files.readString(Path.of(batch)));
      gateway.post(ReportingGateway.DECISIONS, decisions);
      long jobId = Long.parseLong(between(commands, "/job-info/", "/schema-evolution"));
      JsonNode record = TREES.readTree(gateway.store().json(jobId)).at("/records/0");
      assertThat(record.get("sourceTable").asText()).isEqualTo("shop.orders");
      assertThat(record.get("outcome").asText()).isEqualTo("APPLIED");
    }
  }

  private static String between(String text, String before, String after) {
    int from = text.indexOf(before) + before.length();
    return text.substring(from, text.indexOf(after, from));
  }

  /** Whether {@code whole} has everything that {@code shown} has. */
  private static void assertHas(JsonNode whole, JsonNode shown) {
    if (shown.isObject()) {
      shown
          .properties()
          .forEach(member -> assertHas(whole.path(member.getKey()), member.getValue()));
    } else if (shown.isArray()) {
      assertThat(whole.size()).isEqualTo(shown.size());
      for (int i = 0; i < shown.size(); i++) {
        assertHas(whole.get(i), shown.get(i));
      }
    } else {
      assertThat(whole).isEqualTo(shown);
    }
  }

  @Test
  void T1_a_real_engine_reports_when_it_is_configured_as_the_page_says(@TempDir Path folder)
      throws IOException {
    JsonNode report =
        new YAMLMapper()
            .readTree(block("yaml seatunnel"))
            .at("/seatunnel/engine/event-report-http");
    Map<String, String> headers = new TreeMap<>();
    report
        .get("headers")
        .properties()
        .forEach(header -> headers.put(header.getKey(), header.getValue().asText()));
    Path users = folder.resolve("users");
    String hash = BCrypt.withDefaults().hashToString(10, "secret".toCharArray());
    Files.writeString(users, "engine:" + hash + ":write\n");
    try (TestGateway gateway =
        TestGateway.recorded(
            "hazelcast.enabled", "true",
            "hazelcast.port", "0",
            "hazelcast.clusterName", "test-document-" + ProcessHandle.current().pid(),
            "http.auth.basic.usersFile", users.toString(),
            "http.metrics.auth", "false")) {
      String url =
          report.get("url").asText().replace("gateway.example:8077", "127.0.0.1:" + gateway.port());
      ZetaConfig config = ZetaConfig.members(1).eventReport(URI.create(url), headers);
      try (ZetaCluster engine = ZetaCluster.start(config)) {
        engine.member(0).jobs().submit("batch_copy_filter");
        await()
            .atMost(LIMIT)
            .until(
                () ->
                    gateway.metric("headgate_report_events_total{became=\"other-kind\"}") > 0
                        && gateway.metric(
                                "headgate_report_outcomes_total{reason=\"stored\",status=\"200\"}")
                            > 0);
      }
      assertThat(gateway.metric("headgate_other_responses_total{status=\"401\"}")).isNaN();
    }
  }
}
