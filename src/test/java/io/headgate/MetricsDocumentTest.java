package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import at.favre.lib.crypto.bcrypt.BCrypt;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.headgate.kit.MetricsPage;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/metrics.md} has every metric and no other, and so do dashboard and alerts. */
class MetricsDocumentTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Path DASHBOARD = Path.of("conf", "grafana-headgate.json");
  private static final Path ALERTS = Path.of("conf", "prometheus-headgate.yaml");

  private static final Pattern HELP = Pattern.compile("# HELP (\\w+) ?(.*)");
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+) (\\w+)");
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\",?");

  private final MetricsPage page = MetricsPage.read();

  /** A gateway with everything on that has metrics, after an answer of each kind. */
  private static String scrape(Path folder) throws Exception {
    Path users = folder.resolve("users");
    String hash = BCrypt.withDefaults().hashToString(10, "secret".toCharArray());
    Files.writeString(users, "writer:" + hash + ":read,write\n");
    String writer =
        "Basic "
            + Base64.getEncoder().encodeToString("writer:secret".getBytes(StandardCharsets.UTF_8));
    String[] as = {"Authorization", writer};
    try (ScriptedEngine engine = new ScriptedEngine().otherwise(ScriptedEngine.unknown());
        TestGateway gateway =
            TestGateway.before(
                engine,
                "http.auth.basic.usersFile",
                users.toString(),
                "http.metrics.auth",
                "false",
                "hazelcast.enabled",
                "true",
                "hazelcast.port",
                "0",
                "hazelcast.clusterName",
                "test-metrics-" + ProcessHandle.current().pid(),
                "source.directory.enabled",
                "true",
                "fn.enabled",
                "true",
                "fn.port",
                "0",
                "fn.http.enabled",
                "true",
                "accessLog.file",
                folder.resolve("access.log").toString(),
                "traces.enabled",
                "true",
                "traces.perMille",
                "0")) {
      await().atMost(PATIENCE).until(() -> gateway.get("/health/ready").statusCode() == 200);
      gateway.get("/job-lineage/1", as);
      gateway.put("/jobs/7/graph", PublicationBody.of(7).json(), as);
      gateway.post("/event/report", "[]", as);
      gateway.post("/schema-evolution/events", "[]", as);
      gateway.get("/job-info/1/schema-evolution", as);
      gateway.get("/fn/harnesses", as);
      gateway.get("/job-lineage/1/graph.svg", as);
      await()
          .atMost(PATIENCE)
          .until(() -> gateway.get("/metrics").body().contains("\nheadgate_jobs_readings_total{"));
      return gateway.get("/metrics").body();
    }
  }

  @Test
  void every_metric_is_documented_and_every_documented_one_exists(@TempDir Path folder)
      throws Exception {
    String scrape = scrape(folder);
    Files.writeString(Path.of("target", "metrics.txt"), scrape); // for promtool check metrics
    Map<String, MetricsPage.Metric> had = metrics(scrape);
    Set<String> others = new TreeSet<>();
    had.keySet().stream().filter(name -> !name.startsWith("headgate_")).forEach(others::add);
    had.keySet().removeAll(others);
    assertThat(had).isEqualTo(page.metrics());
    for (String family : page.families()) {
      assertThat(others).as(family).anyMatch(name -> name.startsWith(family + "_"));
    }
    assertThat(others)
        .allSatisfy(
            name ->
                assertThat(page.families())
                    .as(name)
                    .anyMatch(family -> name.startsWith(family + "_")));
    assertThatTheyAreNamedAsIsCustomary(had, scrape);
  }

  private static Map<String, MetricsPage.Metric> metrics(String scrape) {
    Map<String, MetricsPage.Metric> metrics = new TreeMap<>();
    for (String line : scrape.lines().toList()) {
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (type.matches()) {
        metrics.put(type.group(1), new MetricsPage.Metric(type.group(2), new TreeSet<>()));
      } else if (sample.matches()) {
        String labels = sample.group(2) == null ? "" : sample.group(2);
        MetricsPage.Metric metric = metrics.get(sample.group(1));
        assertThat(metric).as(line).isNotNull();
        LABEL.matcher(labels).results().forEach(label -> metric.labels().add(label.group(1)));
      }
    }
    return metrics;
  }

  /** What Prometheus' own lint asks for. */
  private static void assertThatTheyAreNamedAsIsCustomary(
      Map<String, MetricsPage.Metric> metrics, String scrape) {
    Map<String, String> help = new TreeMap<>();
    for (String line : scrape.lines().toList()) {
      Matcher told = HELP.matcher(line);
      if (told.matches()) {
        help.put(told.group(1), told.group(2));
      }
    }
    metrics.forEach(
        (name, metric) -> {
          assertThat(help.get(name)).as("help of %s", name).isNotBlank().endsWith(".");
          assertThat(name.endsWith("_total"))
              .as("%s is a %s", name, metric.type())
              .isEqualTo(metric.type().equals("counter"));
          assertThat(name)
              .matches("headgate(_[a-z0-9]+)+")
              .doesNotMatch(".*_(counter|gauge|count|sum|bucket|info)(_.*)?")
              .doesNotMatch(".*_(ms|millis|milliseconds|minutes|hours|kb|mb|kib|mib|percent)(_.*)?")
              .doesNotMatch(".*_(seconds|bytes)_(?!total|limit).*");
        });
  }

  @Test
  void what_the_page_says_to_alert_on_exists() {
    assertThat(page.alerts()).hasSizeGreaterThan(10).allSatisfy(page::check);
  }

  @Test
  void the_dashboard_asks_for_nothing_else() throws Exception {
    JsonNode dashboard = new ObjectMapper().readTree(Files.readString(DASHBOARD));
    Set<Integer> ids = new TreeSet<>();
    int asked = 0;
    for (JsonNode panel : dashboard.get("panels")) {
      assertThat(ids.add(panel.get("id").asInt())).as("%s has an id", panel.get("title")).isTrue();
      for (JsonNode target : panel.path("targets")) {
        page.check(target.get("expr").asText());
        asked++;
      }
      if (!panel.get("type").asText().equals("row")) {
        assertThat(panel.path("targets")).as("%s", panel.get("title")).isNotEmpty();
        assertThat(panel.get("description").asText()).isNotBlank();
      }
    }
    assertThat(asked).isGreaterThan(30);
    for (JsonNode variable : dashboard.at("/templating/list")) {
      if (variable.get("type").asText().equals("query")) {
        page.check(
            variable.get("definition").asText().replaceAll("^label_values\\((.*)\\)$", "$1"));
      }
    }
  }

  @Test
  void the_rules_of_alerts_ask_for_nothing_else() throws Exception {
    JsonNode rules = new YAMLMapper().readTree(Files.readString(ALERTS));
    Set<String> names = new TreeSet<>();
    for (JsonNode group : rules.get("groups")) {
      for (JsonNode rule : group.get("rules")) {
        assertThat(names.add(rule.get("alert").asText())).isTrue();
        page.check(rule.get("expr").asText());
        assertThat(rule.at("/annotations/summary").asText()).isNotBlank();
        assertThat(rule.at("/labels/severity").asText()).isIn("page", "ticket");
      }
    }
    assertThat(names).hasSizeGreaterThan(10);
  }

  @Test
  void an_expression_that_asks_for_something_else_is_noticed() {
    page.check("sum by (reason) (rate(headgate_lineage_outcomes_total{status=\"503\"}[5m]))");
    for (String wrong :
        List.of(
            "headgate_lineage_outcome_total",
            "sum by (code) (headgate_lineage_outcomes_total)",
            "headgate_lineage_outcomes_total{code=\"503\"}",
            "rate(headgate_connections[5m])",
            "http_requests_total")) {
      assertThatThrownBy(() -> page.check(wrong)).as(wrong).isInstanceOf(AssertionError.class);
    }
  }
}
