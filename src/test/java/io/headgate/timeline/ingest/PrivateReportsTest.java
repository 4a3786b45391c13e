package io.headgate.timeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.headgate.timeline.JobLife;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.TimelineChange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sentinels in every field of every kind of event: none is kept, but for names of tables (T11). */
class PrivateReportsTest {
  private static final String SENTINEL = "s3cr3t";

  /** What is kept of an event's text: the parts of its table's name. */
  private static final Set<String> KEPT =
      Set.of("databaseName", "schemaName", "tableName", "eventType", "jobId", "createdTime");

  @Test
  void T11_no_field_of_any_recorded_kind_of_event_is_kept_but_its_table() {
    ArrayNode batch = Batches.TREES.createArrayNode();
    for (int i = 1; i <= 5; i++) {
      byte[] body = Batches.recorded(Batches.OLD_ENGINE, "50_cdc_event_batch_0" + i);
      Batches.tree(body).forEach(event -> batch.add(withSentinels(event)));
    }
    String text = batch.toString();
    assertThat(text.split(SENTINEL, -1)).as("sentinels").hasSizeGreaterThan(200);
    assertThat(kept(text)).contains("shop.orders").doesNotContain(SENTINEL);
  }

  @Test
  void T11_no_field_of_kinds_that_no_recording_has_is_kept_either() {
    List<String> kinds =
        List.of(
            "SCHEMA_CHANGE_ADD_COLUMN",
            "SCHEMA_CHANGE_DROP_COLUMN",
            "SCHEMA_CHANGE_MODIFY_COLUMN",
            "SCHEMA_CHANGE_CHANGE_COLUMN",
            "SCHEMA_CHANGE_UPDATE_COLUMNS",
            "SCHEMA_CHANGE_RENAME_TABLE",
            "SCHEMA_CHANGE_" + SENTINEL,
            "READER_MESSAGE_DELAYED",
            SENTINEL);
    String fields =
        ("\"jobId\":\"%s\",\"createdTime\":5,\"catalogName\":\"S\",\"tableIdentifier\":"
                + "{\"catalogName\":\"S\",\"tableName\":\"orders\",\"S\":\"S\"},"
                + "\"newTableIdentifier\":{\"catalogName\":\"S\",\"databaseName\":\"S\","
                + "\"schemaName\":\"S\",\"tableName\":\"S\"},\"newTablePath\":{\"fullName\":\"S\"},"
                + "\"tablePath\":{\"tableName\":\"orders\",\"fullName\":\"S\","
                + "\"fullNameWithQuoted\":\"S\",\"schemaAndTableName\":\"S\"},"
                + "\"statement\":\"S\",\"sourceDialectName\":\"S\",\"record\":\"S\","
                + "\"delayTime\":\"S\",\"afterColumn\":\"S\",\"first\":\"S\",\"oldColumn\":\"S\","
                + "\"column\":{\"name\":\"S\",\"defaultValue\":\"S\",\"comment\":\"S\","
                + "\"options\":{\"S\":\"S\"},\"sourceType\":\"S\",\"dataType\":[\"S\"]},"
                + "\"events\":[{\"eventType\":\"S\",\"column\":\"S\",\"statement\":\"S\","
                + "\"jobId\":\"S\",\"tableIdentifier\":{\"tableName\":\"S\"}},\"S\"],"
                + "\"S\":{\"S\":[\"S\"]}")
            .formatted(JobLife.JOB)
            .replace("S\"", SENTINEL + "\"");
    StringBuilder batch = new StringBuilder("[");
    for (String kind : kinds) {
      batch.append(batch.length() == 1 ? "" : ",");
      batch.append("{\"eventType\":\"").append(kind).append("\",").append(fields).append('}');
    }
    assertThat(kept(batch + "]")).contains("orders").doesNotContain(SENTINEL);
  }

  /** The same event with a sentinel in each text and each unknown place. */
  private static JsonNode withSentinels(JsonNode node) {
    if (node.isObject()) {
      ObjectNode object = Batches.TREES.createObjectNode();
      node.fields()
          .forEachRemaining(
              member ->
                  object.set(
                      member.getKey(),
                      KEPT.contains(member.getKey())
                          ? member.getValue()
                          : withSentinels(member.getValue())));
      object.put(SENTINEL, SENTINEL);
      return object;
    }
    if (node.isArray()) {
      ArrayNode array = Batches.TREES.createArrayNode();
      node.forEach(element -> array.add(withSentinels(element)));
      array.add(SENTINEL);
      return array;
    }
    return node.isBoolean() ? node : new TextNode(SENTINEL + node.asText());
  }

  /** All that is left of a batch once it was read: objects, stored bytes, changes, answers. */
  private static String kept(String batch) {
    EngineReport report = Batches.report(batch);
    StringBuilder kept = new StringBuilder(report.jobs().toString());
    JobLife life = new JobLife();
    report
        .jobs()
        .forEach(
            (job, events) -> {
              TimelineChange change = new TimelineChange.Observed(job, events, 1);
              kept.append(text(change.toBytes()));
              kept.append(text(life.apply(change).toBytes()));
            });
    return kept + text(life.timeline().toBytes()) + life.json(true);
  }

  @Test
  void T11_of_a_decision_event_only_documented_members_are_kept() {
    String entry =
        ("{\"jobId\":\"%s\",\"observationKey\":\"S\",\"stage\":\"COMPLETED\",\"statement\":\"S\","
                + "\"reasonCode\":\"S\",\"capability\":\"S\",\"historyId\":\"S\","
                + "\"eventType\":\"SCHEMA_CHANGE_S\",\"target\":{\"table\":\"t\",\"S\":\"S\"},"
                + "\"S\":{\"S\":[\"S\"]}}")
            .formatted(JobLife.JOB)
            .replace("S\"", SENTINEL + "\"");
    JobLife life = new JobLife();
    String kept = decided(life, entry);
    assertThat(life.sequences()).hasSize(1);
    assertThat(kept).doesNotContain(SENTINEL);
  }

  @Test
  void T11_an_error_summary_is_kept_and_told_only_where_that_is_switched_on() {
    JobLife life = new JobLife();
    decided(
        life,
        "{\"jobId\":\"%s\",\"observationKey\":\"k\",\"stage\":\"COMPLETED\",\"errorSummary\":\"%s\"}"
            .formatted(JobLife.JOB, SENTINEL));
    assertThat(life.json(false)).doesNotContain(SENTINEL);
    assertThat(life.json(true)).contains(SENTINEL);
  }

  @Test
  void T4_no_fault_echoes_what_was_sent() {
    List<String> entries = new ArrayList<>();
    for (String member :
        List.of("jobId", "stage", "policy", "outcome", "eventType", "at", "schemaChangeId")) {
      entries.add(
          "{\"jobId\":7,\"observationKey\":\"k\",\"stage\":\"OBSERVED\",\"%s\":\"%s\"}"
              .formatted(member, SENTINEL)
              .replaceFirst("\"jobId\":7,(.*\"jobId\")", "$1")
              .replaceFirst("\"stage\":\"OBSERVED\",(.*\"stage\")", "$1"));
    }
    DecisionReport report =
        DecisionReport.parse(
            ("[" + String.join(",", entries) + "]").getBytes(StandardCharsets.UTF_8));
    assertThat(report.jobs()).isEmpty();
    assertThat(text(report.answer().write().toByteArray())).doesNotContain(SENTINEL);
  }

  private static String decided(JobLife life, String entry) {
    DecisionReport report =
        DecisionReport.parse(("[" + entry + "]").getBytes(StandardCharsets.UTF_8));
    DecisionReport.JobEvents events = report.jobs().get(JobLife.JOB);
    assertThat(events).isNotNull();
    if (events == null) {
      return "";
    }
    TimelineChange change = new TimelineChange.Decided(JobLife.JOB, events.events(), 1);
    Receipt receipt = life.apply(change);
    DecisionAnswer answer = report.answer();
    answer.put(events, receipt.results());
    return text(change.toBytes())
        + text(receipt.toBytes())
        + text(answer.write().toByteArray())
        + text(life.timeline().toBytes())
        + life.json(true);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
