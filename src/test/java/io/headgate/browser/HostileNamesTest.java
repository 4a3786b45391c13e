package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.JobInfo;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever a job, a node or a table is called, it is shown as its name and is nothing else. */
class HostileNamesTest {
  @RegisterExtension static final Browser BROWSER = new Browser();

  private static final long JOB = 4711;

  /** As JSON text; without a backslash, which the engine's bodies would need escaped. */
  private static final List<String> NAMES =
      List.of(
          "<img src=x onerror=window.hit=1>",
          "<script>window.hit=1</script>",
          "</td></tr></table><h1>hit</h1>",
          "'); window.hit=1; ('",
          "javascript:window.hit=1",
          "{n} {nodes} ${window.hit=1}",
          "__proto__",
          "&lt;b&gt; &amp;",
          "汉字 ก้ 🇩🇪 é",
          "long-" + "n".repeat(4_000));

  private static ScriptedEngine engine;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine();
    engine.list(
        "running-jobs",
        ScriptedEngine.body(
            "[{\"jobId\":\"%d\",\"jobName\":\"%s\",\"jobStatus\":\"RUNNING\",\"createTime\":\"2026-11-30 09:41:54\"}]"
                .formatted(JOB, NAMES.get(0))));
    engine.job(JOB, ScriptedEngine.body(body()));
    gateway = TestGateway.before(engine).unchecked(); // pages that are open go on asking
  }

  @AfterAll
  static void stop() {
    gateway.close();
    engine.close();
  }

  private static String body() {
    StringBuilder vertices = new StringBuilder();
    for (int i = 0; i < NAMES.size(); i++) {
      vertices.append(
          ",{\"vertexId\":%d,\"type\":\"source\",\"vertexName\":\"%s\",\"tablePaths\":[\"%s\",\"db.\\u202Etxt\"]}"
              .formatted(100 + i, NAMES.get(i), NAMES.get(i)));
    }
    String json = JobInfo.of(JOB).json();
    int end = json.indexOf("]},\"pluginJarsUrls");
    return json.substring(0, end) + vertices + json.substring(end);
  }

  @Test
  void names_of_nodes_and_tables_are_text() {
    BROWSER.open(gateway.uri("/ui/jobs/" + JOB));
    BROWSER.awaitText("#nodes", "nodes");
    BROWSER.awaitText("#nodes", "__proto__");
    List<String> shown = BROWSER.texts("#nodes tbody td:nth-child(2)");
    assertThat(shown).containsAll(NAMES);
    assertThat(BROWSER.text("#nodes")).contains("db.\\u202Etxt");
    assertNothingRan();
    BROWSER.type("#nodes input[type=search]", "<img src=x");
    BROWSER.awaitText("#nodes", "1 of ");
    assertNothingRan();
    BROWSER.choose("#language", "zh");
    BROWSER.awaitText("#nodes", NAMES.get(0));
    assertNothingRan();
    BROWSER.screen(360, 800);
    assertThat(BROWSER.run("return document.documentElement.scrollWidth - innerWidth"))
        .isEqualTo(0L);
  }

  @Test
  void the_name_of_a_job_is_text() {
    BROWSER.open(gateway.uri("/ui/"));
    BROWSER.awaitText("#running", NAMES.get(0));
    assertNothingRan();
    BROWSER.click("#running tbody a");
    BROWSER.awaitText("#state", NAMES.get(0));
    assertNothingRan();
  }

  private static void assertNothingRan() {
    assertThat(BROWSER.run("return window.hit ?? null")).isNull();
    assertThat(BROWSER.all("main table img, main script, td h1")).isEmpty();
  }
}
