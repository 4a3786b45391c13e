package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** The page of one job, in front of the recorded ones. */
class JobPageTest {
  @RegisterExtension static final Browser BROWSER = new Browser();

  private static final String BRANCH = "1179718928818176001";
  private static final String MISSING = "1179717812919205889";
  private static final String ROWS = "#nodes tbody tr";

  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    gateway = TestGateway.recorded().unchecked(); // pages that are open go on asking
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static void open(String jobId) {
    BROWSER.open(gateway.uri("/ui/jobs/" + jobId));
  }

  @Test
  void a_job_shows_its_state_its_nodes_and_what_feeds_what() {
    open(BRANCH);
    BROWSER.awaitText("#state", "running");
    assertThat(BROWSER.text("#state")).contains("branch", "2026-11-30 09:41:54", "recording");
    assertThat(BROWSER.title()).isEqualTo("Job " + BRANCH + " · Headgate");
    BROWSER.awaitText("#nodes", "7 of 7 nodes");
    String sink = row("pipeline-2 [Sink[2]-Console-MultiTableSink]");
    assertThat(sink).contains("sink", "shop.public.customers", "TransformChain[Transform[1]-Copy]");
    assertThat(BROWSER.text("#warnings")).isEmpty();
    assertThat(BROWSER.texts("#nodes .check span")).containsExactly("");
  }

  private static String row(String name) {
    return BROWSER.texts(ROWS).stream()
        .filter(text -> text.lines().limit(3).anyMatch(line -> line.contains(name)))
        .findFirst()
        .orElse("no row of " + name);
  }

  @Test
  void the_picture_is_drawn_moved_and_zoomed_by_keyboard() {
    open(BRANCH);
    await().until(() -> number("naturalWidth") > 0);
    assertThat(BROWSER.find("#picture img").getAttribute("alt"))
        .startsWith("Picture of the graph: 7 nodes, ");
    assertThat(gateway.get("/job-lineage/" + BRANCH + "/graph.svg").body())
        .contains("shop.public.customers");
    BROWSER.tabTo(".picture-view");
    double before = number("clientWidth");
    BROWSER.press("+", "+");
    await().until(() -> number("clientWidth") > before * 1.4);
    BROWSER.press("0");
    await().until(() -> Math.abs(number("clientWidth") - before) < 2);
    BROWSER.press("1");
    await().until(() -> number("clientWidth") == number("naturalWidth"));
    BROWSER.click(".picture-bar button");
    await().until(() -> number("clientWidth") > number("naturalWidth") * 1.2);
  }

  private static double number(String property) {
    Object value = BROWSER.run("return document.querySelector('#picture img')?." + property);
    return value == null ? 0 : ((Number) value).doubleValue();
  }

  @Test
  void missing_dataset_metadata_is_said_and_found() {
    open(MISSING);
    BROWSER.awaitText("#warnings", "for 2 of the nodes");
    assertThat(BROWSER.text("#warnings"))
        .contains(
            "pipeline-1 [Source[0]-FakeSource]", "pipeline-1 [Sink[0]-Console-MultiTableSink]");
    assertThat(BROWSER.texts("#nodes .badge-warn")).hasSize(2).containsOnly("not reported");
    BROWSER.click("#nodes .check input");
    BROWSER.awaitText("#nodes", "2 of 3 nodes");
    assertThat(BROWSER.texts("#nodes .badge-transform")).isEmpty();
  }

  @Test
  void what_is_missing_leads_to_the_row_of_its_node_whatever_the_table_shows() {
    open(MISSING);
    BROWSER.awaitText("#warnings", "for 2 of the nodes");
    BROWSER.type("#nodes input[type=search]", "nothing of the kind");
    BROWSER.awaitText("#nodes", "0 of 3 nodes");
    BROWSER.tabTo("#warnings li:nth-child(2) button");
    BROWSER.press(Keys.ENTER);
    BROWSER.awaitText("#nodes", "3 of 3 nodes");
    assertThat(BROWSER.isFocused("#nodes tbody tr:has(.badge-sink) [data-node]")).isTrue();
    assertThat(BROWSER.text("#warnings li:nth-child(2) .id"))
        .isEqualTo("Id " + BROWSER.run("return document.activeElement.dataset.node"));
  }

  @Test
  void times_say_whose_clock_it_was() {
    open(BRANCH);
    BROWSER.awaitText("#state", "2026-11-30 09:41:54 engine's clock");
    BROWSER.choose("#language", "zh");
    BROWSER.awaitText("#state", "2026-11-30 09:41:54 引擎时钟");
  }

  @Test
  void nodes_are_found_by_name_table_kind_and_id() {
    open(BRANCH);
    BROWSER.awaitText("#nodes", "7 of 7 nodes");
    BROWSER.type("#nodes input[type=search]", "CUSTOMERS");
    await().untilAsserted(() -> assertThat(BROWSER.all(ROWS)).hasSizeBetween(1, 4));
    BROWSER.type("#nodes input[type=search]", "transformchain[transform[1]");
    BROWSER.awaitText("#nodes", "1 of 7 nodes");
    BROWSER.type("#nodes input[type=search]", "nothing of the kind");
    BROWSER.awaitText("#nodes", "0 of 7 nodes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | No running job and no retained record has this id. | 404 JOB_NOT_FOUND",
        "1179717812919402497 | gives no whole and consistent graph of it. | 409 LINEAGE_UNAVAILABLE",
        "1179718928820000001 | larger than this gateway may show. | 413 LINEAGE_GRAPH_TOO_LARGE"
      })
  void each_error_has_a_sentence_of_its_own(String jobId, String sentence, String code) {
    open(jobId);
    BROWSER.awaitText("#lineage-problem", sentence);
    assertThat(BROWSER.text("#lineage-problem")).contains(code, "Try again");
    assertThat(BROWSER.all(ROWS)).isEmpty();
    assertThat(BROWSER.text("#picture")).isEmpty();
    BROWSER.assertAccessible();
    BROWSER.picture("job-error-" + code.substring(0, 3));
  }

  @Test
  void a_link_with_a_broken_id_says_so() {
    open(BRANCH + ".");
    BROWSER.awaitText("#state", "That is no job id.");
    BROWSER.click("nav a");
    BROWSER.awaitText("h1", "Jobs and their lineage");
  }

  @Test
  void the_language_changes_what_is_there_without_asking_again() {
    open(MISSING);
    BROWSER.awaitText("#warnings", "2");
    await().until(() -> number("naturalWidth") > 0);
    double before = gateway.metric("headgate_lineage_requests_total{answer=\"flight\"}");
    BROWSER.choose("#language", "zh");
    BROWSER.awaitText("#warnings", "有 2 个节点");
    BROWSER.awaitText("#state", "已完成");
    assertThat(BROWSER.texts("#nodes .badge-warn")).containsOnly("未报告");
    assertThat(BROWSER.title()).startsWith("作业 ");
    assertThat(gateway.metric("headgate_lineage_requests_total{answer=\"flight\"}"))
        .isEqualTo(before);
  }

  @Test
  void it_is_accessible_and_looks_as_it_should() {
    open(BRANCH);
    BROWSER.awaitText("#nodes", "7 of 7 nodes");
    await().until(() -> number("naturalWidth") > 0);
    BROWSER.assertAccessible();
    BROWSER.picture("job");
    BROWSER.choose("#theme", "dark");
    BROWSER.assertAccessible();
    BROWSER.picture("job-dark");
    open(MISSING);
    BROWSER.awaitText("#warnings", "2");
    await().until(() -> number("naturalWidth") > 0);
    BROWSER.screen(360, 800);
    BROWSER.assertAccessible();
    await().until(() -> number("clientWidth") < 360);
    BROWSER.picture("job-narrow");
    assertThat(BROWSER.run("return document.documentElement.scrollWidth - innerWidth"))
        .isEqualTo(0L);
  }
}
