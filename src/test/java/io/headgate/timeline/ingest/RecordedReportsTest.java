package io.headgate.timeline.ingest;

import static io.headgate.timeline.ingest.Batches.NEW_ENGINE;
import static io.headgate.timeline.ingest.Batches.OLD_ENGINE;
import static io.headgate.timeline.ingest.Batches.recorded;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.headgate.timeline.EventType;
import io.headgate.timeline.JobLife;
import io.headgate.timeline.Observation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What real engines have posted, and what becomes of it. */
class RecordedReportsTest {
  /** Of the recorded job with a real {@code ALTER TABLE} in it, in the order they were posted. */
  private static final List<String> OF_ONE_JOB =
      List.of(
          "50_cdc_event_batch_01",
          "50_cdc_event_batch_02",
          "50_cdc_event_batch_03",
          "50_cdc_event_batch_04",
          "50_cdc_event_batch_05");

  @ParameterizedTest
  @CsvSource({
    "2.3.8, 40_event_batch_01, 0, 20",
    "2.3.8, 40_event_batch_02, 0, 20",
    "2.3.8, 40_event_batch_03, 0, 20",
    "2.3.8, 40_event_batch_04, 0, 4",
    "2.3.8, 40_event_batch_05, 0, 2",
    "2.3.8, 50_cdc_event_batch_01, 0, 2",
    "2.3.8, 50_cdc_event_batch_02, 1, 1",
    "2.3.8, 50_cdc_event_batch_03, 4, 0",
    "2.3.8, 50_cdc_event_batch_04, 0, 4",
    "2.3.8, 50_cdc_event_batch_05, 1, 2",
    "2.3.9-SNAPSHOT-20241023-v2, 40_event_batch_01, 0, 16",
    "2.3.9-SNAPSHOT-20241023-v2, 40_event_batch_02, 0, 4",
    "2.3.9-SNAPSHOT-20241023-v2, 50_cdc_event_batch_01, 0, 2",
    "2.3.9-SNAPSHOT-20241023-v2, 50_cdc_event_batch_02, 1, 0",
  })
  void T1_schema_events_are_told_from_all_others(
      String engine, String name, int schemaEvents, int others) {
    EngineReport report = Batches.report(recorded(engine, name));
    assertThat(report.schemaEvents()).isEqualTo(schemaEvents);
    assertThat(report.otherEvents()).isEqualTo(others);
    assertThat(report.unreadable() + report.overBound()).isZero();
  }

  @Test
  void T1_each_outer_event_becomes_one_record_with_its_table_and_type() {
    JobLife life = new JobLife();
    for (String name : OF_ONE_JOB) {
      Batches.into(life, recorded(OLD_ENGINE, name));
    }
    assertThat(life.sequences()).containsExactly(6L, 5L, 4L, 3L, 2L, 1L);
    for (JsonNode record : life.page().get("records")) {
      assertThat(record.get("sourceTable").asText()).isEqualTo("shop.orders");
      assertThat(record.get("eventType").asText()).isEqualTo("SCHEMA_CHANGE_UPDATE_COLUMNS");
      assertThat(record.get("decisions")).hasSize(2);
    }
    assertThat(life.record(1).get("eventCreatedAt").asText()).isEqualTo("2026-11-30T10:02:08.322Z");
    assertThat(life.record(4).get("nestedTypes").toString())
        .isEqualTo(
            "[\"SCHEMA_CHANGE_ADD_COLUMN\",\"SCHEMA_CHANGE_ADD_COLUMN\","
                + "\"SCHEMA_CHANGE_DROP_COLUMN\"]");
  }

  @Test
  void T1_the_newer_engine_reports_alike() {
    EngineReport report = Batches.report(recorded(NEW_ENGINE, "50_cdc_event_batch_02"));
    List<Observation> observations = report.jobs().get(1_179_724_538_183_680_001L);
    assertThat(observations).hasSize(1);
    assertThat(observations.get(0).table()).isEqualTo("shop.orders");
    assertThat(observations.get(0).nested()).containsExactly(EventType.SCHEMA_CHANGE_ADD_COLUMN);
  }

  @Test
  void T1b_a_recorded_batch_that_came_three_times_is_byte_for_byte_the_same() {
    byte[] first = recorded(OLD_ENGINE, "40_event_batch_01");
    assertThat(recorded(OLD_ENGINE, "40_event_batch_02")).isEqualTo(first);
    assertThat(recorded(OLD_ENGINE, "40_event_batch_03")).isEqualTo(first);
  }

  @Test
  void T1b_each_recorded_batch_may_come_again_and_all_of_them_at_once() {
    JobLife life = new JobLife();
    ArrayNode all = Batches.TREES.createArrayNode();
    for (String name : OF_ONE_JOB) {
      byte[] body = recorded(OLD_ENGINE, name);
      Batches.into(life, body);
      assertThat(Batches.into(life, body).recorded()).as("%s again", name).isZero();
      Batches.tree(body).forEach(all::add);
    }
    byte[] ring = all.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(Batches.into(life, ring).replayed()).isEqualTo(6);
    assertThat(life.sequences()).hasSize(6);
  }

  @Property(tries = 100)
  void T1b_another_engine_process_writes_members_in_another_order_and_is_recognised(
      @ForAll Random random) {
    JobLife life = new JobLife();
    for (String name : OF_ONE_JOB) {
      byte[] body = recorded(OLD_ENGINE, name);
      Batches.into(life, body);
      byte[] reordered =
          reordered(Batches.tree(body), random).toString().getBytes(StandardCharsets.UTF_8);
      assertThat(Batches.into(life, reordered).recorded()).isZero();
    }
    assertThat(life.sequences()).hasSize(6);
  }

  @Property(tries = 300)
  void T1b_an_event_that_differs_in_anything_but_order_is_another(@ForAll Random random) {
    byte[] body = recorded(OLD_ENGINE, "50_cdc_event_batch_03");
    JobLife life = new JobLife();
    Batches.into(life, body);
    JsonNode event = Batches.tree(body).get(random.nextInt(4));
    ArrayNode changed = Batches.TREES.createArrayNode();
    changed.add(withOneChange(event, random, true));
    byte[] other = changed.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(Batches.into(life, other).recorded()).as(changed.toString()).isEqualTo(1);
  }

  /** The same event with another value in one place; its job and its kind stay. */
  private static JsonNode withOneChange(JsonNode node, Random random, boolean outermost) {
    if (node.isArray() && !node.isEmpty()) {
      ArrayNode copy = node.deepCopy();
      int at = random.nextInt(copy.size());
      copy.set(at, withOneChange(copy.get(at), random, false));
      return copy;
    }
    if (!node.isObject()) {
      return Batches.TREES.valueToTree(node.isTextual() ? node.asText() + "x" : "other");
    }
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    if (outermost) {
      names.removeAll(List.of("jobId", "eventType"));
    }
    String name = names.get(random.nextInt(names.size()));
    ObjectNode copy = node.deepCopy();
    if (random.nextInt(4) == 0) {
      copy.remove(name);
    } else {
      copy.set(name, withOneChange(node.get(name), random, false));
    }
    return copy;
  }

  @Test
  void T1_a_batch_may_hold_events_of_many_jobs() {
    byte[] old = recorded(OLD_ENGINE, "50_cdc_event_batch_03");
    String body = new String(old, StandardCharsets.UTF_8);
    String both = body.replaceFirst("1179723906420834305", "42");
    EngineReport report = Batches.report(both);
    assertThat(report.jobs()).containsOnlyKeys(42L, JobLife.JOB);
    assertThat(report.jobs().get(42L)).hasSize(1);
    assertThat(report.jobs().get(JobLife.JOB)).hasSize(3);
  }

  private static JsonNode reordered(JsonNode node, Random random) {
    if (node.isArray()) {
      ArrayNode array = Batches.TREES.createArrayNode();
      node.forEach(element -> array.add(reordered(element, random)));
      return array;
    }
    if (!node.isObject()) {
      return node;
    }
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    Collections.shuffle(names, random);
    ObjectNode object = Batches.TREES.createObjectNode();
    names.forEach(name -> object.set(name, reordered(node.get(name), random)));
    return object;
  }

  @Test
  void T11_nothing_of_statements_columns_and_rows_is_kept_of_a_recorded_batch() {
    JobLife life = new JobLife();
    StringBuilder kept = new StringBuilder();
    for (String name : OF_ONE_JOB) {
      byte[] body = recorded(OLD_ENGINE, name);
      Batches.report(body).jobs().forEach((job, events) -> kept.append(events));
      Batches.into(life, body);
    }
    kept.append(life.json(true));
    kept.append(new String(life.timeline().toBytes(), StandardCharsets.ISO_8859_1));
    for (String text :
        List.of(
            "alter",
            "varchar",
            "VARCHAR",
            "note",
            "remark",
            "customer",
            "while_stopped",
            "MySQL",
            "dee",
            "hello",
            "binlog",
            "java.lang",
            "4.50")) {
      assertThat(kept.toString()).doesNotContain(text);
    }
  }
}
