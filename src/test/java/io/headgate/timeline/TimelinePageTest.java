package io.headgate.timeline;

import static io.headgate.timeline.JobLife.completed;
import static io.headgate.timeline.JobLife.event;
import static io.headgate.timeline.JobLife.events;
import static io.headgate.timeline.JobLife.resolved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.headgate.wire.CapExceededException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is answered of a job's timeline, page by page (T13, T14). */
class TimelinePageTest {
  private static final int CAP = 1024 * 1024;

  private final JobLife life = new JobLife();

  @Test
  void T13_every_field_stands_in_its_place_and_is_null_where_nothing_is_known() {
    life.observe(event(1));
    assertThat(life.json(false))
        .isEqualTo(
            "{\"schemaVersion\":1,\"jobId\":\"1179723906420834305\","
                + "\"historyId\":\"0123456789abcdef\",\"records\":[{"
                + "\"schemaChangeId\":\"1179723906420834305-1-0123456789abcdef\",\"sequence\":1,"
                + "\"jobId\":\"1179723906420834305\","
                + "\"eventCreatedAt\":\"2026-11-30T10:00:00.001Z\","
                + "\"observedAt\":\"2026-11-30T10:00:00.000Z\",\"completedAt\":null,"
                + "\"sourceTable\":\"shop.orders\","
                + "\"eventType\":\"SCHEMA_CHANGE_UPDATE_COLUMNS\","
                + "\"nestedTypes\":[\"SCHEMA_CHANGE_ADD_COLUMN\"],"
                + "\"state\":\"IN_PROGRESS\",\"outcome\":null,\"reasonCode\":null,"
                + "\"policy\":\"NOT_EVALUATED\",\"decisions\":["
                + "{\"stage\":\"OBSERVED\",\"at\":\"2026-11-30T10:00:00.001Z\",\"attempt\":1,"
                + "\"target\":null,\"policy\":null,\"capability\":null,\"outcome\":null,"
                + "\"reasonCode\":null,\"errorSummary\":null},"
                + "{\"stage\":\"NORMALIZED\",\"at\":\"2026-11-30T10:00:00.001Z\",\"attempt\":1,"
                + "\"target\":null,\"policy\":null,\"capability\":null,\"outcome\":null,"
                + "\"reasonCode\":null,\"errorSummary\":null}],"
                + "\"targets\":[],\"targetCount\":null,\"targetsTruncated\":false,"
                + "\"detailsTruncated\":false,\"unavailableStages\":[\"TRANSFORMED\",\"FILTERED\","
                + "\"TARGET_RESOLVED\",\"POLICY_EVALUATED\",\"CAPABILITY_EVALUATED\","
                + "\"APPLY_STARTED\",\"COMPLETED\"]}],\"nextBeforeSequence\":null,"
                + "\"evictedRecords\":0,\"evictedUnresolved\":0,\"droppedEvents\":0,"
                + "\"truncated\":false}");
  }

  @Test
  void T13_a_target_is_told_with_what_is_known_of_it() {
    life.observe(event(1));
    life.decide(
        resolved(1, "dw.orders", 1),
        JobLife.on(1, Stage.CAPABILITY_EVALUATED)
            .target("dw.orders", null, null)
            .capability(Capability.SUPPORTED)
            .build(),
        JobLife.started(1, "dw.orders"),
        JobLife.on(1, Stage.COMPLETED)
            .target("dw.orders", null, null)
            .outcome(Outcome.FAILED)
            .reason(ReasonCode.SINK_APPLY_FAILED)
            .error("no \"such\" table\n")
            .build());
    String target =
        "\"targets\":[{\"table\":\"dw.orders\",\"sink\":null,\"subWriter\":null,\"attempt\":1,"
            + "\"capability\":\"SUPPORTED\",\"applyStartedAt\":\"2026-11-30T10:00:07.000Z\","
            + "\"completedAt\":\"2026-11-30T10:00:08.000Z\",\"outcome\":\"FAILED\","
            + "\"reasonCode\":\"SINK_APPLY_FAILED\",\"errorSummary\":%s}],\"targetCount\":1,";
    assertThat(life.json(true)).contains(target.formatted("\"no \\\"such\\\" table\\n\""));
    assertThat(life.json(false)).contains(target.formatted("null")).doesNotContain("such");
  }

  @Test
  void T13_a_job_that_ended_has_the_same_shape() {
    life.observe(events(1, 3));
    JsonNode running = life.page();
    life.end();
    JsonNode ended = life.page();
    assertThat(names(ended)).isEqualTo(names(running));
    assertThat(names(ended.get("records").get(0))).isEqualTo(names(running.get("records").get(0)));
    assertThat(names(JobLife.tree(TimelinePage.empty(JobLife.JOB, "0000000000000000", CAP))))
        .isEqualTo(names(running));
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void T13_the_newest_come_first_and_the_cursor_is_exclusive() {
    life.observe(events(1, 10));
    JsonNode page = page(3, Long.MAX_VALUE);
    assertThat(JobLife.sequences(page)).containsExactly(10L, 9L, 8L);
    assertThat(page.get("nextBeforeSequence").asLong()).isEqualTo(8);
    assertThat(JobLife.sequences(page(3, 8))).containsExactly(7L, 6L, 5L);
    JsonNode last = page(3, 4);
    assertThat(JobLife.sequences(last)).containsExactly(3L, 2L, 1L);
    assertThat(last.get("nextBeforeSequence").isNull()).as("at the very end").isTrue();
    assertThat(JobLife.sequences(page(3, 1))).isEmpty();
  }

  @Test
  void T13_filters_are_exact_and_look_at_source_and_targets() {
    life.observe(events(1, 4));
    life.decide(resolved(1, "dw.orders", 1), completed(1, "dw.orders", Outcome.APPLIED));
    life.decide(resolved(3, "dw.orders", 1), completed(3, "dw.orders", Outcome.FAILED));
    assertThat(filtered("dw.orders", null)).containsExactly(3L, 1L);
    assertThat(filtered("shop.orders", null)).containsExactly(4L, 3L, 2L, 1L);
    assertThat(filtered("shop.order", null)).isEmpty();
    assertThat(filtered("SHOP.ORDERS", null)).isEmpty();
    assertThat(filtered(null, Outcome.APPLIED)).containsExactly(1L);
    assertThat(filtered("dw.orders", Outcome.FAILED)).containsExactly(3L);
    assertThat(filtered(null, Outcome.IGNORED)).isEmpty();
  }

  private List<Long> filtered(@Nullable String table, @Nullable Outcome outcome) {
    return JobLife.sequences(life.page(new TimelineQuery(10, Long.MAX_VALUE, table, outcome)));
  }

  @Test
  void T13_with_a_filter_the_cursor_is_set_only_if_another_record_matches() {
    life.observe(events(1, 6));
    life.decide(resolved(2, "t", 1), completed(2, "t", Outcome.APPLIED));
    life.decide(resolved(5, "t", 1), completed(5, "t", Outcome.APPLIED));
    JsonNode first = life.page(new TimelineQuery(1, Long.MAX_VALUE, "t", null));
    assertThat(first.get("nextBeforeSequence").asLong()).isEqualTo(5);
    JsonNode second = life.page(new TimelineQuery(1, 5, "t", null));
    assertThat(JobLife.sequences(second)).containsExactly(2L);
    assertThat(second.get("nextBeforeSequence").isNull()).isTrue();
  }

  @Test
  void T14_walking_the_cursor_while_records_arrive_visits_each_that_was_there_once() {
    life.observe(events(1, 250));
    List<Long> visited = new ArrayList<>();
    long before = Long.MAX_VALUE;
    int more = 251;
    while (before > 0) {
      JsonNode page = page(20, before);
      visited.addAll(JobLife.sequences(page));
      before = page.get("nextBeforeSequence").asLong(); // null is 0
      life.observe(events(more, more + 6));
      more += 7;
    }
    assertThat(visited).hasSize(250).doesNotHaveDuplicates().startsWith(250L).endsWith(1L);
  }

  @Test
  void T14_walking_the_cursor_while_records_go_misses_none_that_stayed() {
    JobLife small = new JobLife(new TimelineLimits(50, 100, 16, 4 * 1024 * 1024, 60_000));
    small.observe(events(1, 50));
    List<Long> visited = new ArrayList<>();
    long before = Long.MAX_VALUE;
    int more = 51;
    while (before > 0) {
      JsonNode page = small.page(new TimelineQuery(10, before, null, null));
      visited.addAll(JobLife.sequences(page));
      before = page.get("nextBeforeSequence").asLong();
      small.observe(events(more, more + 4));
      more += 5;
    }
    assertThat(visited).doesNotHaveDuplicates();
    assertThat(visited).containsAll(small.sequences().stream().filter(s -> s <= 50).toList());
  }

  @Test
  void T14_a_page_ends_early_at_the_cap_with_its_cursor_set() {
    life.observe(events(1, 100));
    for (int cap : new int[] {2_000, 5_000, 20_000}) {
      List<Long> visited = new ArrayList<>();
      long before = Long.MAX_VALUE;
      while (before > 0) {
        TimelineQuery query = new TimelineQuery(100, before, null, null);
        var bytes = TimelinePage.write(life.timeline(), query, true, cap);
        assertThat(bytes.length()).isLessThanOrEqualTo(cap);
        JsonNode page = JobLife.tree(bytes);
        visited.addAll(JobLife.sequences(page));
        before = page.get("nextBeforeSequence").asLong();
      }
      assertThat(visited).as("cap %d", cap).hasSize(100).doesNotHaveDuplicates();
    }
  }

  @Test
  void T14_a_record_that_is_larger_than_the_cap_is_told_without_its_details() {
    life.observe(event(1));
    List<DecisionEvent> reports = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      reports.add(resolved(1, "table number " + i, 100));
      reports.add(completed(1, "table number " + i, Outcome.APPLIED));
    }
    life.decide(reports);
    JsonNode page =
        JobLife.tree(TimelinePage.write(life.timeline(), TimelineQuery.DEFAULT, true, 4_000));
    JsonNode record = page.get("records").get(0);
    assertThat(record.get("targets")).isEmpty();
    assertThat(record.get("outcome").asText()).isEqualTo("APPLIED");
    assertThat(record.get("targetCount").asInt()).isEqualTo(100);
    assertThat(record.get("targetsTruncated").asBoolean()).isTrue();
    assertThat(record.get("detailsTruncated").asBoolean()).isTrue();
    assertThat(record.get("unavailableStages").toString()).doesNotContain("RESOLVED", "COMPLETED");
    assertThat(page.get("truncated").asBoolean()).isTrue();
  }

  @Test
  void T10_how_many_targets_there_are_is_null_until_somebody_reports_it() {
    life.observe(event(1));
    life.decide(JobLife.started(1, "dw.orders"), completed(1, "dw.orders", Outcome.APPLIED));
    assertThat(life.record(1).get("targets")).hasSize(1);
    assertThat(life.record(1).get("targetCount").isNull()).isTrue();
    life.decide(resolved(1, "dw.orders", 2));
    assertThat(life.record(1).get("targetCount").asInt()).isEqualTo(2);
  }

  @Test
  void T10_where_targets_are_left_out_it_is_at_least_how_many_were_named() {
    life.observe(event(1));
    List<DecisionEvent> reports = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      reports.add(JobLife.started(1, "table " + i));
    }
    life.decide(reports);
    JsonNode record = life.record(1);
    assertThat(record.get("targets")).hasSize(100);
    assertThat(record.get("targetsTruncated").asBoolean()).isTrue();
    assertThat(record.get("targetCount").asInt()).isEqualTo(120);
  }

  @Test
  void T13_what_was_reported_of_a_target_that_is_left_out_is_not_unavailable() {
    life.observe(event(1));
    List<DecisionEvent> reports = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      reports.add(resolved(1, "table %02d".formatted(i), 101));
    }
    reports.add(JobLife.started(1, "table past all others"));
    reports.add(JobLife.on(1, Stage.CAPABILITY_EVALUATED).target("table 990", null, null).build());
    reports.add(resolved(1, "a table before all others", 101));
    life.decide(reports);
    for (Timeline timeline :
        List.of(life.timeline(), Timeline.fromBytes(life.timeline().toBytes()))) {
      life.become(timeline);
      assertThat(life.record(1).get("targets")).hasSize(100);
      assertThat(life.record(1).get("unavailableStages").toString())
          .isEqualTo("[\"TRANSFORMED\",\"FILTERED\",\"POLICY_EVALUATED\",\"COMPLETED\"]");
    }
  }

  @Test
  void T14_a_cap_that_holds_no_record_at_all_is_passed() {
    life.observe(event(1));
    assertThatThrownBy(
            () -> TimelinePage.write(life.timeline(), TimelineQuery.DEFAULT, true, 1_024))
        .isInstanceOf(CapExceededException.class);
  }

  @Test
  void T13_one_page_can_hold_all_that_is_kept() {
    life.observe(events(1, 700));
    JsonNode page = page(500, Long.MAX_VALUE);
    assertThat(JobLife.sequences(page)).hasSize(500);
    assertThat(page.get("nextBeforeSequence").isNull()).isTrue();
  }

  private JsonNode page(int limit, long before) {
    return life.page(new TimelineQuery(limit, before, null, null));
  }
}
