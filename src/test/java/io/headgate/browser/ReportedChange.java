package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What reporters say of one schema change, entry by entry; for one thread. */
final class ReportedChange {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final AtomicInteger KEYS = new AtomicInteger();

  private final int key = KEYS.incrementAndGet();
  private final ArrayNode entries = JSON.createArrayNode();

  private ReportedChange() {}

  /** One of which nothing is known but that somebody saw it. */
  static ReportedChange seen() {
    ReportedChange change = new ReportedChange();
    change.say("OBSERVED", null);
    return change;
  }

  /**
   * @param type the end of an event type's name
   */
  static ReportedChange of(String table, String type) {
    ReportedChange change = new ReportedChange();
    change
        .say("OBSERVED", null)
        .put("sourceTable", table)
        .put("eventType", "SCHEMA_CHANGE_" + type);
    return change;
  }

  /** An entry, for more members to be put into. */
  ObjectNode say(String stage, @Nullable String table) {
    ObjectNode entry = entries.addObject().put("observationKey", "k" + key).put("stage", stage);
    if (table != null) {
      entry.putObject("target").put("table", table);
    }
    return entry;
  }

  ReportedChange to(String... tables) {
    for (String table : tables) {
      say("TARGET_RESOLVED", table).put("targetCount", tables.length);
    }
    return this;
  }

  ReportedChange ended(String outcome, String reason, String... tables) {
    for (String table : tables) {
      say("COMPLETED", table)
          .put("outcome", outcome)
          .put("reasonCode", reason)
          .put("at", "2026-11-30T10:02:09.123Z");
    }
    return this;
  }

  ReportedChange applied(String... tables) {
    return ended("APPLIED", "APPLY_SUCCEEDED", tables);
  }

  /** Reports them; fails unless all is kept. */
  static void post(
      BiFunction<String, String, HttpResponse<String>> gateway,
      long jobId,
      ReportedChange... changes) {
    post(gateway, jobId, Arrays.asList(changes));
  }

  static void post(
      BiFunction<String, String, HttpResponse<String>> gateway,
      long jobId,
      List<ReportedChange> changes) {
    ArrayNode all = JSON.createArrayNode();
    for (ReportedChange change : changes) {
      change.entries.forEach(entry -> all.add(((ObjectNode) entry).put("jobId", jobId)));
    }
    HttpResponse<String> response = gateway.apply("/schema-evolution/events", all.toString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body()).doesNotContain("\"fault\":\"");
  }
}
