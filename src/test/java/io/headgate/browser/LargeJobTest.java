package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.JobInfo;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Much of everything: a graph of three hundred nodes, and as many jobs as need three pages. */
class LargeJobTest {
  @RegisterExtension static final Browser BROWSER = new Browser();

  private static final String ROWS = "#nodes tbody tr";

  private static ScriptedEngine engine;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine();
    engine.job(7, ScriptedEngine.body(fiftyPipelines(7)));
    engine.job(8, ScriptedEngine.body(JobInfo.of(8).nodes(300).json()));
    engine.list(
        "running-jobs",
        ScriptedEngine.body(
            LongStream.rangeClosed(1, 250)
                .mapToObj(
                    id ->
                        "{\"jobId\":\"%d\",\"jobName\":\"copy-%d\",\"jobStatus\":\"RUNNING\"}"
                            .formatted(id, id))
                .collect(Collectors.joining(",", "[", "]"))));
    gateway = TestGateway.before(engine).unchecked(); // pages that are open go on asking
  }

  /** Two sources, two transforms and two sinks each. */
  private static String fiftyPipelines(long jobId) {
    StringJoiner pipelines = new StringJoiner(",");
    StringJoiner vertices = new StringJoiner(",");
    for (int pipeline = 1; pipeline <= 50; pipeline++) {
      int first = pipeline * 6 - 5;
      StringJoiner edges = new StringJoiner(",");
      for (int[] edge : new int[][] {{0, 2}, {1, 2}, {2, 3}, {3, 4}, {3, 5}}) {
        edges.add(
            "{\"inputVertexId\":\"%d\",\"targetVertexId\":\"%d\"}"
                .formatted(first + edge[0], first + edge[1]));
      }
      pipelines.add("\"%d\":[%s]".formatted(pipeline, edges));
      for (int i = 0; i < 6; i++) {
        String kind = i < 2 ? "source" : i < 4 ? "transform" : "sink";
        vertices.add(
            "{\"vertexId\":%d,\"type\":\"%s\",\"vertexName\":\"stage %d\",\"tablePaths\":[\"db.t%d\"]}"
                .formatted(first + i, kind, first + i, first + i));
      }
    }
    return ("{\"jobId\":\"%d\",\"jobStatus\":\"RUNNING\",\"createTime\":\"2026-11-30 09:41:54\","
            + "\"jobDag\":{\"jobId\":\"%d\",\"pipelineEdges\":{%s},\"vertexInfoMap\":[%s]}}")
        .formatted(jobId, jobId, pipelines, vertices);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    engine.close();
  }

  @Test
  void three_hundred_nodes_are_drawn_at_once_and_listed_as_far_as_they_are_wanted() {
    BROWSER.open(gateway.uri("/ui/jobs/7"));
    BROWSER.awaitText("#nodes", "300 of 300 nodes");
    assertThat(BROWSER.all(ROWS)).hasSize(100);
    BROWSER.click("#nodes > button");
    await().until(() -> BROWSER.all(ROWS).size() == 200);
    BROWSER.type("#nodes input[type=search]", "db.t300");
    BROWSER.awaitText("#nodes", "1 of 300 nodes");
    assertThat(BROWSER.find("#nodes > button").isDisplayed()).isFalse();
    BROWSER.type("#nodes input[type=search]", "a");
    await().until(() -> pixels("naturalWidth") > 0);
    BROWSER.assertAccessible();
    BROWSER.picture("job-300");
  }

  private static long pixels(String property) {
    return (Long)
        BROWSER.run("return document.querySelector('#picture img')?." + property + " ?? 0");
  }

  @Test
  void a_graph_that_is_much_too_wide_begins_legible_and_fits_when_asked_to() {
    BROWSER.open(gateway.uri("/ui/jobs/8"));
    await().until(() -> pixels("naturalWidth") > 10_000);
    assertThat(pixels("clientWidth")).isBetween(pixels("naturalWidth") / 2, pixels("naturalWidth"));
    BROWSER.click(".picture-bar button:nth-child(4)");
    await().until(() -> pixels("clientWidth") <= 2_000);
    BROWSER.screen(360, 800);
    assertThat(BROWSER.run("return document.documentElement.scrollWidth - innerWidth"))
        .isEqualTo(0L);
  }

  @Test
  void a_long_list_of_jobs_is_shown_page_by_page() {
    BROWSER.open(gateway.uri("/ui/"));
    BROWSER.awaitText("#running", "copy-250");
    assertThat(BROWSER.all("#running tbody tr")).hasSize(100);
    BROWSER.click("#running button");
    await().until(() -> BROWSER.all("#running tbody tr").size() == 200);
    BROWSER.click("#running button");
    BROWSER.awaitText("#running tbody tr:last-child", "copy-1");
    assertThat(BROWSER.all("#running tbody tr")).hasSize(250);
    assertThat(BROWSER.text("#running")).contains("does not refresh by itself");
    BROWSER.click("#running button"); // back to the newest
    await().until(() -> BROWSER.all("#running tbody tr").size() == 100);
  }
}
