package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.graph.Unavailability;
import io.headgate.kit.ReportingGateway;
import io.headgate.timeline.TimelineUnavailableException;
import java.net.URI;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How the timeline of a page stays up to date, in front of a store that does what the test says.
 * The clock of the page runs twenty times faster than ours, which its own code can't tell.
 */
class TimelineRefreshTest {
  @RegisterExtension static final Browser BROWSER = new Browser();

  private static final long JOB = 7;
  private static final String LINES = "#timeline .change summary";
  private static final String STATUS = "#timeline [role=status]";
  private static final String PROBLEM = "#timeline .problem";
  private static final String FAST =
      """
      {
        const now = Date.now.bind(Date);
        const later = setTimeout.bind(window);
        const begin = now();
        Date.now = () => begin + (now() - begin) * 20;
        window.setTimeout = (work, millis, ...rest) => later(work, millis / 20, ...rest);
      }
      """;

  private ReportingGateway gateway;
  private Object script;

  @BeforeEach
  void start() {
    gateway = new ReportingGateway();
    script =
        BROWSER
            .command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", FAST))
            .get("identifier");
  }

  @AfterEach
  void stop() {
    BROWSER.command("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
    BROWSER.run("location.replace('about:blank')"); // so that nothing asks any more
    gateway.close();
  }

  private void post(ReportedChange... changes) {
    ReportedChange.post(gateway::post, JOB, changes);
  }

  private void open() {
    BROWSER.open(URI.create("http://127.0.0.1:" + gateway.port() + "/ui/jobs/" + JOB));
  }

  /** Answers to questions for the timeline; the page may have had them already. */
  private double answers() {
    return gateway.metric("headgate_timeline_outcomes_total{reason=\"ok\",status=\"200\"}");
  }

  /** Answers without a body, of whatever route; there is no lineage here. */
  private double unchanged() {
    return gateway.metric("headgate_lineage_not_modified_total");
  }

  @Test
  void a_refresh_brings_what_is_new_and_leaves_what_is_open_and_focused() {
    post(ReportedChange.of("shop.a", "ADD_COLUMN").to("dw.a"));
    open();
    BROWSER.awaitText(LINES, "shop.a");
    BROWSER.click(LINES);
    BROWSER.awaitText("#timeline .change[open] .change-body", "Targets: 1 of 1");
    BROWSER.run("document.querySelector('" + LINES + "').focus()");
    post(ReportedChange.of("shop.b", "DROP_COLUMN"));
    BROWSER.awaitText(STATUS, "Records: 2");
    assertThat(BROWSER.texts(LINES).get(0)).contains("shop.b");
    assertThat(BROWSER.texts("#timeline .change[open] summary"))
        .singleElement()
        .asString()
        .contains("shop.a");
    assertThat(BROWSER.isFocused("#timeline .change[open] summary")).isTrue();
  }

  @Test
  void a_record_that_changes_stays_open_and_focused() {
    ReportedChange change = ReportedChange.of("shop.a", "ADD_COLUMN").to("dw.a");
    post(change);
    open();
    BROWSER.awaitText(LINES, "open: no outcome yet");
    BROWSER.click(LINES);
    BROWSER.run("document.querySelector('" + LINES + "').focus()");
    post(change.applied("dw.a"));
    BROWSER.awaitText(LINES, "applied");
    BROWSER.awaitText("#timeline .change[open] .change-body", "the sink applied it");
    assertThat(BROWSER.isFocused(LINES)).isTrue();
  }

  @Test
  void what_has_not_changed_is_not_sent_again() {
    post(ReportedChange.of("shop.a", "ADD_COLUMN"));
    open();
    BROWSER.awaitText(STATUS, "Records: 1,");
    await()
        .untilAsserted(
            () -> assertThat(unchanged()).isGreaterThanOrEqualTo(2).isEqualTo(answers() - 1));
  }

  @Test
  void a_tab_that_nobody_sees_asks_nothing_until_it_is_seen_again() {
    post(ReportedChange.of("shop.a", "ADD_COLUMN"));
    open();
    await().until(() -> unchanged() >= 1);
    see(false);
    BROWSER.requests();
    double since = pageSeconds();
    post(ReportedChange.of("shop.b", "ADD_COLUMN"));
    await().until(() -> pageSeconds() > since + 60);
    assertThat(BROWSER.requests()).isEmpty();
    see(true);
    BROWSER.awaitText(STATUS, "Records: 2,");
  }

  private static void see(boolean visible) {
    BROWSER.run(
        """
        const hidden = !arguments[0];
        const state = hidden ? "hidden" : "visible";
        Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
        Object.defineProperty(document, "visibilityState", {configurable: true, get: () => state});
        document.dispatchEvent(new Event("visibilitychange"));
        """,
        visible);
  }

  private static double pageSeconds() {
    return ((Number) BROWSER.run("return Date.now()")).doubleValue() / 1000;
  }

  @Test
  void a_store_that_fails_is_said_with_a_countdown_and_passes_by_itself() {
    post(ReportedChange.of("shop.a", "ADD_COLUMN"));
    gateway.store().fail(new TimelineUnavailableException(Unavailability.STORE_FAILED));
    open();
    BROWSER.awaitText(PROBLEM, "The timeline can't be given now");
    BROWSER.awaitText(PROBLEM, "503 TIMELINE_TEMPORARILY_UNAVAILABLE");
    BROWSER.awaitText(PROBLEM, "Trying again in ");
    assertThat(BROWSER.text(STATUS)).isEmpty();
    gateway.store().fail(null);
    BROWSER.awaitText(LINES, "shop.a");
    await().until(() -> BROWSER.all(PROBLEM).isEmpty());
    gateway.store().fail(new TimelineUnavailableException(Unavailability.STORE_FAILED));
    BROWSER.awaitText(PROBLEM, "What is shown below was read at");
    assertThat(BROWSER.text(LINES)).contains("shop.a");
    gateway.store().fail(null);
    await().until(() -> BROWSER.all(PROBLEM).isEmpty());
  }

  private void openWithSixtyMore() {
    ReportedChange.post(
        gateway::post,
        JOB,
        IntStream.range(0, 60)
            .mapToObj(i -> ReportedChange.of("shop.t" + i, "ADD_COLUMN"))
            .toList());
    open();
    BROWSER.awaitText(STATUS, "The newest 50 records.");
  }

  @Test
  void older_records_stay_over_a_refresh_and_change_with_it() {
    ReportedChange first = ReportedChange.of("shop.first", "ADD_COLUMN").to("dw.first");
    post(first);
    openWithSixtyMore();
    BROWSER.click("[data-key=older]");
    BROWSER.awaitText(STATUS, "Records: 61,");
    post(first.applied("dw.first"), ReportedChange.of("shop.last", "ADD_COLUMN"));
    BROWSER.awaitText(STATUS, "Records: 62,");
    BROWSER.awaitText("#timeline .changes > li:last-child", "applied");
    BROWSER.awaitText(LINES, "shop.last");
  }

  @Test
  void a_page_of_older_records_that_fails_is_said_beside_its_button() {
    openWithSixtyMore();
    gateway.store().fail(new TimelineUnavailableException(Unavailability.STORE_FAILED));
    BROWSER.click("[data-key=older]");
    BROWSER.awaitText(".changes-foot .fault", "The timeline can't be given now");
    assertThat(BROWSER.all(LINES)).hasSize(50);
    gateway.store().fail(null);
    BROWSER.click("[data-key=older]");
    BROWSER.awaitText(STATUS, "Records: 60,");
    assertThat(BROWSER.text(".changes-foot .fault")).isEmpty();
  }
}
