package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.RecordedReport;
import io.headgate.kit.ReportingGateway;
import io.headgate.kit.TestGateway;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

/**
 * The timeline on the page of a job, reported to and read from a whole gateway with a real member.
 * Each test has a job of its own.
 */
class TimelineTest {
  @RegisterExtension static final Browser BROWSER = new Browser();

  private static final AtomicLong JOBS = new AtomicLong(1_000);
  private static final String RECORDED = "1179718928818176001";
  private static final String LINES = "#timeline .change summary";
  private static final String STATUS = "#timeline [role=status]";
  private static final String OUTCOME = "#timeline-outcome";
  private static final String TABLE = "#timeline-table";
  private static final String OLDER = "[data-key=older]";
  private static final String BODY = "#timeline .change[open] .change-body";

  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    gateway =
        TestGateway.recorded(
                "hazelcast.enabled",
                "true",
                "hazelcast.port",
                "0",
                "hazelcast.clusterName",
                "test-timeline-page-" + ProcessHandle.current().pid(),
                "timeline.errorSummaries",
                "true")
            .unchecked(); // pages that are open go on asking
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static void open(long job) {
    open(job + "");
  }

  private static void open(String jobAndQuery) {
    BROWSER.open(gateway.uri("/ui/jobs/" + jobAndQuery));
  }

  private static long job(ReportedChange... changes) {
    return job(Arrays.asList(changes));
  }

  private static long job(List<ReportedChange> changes) {
    long job = JOBS.incrementAndGet();
    ReportedChange.post(gateway::post, job, changes);
    return job;
  }

  /** One for each way in which a change can end, the last of which is not over. */
  private static List<ReportedChange> everyOutcome() {
    List<ReportedChange> all = new ArrayList<>();
    all.add(ReportedChange.of("shop.a", "ADD_COLUMN").to("dw.a").applied("dw.a"));
    all.add(partial());
    all.add(
        ReportedChange.of("shop.b", "DROP_COLUMN")
            .to("dw.b")
            .ended("FAILED", "SINK_APPLY_FAILED", "dw.b"));
    all.add(
        ReportedChange.of("shop.c", "MODIFY_COLUMN")
            .to("dw.c")
            .ended("FAILED", "SINK_UNSUPPORTED", "dw.c"));
    all.add(
        ReportedChange.of("shop.d", "MODIFY_COLUMN")
            .to("dw.d")
            .ended("IGNORED", "SINK_UNSUPPORTED", "dw.d"));
    ReportedChange ignored = ReportedChange.of("shop.e", "RENAME_TABLE");
    ignored
        .say("POLICY_EVALUATED", null)
        .put("policy", "IGNORE")
        .put("outcome", "IGNORED")
        .put("reasonCode", "POLICY_IGNORE");
    all.add(ignored);
    ReportedChange filtered = ReportedChange.of("shop.f", "CHANGE_COLUMN");
    filtered.say("FILTERED", null).put("reasonCode", "TRANSFORM_EVENT_FILTER");
    all.add(filtered);
    ReportedChange silent = ReportedChange.of("shop.g", "ADD_COLUMN").to("dw.g");
    silent.say("COMPLETED", "dw.g");
    all.add(silent);
    all.add(ReportedChange.of("shop.h", "UPDATE_COLUMNS").to("dw.h"));
    return all;
  }

  private static ReportedChange partial() {
    ReportedChange change =
        ReportedChange.of("shop.orders", "ADD_COLUMN").to("dw.orders", "lake.orders");
    change.say("CAPABILITY_EVALUATED", "dw.orders").put("capability", "SUPPORTED");
    change.say("POLICY_EVALUATED", null).put("policy", "STRICT");
    change.applied("dw.orders");
    change
        .say("COMPLETED", "lake.orders")
        .put("outcome", "FAILED")
        .put("reasonCode", "SINK_APPLY_FAILED")
        .put("errorSummary", "no such\ncolumn");
    return change;
  }

  @Test
  void every_outcome_has_a_word_an_icon_and_a_colour_of_its_own() {
    open(job(everyOutcome()));
    BROWSER.awaitText(STATUS, "Records: 9, the newest first.");
    List<Look> looks =
        ((List<?>)
                BROWSER.run(
                    """
                    return [...document.querySelectorAll(".change-fate .badge")].map((badge) => {
                      const style = getComputedStyle(badge);
                      return [badge.textContent, badge.querySelector("svg").getAttribute("class"),
                          style.color + style.backgroundColor + style.outlineStyle];
                    });
                    """))
            .stream().map(Look::of).collect(Collectors.toList());
    assertThat(looks)
        .extracting(Look::word)
        .containsExactly(
            "open: no outcome yet",
            "not reported",
            "filtered",
            "ignored",
            "unsupported, ignored",
            "unsupported, failed",
            "failed",
            "partially applied",
            "applied");
    looks.remove(4); // it looks as the other unsupported one does
    assertThat(looks).extracting(Look::icon).doesNotHaveDuplicates();
    assertThat(looks).extracting(Look::colours).doesNotHaveDuplicates();
  }

  private record Look(String word, String icon, String colours) {
    static Look of(Object seen) {
      List<?> parts = (List<?>) seen;
      return new Look("" + parts.get(0), "" + parts.get(1), "" + parts.get(2));
    }
  }

  @Test
  void a_partial_apply_opens_to_its_failed_target() {
    open(job(partial()));
    BROWSER.awaitText(LINES, "partially applied");
    assertThat(BROWSER.text(LINES))
        .containsSubsequence("Column added", "shop.orders", "lake.orders", "dw.orders")
        .contains("the sink failed to apply it", "#1");
    assertThat(BROWSER.all(BODY)).isEmpty();
    BROWSER.click(LINES);
    BROWSER.awaitText(BODY, "Targets: 2 of 2");
    List<String> targets = BROWSER.texts(BODY + " table:first-of-type tbody tr");
    assertThat(targets.get(0))
        .contains("dw.orders", "applied", "supported")
        .doesNotContain("failed");
    assertThat(targets.get(1))
        .contains("lake.orders", "failed", "the sink failed to apply it", "no such\ncolumn");
    assertThat(BROWSER.text(BODY + " .facts"))
        .contains("SCHEMA_CHANGE_ADD_COLUMN", "SINK_APPLY_FAILED", "STRICT");
    assertThat(row("Apply begun")).contains("not reported");
    assertThat(row("Done at the target")).contains("dw.orders", "applied");
    BROWSER.click(LINES);
    await().until(() -> BROWSER.all(BODY).isEmpty());
  }

  private static String row(String stage) {
    return BROWSER.texts(BODY + " tbody tr").stream()
        .filter(row -> row.contains(stage))
        .findFirst()
        .orElse("no row of " + stage);
  }

  @Test
  void what_an_unmodified_engine_reports_is_shown_as_seen_and_not_as_applied() {
    RecordedReport.ofTheCdcJob()
        .forEach(report -> gateway.post(ReportingGateway.ENGINES, report.text()));
    open(RecordedReport.CDC_JOB);
    BROWSER.awaitText(STATUS, "Records: " + RecordedReport.CDC_EVENTS + ",");
    String first = BROWSER.texts(LINES).get(RecordedReport.CDC_EVENTS - 1);
    assertThat(first).contains("open: no outcome yet", "Column added", "shop.orders", "#1");
    BROWSER.click("#timeline li:last-child summary");
    BROWSER.awaitText(BODY, "No target was reported.");
    assertThat(BROWSER.text(BODY + " .facts")).contains("SCHEMA_CHANGE_UPDATE_COLUMNS", "not over");
    assertThat(row("Understood by the engine")).contains("passed");
    assertThat(row("Done at the target")).contains("not reported");
  }

  @Test
  void the_filter_stands_in_the_address_and_outlives_a_reload() {
    long job = job(everyOutcome());
    open(job);
    BROWSER.choose(OUTCOME, "FAILED");
    BROWSER.awaitText(STATUS, "Records: 2");
    assertThat(BROWSER.url()).endsWith("/ui/jobs/" + job + "?outcome=FAILED");
    BROWSER.type(TABLE, " dw.b \n");
    BROWSER.awaitText(STATUS, "Records: 1,");
    assertThat(BROWSER.text(LINES)).contains("shop.b");
    assertThat(BROWSER.url()).endsWith("?outcome=FAILED&table=dw.b");
    BROWSER.reload();
    BROWSER.awaitText(STATUS, "Records: 1,");
    assertThat(BROWSER.find(TABLE).getDomProperty("value")).isEqualTo("dw.b");
    BROWSER.click("nav a");
    BROWSER.awaitText("h1", "Jobs and their lineage");
    BROWSER.back();
    BROWSER.awaitText(STATUS, "Records: 1,");
    BROWSER.choose(OUTCOME, "IGNORED");
    BROWSER.awaitText(STATUS, "No record matches this filter.");
    BROWSER.click("#timeline form button[type=button]");
    BROWSER.awaitText(STATUS, "Records: 9");
    assertThat(BROWSER.url()).endsWith("/ui/jobs/" + job);
  }

  @Test
  void a_link_with_a_filter_shows_what_it_names_and_passes_over_what_is_none() {
    long job = job(everyOutcome());
    open(job + "?outcome=PARTIALLY_APPLIED&table=lake.orders");
    BROWSER.awaitText(LINES, "partially applied");
    assertThat(BROWSER.all(LINES)).hasSize(1);
    open(job + "?outcome=nonsense&table=");
    BROWSER.awaitText(STATUS, "Records: 9");
    open(job + "?table=" + "x".repeat(1_025));
    BROWSER.awaitText("#timeline .problem", "The gateway does not take this filter.");
  }

  @Test
  void older_records_come_on_demand_and_none_is_missing() {
    List<ReportedChange> many =
        IntStream.rangeClosed(1, 120)
            .mapToObj(i -> ReportedChange.of("shop.t" + i, "ADD_COLUMN"))
            .toList();
    open(job(many));
    BROWSER.awaitText(STATUS, "The newest 50 records. There are older ones.");
    BROWSER.click(OLDER);
    BROWSER.awaitText(STATUS, "The newest 100 records.");
    BROWSER.click(OLDER);
    BROWSER.awaitText(STATUS, "Records: 120, the newest first. There are no older ones.");
    assertThat(BROWSER.all(OLDER)).isEmpty();
    assertThat(
            BROWSER.run(
                "return [...document.querySelectorAll('.change-number')]"
                    + ".map((each) => each.textContent).join()"))
        .isEqualTo(
            IntStream.range(0, 120)
                .mapToObj(i -> "#" + (120 - i))
                .collect(Collectors.joining(",")));
  }

  @Test
  void names_of_tables_are_text_whatever_is_in_them() {
    String markup = "<img src=x onerror=\"document.title='broken'\">";
    ReportedChange change =
        ReportedChange.of(markup, "ADD_COLUMN").to("dw.\u202egnp.\u2066x", "<b>a</b>&amp;");
    change.say("COMPLETED", "<b>a</b>&amp;").put("outcome", "FAILED").put("errorSummary", markup);
    open(job(change));
    BROWSER.awaitText(LINES, markup);
    assertThat(BROWSER.text(LINES)).contains("dw.\\u202Egnp.\\u2066x", "<b>a</b>&amp;");
    BROWSER.click(LINES);
    BROWSER.awaitText(BODY + " .change-error", markup);
    assertThat(BROWSER.text(BODY)).contains("dw.\\u202Egnp.\\u2066x", "<b>a</b>&amp;");
    assertThat(BROWSER.all("#timeline img, #timeline b")).isEmpty();
    BROWSER.type(TABLE, markup + "\n");
    await().until(() -> BROWSER.url().contains("table=%3Cimg"));
    BROWSER.awaitText(STATUS, "Records: 1,");
    assertThat(BROWSER.title()).startsWith("Job ");
  }

  @Test
  void what_is_truncated_and_what_nobody_reported_is_said() {
    String[] shards =
        IntStream.range(0, 130).mapToObj("dw.shard%03d"::formatted).toArray(String[]::new);
    open(job(ReportedChange.seen(), ReportedChange.of("shop.wide", "ADD_COLUMN").to(shards)));
    BROWSER.awaitText("#timeline > div > .warning", "Truncated records below: 1.");
    assertThat(BROWSER.texts(LINES).get(0)).contains("and 97 more", "truncated");
    assertThat(BROWSER.texts(LINES).get(1)).contains("kind not reported", "table not reported");
    BROWSER.click(LINES);
    BROWSER.awaitText(BODY, "Targets: 100 of 130");
    assertThat(BROWSER.text(BODY)).contains("Truncated: there are more targets than are listed");
    assertThat(BROWSER.text(BODY)).contains("dw.shard049").doesNotContain("dw.shard050");
    BROWSER.click(BODY + " button");
    BROWSER.awaitText(BODY, "dw.shard099");
    BROWSER.click(LINES);
    BROWSER.click("#timeline li:nth-child(2) summary");
    BROWSER.awaitText(BODY, "No target was reported.");
    assertThat(BROWSER.texts(BODY + " .facts > div").stream().filter(f -> f.contains("not rep")))
        .extracting(fact -> fact.lines().findFirst().orElse(""))
        .containsExactly("Source table", "Kind", "Reason", "Policy", "Made by the source");
    assertThat(BROWSER.texts(BODY + " tbody .badge-unreported")).hasSize(9);
  }

  @Test
  void records_that_made_room_are_counted_and_their_place_is_marked() {
    List<ReportedChange> many = new ArrayList<>();
    for (int i = 1; i <= 500; i++) {
      ReportedChange change = ReportedChange.of("shop.t" + i, "ADD_COLUMN").to("dw.t" + i);
      many.add(i == 490 ? change.applied("dw.t" + i) : change);
    }
    long job = job(many.subList(0, 250)); // two batches, since one has 1,000 entries at most
    ReportedChange.post(gateway::post, job, many.subList(250, 500));
    ReportedChange.post(gateway::post, job, ReportedChange.of("shop.new", "ADD_COLUMN"));
    open(job);
    BROWSER.awaitText(
        "#timeline > div > .warning", "Records that made room for newer ones: 1; without");
    assertThat(BROWSER.texts("#timeline .changes-gap")).containsExactly("#490 is no longer kept.");
    BROWSER.type(TABLE, "dw.t491\n");
    BROWSER.awaitText(STATUS, "Records: 1,");
    assertThat(BROWSER.all("#timeline .changes-gap")).isEmpty();
  }

  @Test
  void no_record_no_job_and_no_timelines_are_said_each_in_its_own_way() {
    open(RECORDED);
    BROWSER.awaitText(STATUS, "No schema change of this job was reported.");
    assertThat(BROWSER.text("#timeline")).contains("not an audit log");
    open("1");
    BROWSER.awaitText("#timeline .problem", "No running job and no retained record has this id.");
    assertThat(BROWSER.text(STATUS)).isEmpty();
    try (TestGateway without = TestGateway.recorded().unchecked()) {
      BROWSER.open(without.uri("/ui/jobs/" + RECORDED));
      BROWSER.awaitText(STATUS, "This gateway keeps no timelines");
      assertThat(BROWSER.find("#timeline form").isDisplayed()).isFalse();
      assertThat(BROWSER.all("#timeline .problem")).isEmpty();
      open(RECORDED); // nothing asks the other gateway any more
    }
  }

  @Test
  void it_is_used_by_keyboard_alone() {
    List<ReportedChange> all = everyOutcome();
    IntStream.range(0, 50).forEach(i -> all.add(ReportedChange.of("shop.t", "ADD_COLUMN")));
    open(job(all));
    BROWSER.awaitText(STATUS, "The newest 50 records.");
    BROWSER.tabTo(LINES);
    BROWSER.press(Keys.ENTER);
    BROWSER.awaitText(BODY, "Source table");
    BROWSER.run("document.querySelector('[data-key=json]').focus()");
    BROWSER.press(Keys.chord(Keys.SHIFT, Keys.TAB));
    assertThat(BROWSER.isFocused(OLDER)).isTrue();
    BROWSER.press(Keys.ENTER);
    BROWSER.awaitText(STATUS, "Records: 59");
    assertThat(BROWSER.all(BODY)).as("what was open").hasSize(1);
    BROWSER.run("document.querySelector('nav a').focus()");
    BROWSER.tabTo(OUTCOME);
    BROWSER.press("partially");
    BROWSER.awaitText(STATUS, "Records: 1,");
    assertThat(BROWSER.isFocused(OUTCOME)).isTrue();
    BROWSER.tabTo(TABLE);
    BROWSER.press("dw.nothing", Keys.ENTER);
    BROWSER.awaitText(STATUS, "No record matches");
    assertThat(BROWSER.isFocused(TABLE)).isTrue();
    BROWSER.tabTo("#timeline form button[type=button]");
    BROWSER.press(Keys.ENTER);
    BROWSER.awaitText(STATUS, "The newest 50 records.");
    assertThat(BROWSER.isFocused(OUTCOME)).isTrue();
  }

  @Test
  void the_language_changes_and_what_is_open_stays_so() {
    open(job(everyOutcome()));
    BROWSER.awaitText(STATUS, "Records: 9");
    BROWSER.click("#timeline li:nth-child(8) summary");
    BROWSER.awaitText(BODY, "Targets: 2 of 2");
    BROWSER.choose("#language", "zh");
    BROWSER.awaitText(STATUS, "共 9 条记录");
    BROWSER.awaitText(BODY, "目标：2 个中的 2 个");
    assertThat(BROWSER.texts(LINES).get(7)).contains("部分应用", "新增列");
    assertThat(BROWSER.text(OUTCOME)).contains("全部，包括未结束的", "部分应用");
    BROWSER.picture("timeline-chinese");
  }

  @Test
  void it_is_accessible_and_looks_as_it_should() {
    open(job(everyOutcome()));
    BROWSER.awaitText(STATUS, "Records: 9");
    BROWSER.click("#timeline li:nth-child(8) summary");
    BROWSER.awaitText(BODY, "Targets: 2 of 2");
    BROWSER.assertAccessible();
    BROWSER.picture("timeline-light");
    BROWSER.prefer("dark");
    BROWSER.assertAccessible();
    BROWSER.picture("timeline-dark");
    BROWSER.prefer("light");
    BROWSER.screen(360, 800);
    BROWSER.assertAccessible();
    BROWSER.picture("timeline-narrow");
    assertThat(BROWSER.run("return document.documentElement.scrollWidth - innerWidth"))
        .isEqualTo(0L);
  }
}
