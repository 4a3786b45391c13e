package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page says and does while the gateway or the engine is in trouble. */
class TroubleTest {
  @RegisterExtension static final Browser BROWSER = new Browser();

  @Test
  void a_503_is_said_with_a_countdown_and_goes_away_by_itself() {
    try (ScriptedEngine engine = new ScriptedEngine();
        TestGateway gateway = TestGateway.before(engine).unchecked()) {
      engine.job(7, ScriptedEngine.status(503));
      BROWSER.open(gateway.uri("/ui/jobs/7"));
      BROWSER.awaitText("#lineage-problem", "The lineage can't be given now");
      BROWSER.awaitText("#lineage-problem .countdown", "Trying again in");
      BROWSER.assertAccessible();
      BROWSER.picture("job-error-503");
      engine.job(7, ScriptedEngine.graphAfter(0));
      BROWSER.awaitText("#nodes", "nodes");
      await().until(() -> BROWSER.text("#lineage-problem").isEmpty());
      BROWSER.open(gateway.uri("/ui/")); // asks for no lookup while the gateway stops
    }
  }

  @Test
  void while_no_list_was_read_the_start_page_says_so_and_the_rest_of_it_is_there() {
    try (ScriptedEngine engine = new ScriptedEngine().list("running-jobs", ScriptedEngine.hang());
        TestGateway gateway = TestGateway.before(engine).unchecked()) {
      BROWSER.open(gateway.uri("/ui/"));
      BROWSER.awaitText("#running", "The gateway has not read a list of jobs yet.");
      BROWSER.awaitText("#others", "503 JOBS_TEMPORARILY_UNAVAILABLE");
      BROWSER.awaitText("#gateway", "usable");
    }
  }

  @Test
  void a_gateway_that_is_gone_is_said_and_what_was_read_stays() {
    TestGateway gateway = TestGateway.recorded().unchecked();
    try (gateway) {
      BROWSER.open(gateway.uri("/ui/"));
      BROWSER.awaitText("#running", "cdc2");
      BROWSER.awaitText("#gateway", "lineage");
    }
    BROWSER.awaitText("#gateway .problem", "The gateway can't be reached.");
    assertThat(BROWSER.text("#gateway")).contains("What is shown below was read at", "lineage");
    BROWSER.picture("start-unreachable");
  }

  @Test
  void a_tab_that_nobody_sees_asks_nothing_and_catches_up_when_it_is_seen() {
    try (TestGateway gateway = TestGateway.recorded().unchecked()) {
      BROWSER.open(gateway.uri("/ui/"));
      BROWSER.awaitText("#gateway", "lineage");
      see(false);
      BROWSER.requests();
      await()
          .during(Duration.ofSeconds(6)) // longer than from one reading to the next
          .until(() -> BROWSER.requests().isEmpty());
      see(true);
      await().until(() -> BROWSER.requests().contains(gateway.uri("/ui/state").toString()));
    }
  }

  @Test
  void a_picture_that_does_not_come_is_said_and_the_table_stays() {
    try (TestGateway gateway = TestGateway.recorded().unchecked()) {
      block("*graph.svg*");
      BROWSER.open(gateway.uri("/ui/jobs/1179718928818176001"));
      BROWSER.awaitText("#picture .problem", "The gateway can't be reached.");
      BROWSER.awaitText("#picture .countdown", "Trying again in");
      assertThat(BROWSER.text("#nodes")).contains("7 of 7 nodes");
      block();
      await().until(() -> BROWSER.find("#picture img").isDisplayed());
      assertThat(BROWSER.text("#picture .problem")).isEmpty();
    } finally {
      block();
    }
  }

  private static void block(String... patterns) {
    BROWSER.command("Network.enable", Map.of());
    BROWSER.command("Network.setBlockedURLs", Map.of("urls", List.of(patterns)));
  }

  private static void see(boolean visible) {
    BROWSER.run(
        "Object.defineProperty(document, 'hidden', {configurable: true, value: !arguments[0]});"
            + "document.dispatchEvent(new Event('visibilitychange'));",
        visible);
  }
}
