package io.headgate.timeline.ingest;

import static io.headgate.kit.SecretReports.SENTINEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.SecretReports;
import io.headgate.timeline.JobLife;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.TimelineChange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sentinels in every field of every kind of event: none is kept, but for names of tables (T11). */
class PrivateReportsTest {
  @Test
  void T11_no_field_of_any_recorded_kind_of_event_is_kept_but_its_table() {
    String text = SecretReports.recorded();
    assertThat(text.split(SENTINEL, -1)).as("sentinels").hasSizeGreaterThan(200);
    assertThat(kept(text)).contains("shop.orders").doesNotContain(SENTINEL);
  }

  @Test
  void T11_no_field_of_kinds_that_no_recording_has_is_kept_either() {
    assertThat(kept(SecretReports.ofEveryKind(JobLife.JOB)))
        .contains("orders")
        .doesNotContain(SENTINEL);
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
    JobLife life = new JobLife();
    String kept = decided(life, SecretReports.decision(JobLife.JOB));
    assertThat(life.sequences()).hasSize(1);
    assertThat(kept).doesNotContain(SENTINEL);
  }

  @Test
  void T11_an_error_summary_is_kept_and_told_only_where_that_is_switched_on() {
    JobLife life = new JobLife();
    decided(
        life,
        "[{\"jobId\":\"%s\",\"observationKey\":\"k\",\"stage\":\"COMPLETED\",\"errorSummary\":\"%s\"}]"
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

  private static String decided(JobLife life, String batch) {
    DecisionReport report = DecisionReport.parse(batch.getBytes(StandardCharsets.UTF_8));
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
