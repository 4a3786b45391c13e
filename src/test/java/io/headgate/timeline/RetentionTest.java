package io.headgate.timeline;

import static io.headgate.timeline.JobLife.completed;
import static io.headgate.timeline.JobLife.event;
import static io.headgate.timeline.JobLife.events;
import static io.headgate.timeline.JobLife.resolved;
import static io.headgate.timeline.JobLife.started;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes when a job has more changes, or larger ones, than are kept (T10). */
class RetentionTest {
  private static final long MINUTE = 60_000;

  @Test
  void T10_of_10000_changes_that_are_only_observed_the_newest_500_are_kept() {
    JobLife life = new JobLife();
    for (int from = 0; from < 10_000; from += 100) {
      life.observe(events(from, from + 99));
    }
    JsonNode page = life.page();
    assertThat(JobLife.sequences(page)).hasSize(500).startsWith(10_000L).endsWith(9_501L);
    assertThat(page.get("evictedRecords").asInt()).isEqualTo(9_500);
    assertThat(page.get("evictedUnresolved").asInt()).isEqualTo(9_500);
    assertThat(page.get("droppedEvents").asInt()).isZero();
    assertThat(page.get("truncated").asBoolean()).isTrue();
  }

  @Test
  void T10_the_oldest_terminal_record_goes_first() {
    JobLife life = withRecords(4);
    life.observe(events(1, 4));
    for (long sequence : new long[] {2, 3}) {
      life.decide(resolved(sequence, "t", 1), completed(sequence, "t", Outcome.APPLIED));
    }
    life.decide(started(4, "t"));
    life.observe(event(5));
    assertThat(life.sequences()).containsExactly(5L, 4L, 3L, 1L);
    life.observe(event(6));
    assertThat(life.sequences()).as("then the other terminal one").containsExactly(6L, 5L, 4L, 1L);
    assertThat(life.page().get("evictedUnresolved").asInt()).isZero();
    life.observe(event(7));
    assertThat(life.sequences()).as("then what was only observed").containsExactly(7L, 6L, 5L, 4L);
    assertThat(life.page().get("evictedRecords").asInt()).isEqualTo(3);
    assertThat(life.page().get("evictedUnresolved").asInt()).isEqualTo(1);
  }

  @Test
  void T10_records_in_progress_stay_and_new_events_are_dropped_and_counted() {
    JobLife life = withRecords(3);
    life.observe(events(1, 3));
    life.decide(started(1, "t"), started(2, "t"), started(3, "t"));
    assertThat(life.observe(events(4, 5)).dropped()).isEqualTo(2);
    Receipt receipt = life.decide(JobLife.first("k", Stage.OBSERVED).build());
    assertThat(receipt.results().get(0).fault()).isEqualTo(Fault.HISTORY_FULL);
    assertThat(life.sequences()).containsExactly(3L, 2L, 1L);
    assertThat(life.page().get("droppedEvents").asInt()).isEqualTo(3);
    assertThat(life.timeline().head().lastSequence()).as("no sequence is used up").isEqualTo(3);
  }

  @Test
  void T10_an_event_for_a_record_that_has_gone_is_recognised_and_dropped() {
    JobLife life = withRecords(2);
    life.observe(events(1, 3));
    Receipt receipt =
        life.decide(
            started(1, "t"),
            DecisionEvent.of(JobLife.JOB, new ChangeReference.BySequence(1, null), Stage.COMPLETED)
                .build(),
            started(4, "t"));
    assertThat(receipt.results().stream().map(DecisionResult::fault))
        .containsExactly(Fault.EVICTED_CHANGE, Fault.EVICTED_CHANGE, Fault.UNKNOWN_CHANGE);
    assertThat(life.page().get("droppedEvents").asInt()).isEqualTo(2);
    assertThat(life.sequences()).containsExactly(3L, 2L);
  }

  @Test
  void T10_an_error_summary_is_cut_to_4096_bytes_between_characters() {
    JobLife life = new JobLife();
    life.observe(event(1));
    String clef = "\uD834\uDD1E"; // four bytes in UTF-8
    life.decide(
        JobLife.on(1, Stage.COMPLETED)
            .outcome(Outcome.FAILED)
            .error("ab" + clef.repeat(2_000))
            .build());
    JsonNode record = life.record(1);
    String kept = record.get("targets").get(0).get("errorSummary").asText();
    assertThat(kept).isEqualTo("ab" + clef.repeat(1_023));
    assertThat(record.get("detailsTruncated").asBoolean()).isTrue();
  }

  @Test
  void T10_an_error_summary_of_4096_bytes_is_kept_whole() {
    JobLife life = new JobLife();
    life.observe(event(1));
    String whole = "\u20ac".repeat(1_365) + "x";
    life.decide(JobLife.on(1, Stage.COMPLETED).outcome(Outcome.FAILED).error(whole).build());
    assertThat(life.record(1).get("targets").get(0).get("errorSummary").asText()).isEqualTo(whole);
    assertThat(life.record(1).get("detailsTruncated").asBoolean()).isFalse();
  }

  @Test
  void T10_500_records_of_100_targets_with_4_KiB_of_errors_stay_within_the_budget() {
    JobLife life = new JobLife();
    life.observe(events(1, 500));
    String error = "e".repeat(4_096);
    for (long sequence = 1; sequence <= 500; sequence++) {
      List<DecisionEvent> reports = new ArrayList<>();
      for (int target = 0; target < 100; target++) {
        String table = "t%02d".formatted(target);
        reports.add(resolved(sequence, table, 100));
        reports.add(
            JobLife.on(sequence, Stage.COMPLETED)
                .target(table, "sink", null)
                .outcome(Outcome.FAILED)
                .error(error)
                .build());
      }
      life.decide(reports);
      assertThat(life.timeline().bytes()).isLessThanOrEqualTo(life.limits.jobBytes());
    }
    assertThat(life.timeline().toBytes().length).isLessThanOrEqualTo(life.limits.jobBytes());
    assertThat(life.timeline().size()).isPositive();
    JsonNode page = life.page();
    assertThat(page.get("truncated").asBoolean()).isTrue();
    for (JsonNode record : page.get("records")) {
      int named = record.get("targets").size();
      boolean silent = true;
      for (JsonNode target : record.get("targets")) {
        silent &= !target.get("errorSummary").isNull() || target.get("outcome").isNull();
      }
      assertThat(record.get("targetsTruncated").asBoolean() || named == 200).isTrue();
      assertThat(record.get("detailsTruncated").asBoolean() || silent).isTrue();
    }
  }

  @Test
  void T10_error_texts_go_before_targets_and_targets_before_records() {
    TimelineLimits limits = new TimelineLimits(500, 100, 16, 512 * 1024, MINUTE);
    JobLife life = new JobLife(limits);
    boolean textsWent = false;
    boolean targetsWent = false;
    boolean recordsWent = false;
    for (int sequence = 1; sequence <= 200; sequence++) {
      life.observe(event(sequence));
      List<DecisionEvent> reports = new ArrayList<>();
      for (int target = 0; target < 40; target++) {
        reports.add(resolved(sequence, "t" + target, 40));
        reports.add(
            JobLife.on(sequence, Stage.COMPLETED)
                .target("t" + target, null, null)
                .outcome(Outcome.FAILED)
                .error("e".repeat(500))
                .build());
      }
      life.decide(reports);
      JsonNode page = life.page();
      JsonNode oldest = page.get("records").get(page.get("records").size() - 1);
      boolean noTargets = oldest.get("targets").isEmpty();
      boolean noTexts = noTargets || oldest.get("targets").get(0).get("errorSummary").isNull();
      assertThat(noTargets && !textsWent).as("targets went first").isFalse();
      textsWent |= noTexts;
      assertThat(page.get("evictedRecords").asInt() > 0 && !targetsWent)
          .as("records went first")
          .isFalse();
      targetsWent |= noTargets;
      recordsWent |= page.get("evictedRecords").asInt() > 0;
      if (page.get("evictedRecords").asInt() == 0) {
        assertThat(oldest.get("outcome").asText()).as("still known").isEqualTo("FAILED");
      }
    }
    assertThat(recordsWent).isTrue();
    assertThat(life.timeline().bytes()).isLessThanOrEqualTo(limits.jobBytes());
  }

  @Test
  void T10_the_budget_holds_when_nothing_may_go() {
    TimelineLimits limits = new TimelineLimits(500, 100, 16, 512 * 1024, MINUTE);
    JobLife life = new JobLife(limits);
    life.observe(events(1, 500));
    int refused = 0;
    for (int i = 0; i < 1_000; i++) {
      List<DecisionEvent> reports = new ArrayList<>();
      for (int target = 0; target < 100; target++) {
        reports.add(started(500 - i % 500, "t" + i / 500 + target));
      }
      for (DecisionResult result : life.decide(reports).results()) {
        refused += result.fault() == Fault.HISTORY_FULL ? 1 : 0;
      }
      assertThat(life.timeline().bytes()).isLessThanOrEqualTo(limits.jobBytes());
    }
    assertThat(refused).isPositive();
    assertThat(life.page().get("droppedEvents").asInt()).isGreaterThanOrEqualTo(refused);
  }

  @Test
  void T10_the_budget_holds_while_events_are_dropped_that_a_replay_must_recognise() {
    TimelineLimits limits = new TimelineLimits(500, 100, 16, 512 * 1024, MINUTE);
    JobLife life = new JobLife(limits);
    life.observe(events(1, 400));
    for (long sequence = 400; sequence >= 1; sequence--) {
      for (int target = 0; target < 20; target++) {
        life.decide(started(sequence, "t" + target));
      }
    }
    for (int from = 1_000; from < 12_000; from += 1_000) {
      life.observe(events(from, from + 999));
      life.decide(JobLife.first("key " + from, Stage.OBSERVED).build());
      assertThat(life.timeline().bytes()).isLessThanOrEqualTo(limits.jobBytes());
    }
  }

  private static JobLife withRecords(int records) {
    return new JobLife(new TimelineLimits(records, 100, 16, 4 * 1024 * 1024, MINUTE));
  }
}
