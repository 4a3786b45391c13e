package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.TestGateway;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

/** The start page, in front of the recorded jobs. */
class StartPageTest {
  @RegisterExtension static final Browser BROWSER = new Browser();

  private static final String JOB = "1179718928818176001";
  private static final String MISSING = "1179717812919205889";

  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    gateway = TestGateway.recorded().unchecked(); // pages that are open go on asking
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static void open() {
    BROWSER.open(gateway.uri("/"));
    BROWSER.awaitText("#running", JOB);
  }

  @Test
  void T16_the_address_of_the_gateway_leads_to_it_and_it_says_that_it_is_no_audit_log() {
    open();
    assertThat(BROWSER.url()).isEqualTo(gateway.uri("/ui/").toString());
    assertThat(BROWSER.title()).isEqualTo("Jobs and their lineage · Headgate");
    assertThat(BROWSER.text("#banner")).contains("Jobs known from a recording");
    assertThat(BROWSER.text("footer")).contains("A diagnostic aid, not an audit log");
    assertThat(BROWSER.texts("#running tbody .badge")).containsOnly("running");
    assertThat(BROWSER.text("#others")).contains(MISSING).doesNotContain(JOB);
    assertThat(BROWSER.text("#running .note")).matches("(?s).*read \\d+ s ago.*");
    BROWSER.awaitText("#gateway", "lineage");
    assertThat(BROWSER.text("#fn")).isEmpty();
  }

  @Test
  void a_job_is_opened_by_its_id() {
    open();
    BROWSER.type("#job-id", " " + JOB + " \n");
    BROWSER.awaitText("#title", JOB);
    assertThat(BROWSER.url()).isEqualTo(gateway.uri("/ui/jobs/" + JOB).toString());
  }

  @Test
  void what_is_no_job_id_is_said_and_not_opened() {
    open();
    for (String text : List.of("abc", "0", "-5", "9223372036854775808", "1e3", "")) {
      BROWSER.type("#job-id", text + "\n");
      BROWSER.awaitText("#open-fault", "That is no job id.");
    }
    assertThat(BROWSER.isFocused("#job-id")).isTrue();
    assertThat(BROWSER.url()).isEqualTo(gateway.uri("/ui/").toString());
  }

  @Test
  void a_visitor_never_causes_a_lookup() {
    open(); // the page before this one may have asked for a job
    double before = gateway.metric("headgate_flights_begun_total");
    BROWSER.reload();
    BROWSER.awaitText("#running", JOB);
    BROWSER.awaitText("#gateway", "lineage");
    assertThat(gateway.metric("headgate_flights_begun_total")).isEqualTo(before);
  }

  @Test
  void jobs_are_found_by_a_part_of_their_name_or_id() {
    open();
    BROWSER.type("#running input", "BRANCH");
    await().until(() -> BROWSER.all("#running tbody tr").size() == 2);
    BROWSER.type("#running input", JOB.substring(12));
    await().until(() -> BROWSER.all("#running tbody tr").size() == 1);
    BROWSER.type("#running input", "nothing of the kind");
    BROWSER.awaitText("#running", "None of the listed jobs matches.");
  }

  @Test
  void all_of_it_can_be_used_by_keyboard() {
    open();
    BROWSER.press(Keys.TAB);
    assertThat(BROWSER.isFocused(".skip")).isTrue();
    BROWSER.awaitText(".skip", "Skip to the content"); // seen as soon as it is drawn again
    BROWSER.press(Keys.ENTER);
    assertThat(BROWSER.isFocused("#main")).isTrue();
    BROWSER.tabTo("#job-id");
    BROWSER.tabTo("#running tbody tr:nth-child(2) a");
    BROWSER.press(Keys.ENTER);
    BROWSER.awaitText("#title", "Job 1179");
  }

  @Test
  void language_and_theme_are_chosen_at_once_and_remembered() {
    open();
    BROWSER.choose("#language", "zh");
    BROWSER.awaitText("h1", "作业与血缘");
    assertThat(BROWSER.text("#running-title")).isEqualTo("正在运行");
    assertThat(BROWSER.texts("#running tbody .badge")).containsOnly("运行中");
    assertThat(BROWSER.run("return document.documentElement.lang")).isEqualTo("zh-CN");
    assertThat(BROWSER.isFocused("#language")).isTrue();
    BROWSER.choose("#theme", "dark");
    assertThat(paper()).isEqualTo("rgb(18, 22, 27)");
    BROWSER.reload();
    BROWSER.awaitText("h1", "作业与血缘");
    assertThat(paper()).isEqualTo("rgb(18, 22, 27)");
    BROWSER.choose("#theme", "auto");
    assertThat(paper()).isEqualTo("rgb(244, 246, 248)");
    BROWSER.prefer("dark");
    assertThat(paper()).isEqualTo("rgb(18, 22, 27)");
    BROWSER.choose("#theme", "light");
    assertThat(paper()).isEqualTo("rgb(244, 246, 248)");
  }

  private static Object paper() {
    return BROWSER.run("return getComputedStyle(document.body).backgroundColor");
  }

  @Test
  void it_is_accessible_and_looks_as_it_should() {
    open();
    BROWSER.awaitText("#gateway", "lineage");
    BROWSER.assertAccessible();
    BROWSER.picture("start");
    BROWSER.choose("#theme", "dark");
    BROWSER.assertAccessible();
    BROWSER.picture("start-dark");
    BROWSER.choose("#language", "zh");
    BROWSER.screen(360, 800);
    BROWSER.assertAccessible();
    BROWSER.picture("start-narrow-dark-zh");
    assertNothingSticksOut();
  }

  private static void assertNothingSticksOut() {
    assertThat(BROWSER.run("return document.documentElement.scrollWidth - innerWidth"))
        .isEqualTo(0L);
  }
}
