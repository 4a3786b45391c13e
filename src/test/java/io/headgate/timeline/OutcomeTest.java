package io.headgate.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a change stands, by what was reported of its targets (T8). */
class OutcomeTest {
  private final JobLife life = new JobLife();

  @BeforeEach
  void one_change_is_observed() {
    life.observe(JobLife.event(1));
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "APPLIED, APPLIED, APPLY_SUCCEEDED",
    "APPLIED APPLIED, APPLIED, APPLY_SUCCEEDED",
    "APPLIED IGNORED, APPLIED, APPLY_SUCCEEDED",
    "APPLIED FILTERED, APPLIED, APPLY_SUCCEEDED",
    "APPLIED FAILED, PARTIALLY_APPLIED, SINK_APPLY_FAILED",
    "APPLIED UNKNOWN, PARTIALLY_APPLIED, UNKNOWN",
    "APPLIED UNKNOWN FAILED, PARTIALLY_APPLIED, SINK_APPLY_FAILED",
    "FAILED, FAILED, SINK_APPLY_FAILED",
    "FAILED IGNORED, FAILED, SINK_APPLY_FAILED",
    "FAILED UNKNOWN, FAILED, SINK_APPLY_FAILED",
    "IGNORED IGNORED, IGNORED, POLICY_IGNORE",
    "IGNORED FILTERED, IGNORED, POLICY_IGNORE",
    "FILTERED FILTERED, FILTERED, TRANSFORM_EVENT_FILTER",
    "UNKNOWN IGNORED, null, UNKNOWN",
  })
  void T8_the_outcome_follows_from_the_ends_of_all_required_targets(
      String ends, String outcome, String reason) {
    String[] each = ends.split(" ");
    List<DecisionEvent> reports = new ArrayList<>();
    for (int i = 0; i < each.length; i++) {
      reports.add(JobLife.resolved(1, "t" + i, each.length));
      reports.add(JobLife.completed(1, "t" + i, Outcome.valueOf(each[i])));
    }
    for (DecisionEvent report : reports.subList(0, reports.size() - 1)) {
      life.decide(report);
      assertState("IN_PROGRESS", "null", "null");
    }
    life.decide(reports.get(reports.size() - 1));
    assertState("TERMINAL", outcome, reason);
    assertThat(life.record(1).get("completedAt").asText()).isEqualTo("2026-11-30T10:00:08.000Z");
  }

  @Test
  void T8_with_applications_and_no_count_of_targets_it_stays_in_progress() {
    life.decide(JobLife.completed(1, "t1", Outcome.APPLIED));
    life.decide(JobLife.completed(1, "t2", Outcome.APPLIED));
    assertState("IN_PROGRESS", "null", "null");
    life.decide(JobLife.resolved(1, 2));
    assertState("TERMINAL", "APPLIED", "APPLY_SUCCEEDED");
  }

  @Test
  void T8_targets_that_were_named_are_the_required_ones_and_others_do_not_count() {
    life.decide(JobLife.resolved(1, "t1", 1), JobLife.started(1, "another"));
    life.decide(JobLife.completed(1, "t1", Outcome.IGNORED));
    assertState("TERMINAL", "IGNORED", "POLICY_IGNORE");
  }

  @Test
  void T8_a_sink_that_names_no_target_is_one_target() {
    life.decide(JobLife.resolved(1, 1));
    life.decide(JobLife.on(1, Stage.APPLY_STARTED).build());
    assertState("IN_PROGRESS", "null", "null");
    life.decide(JobLife.on(1, Stage.COMPLETED).outcome(Outcome.APPLIED).build());
    assertState("TERMINAL", "APPLIED", "UNKNOWN");
  }

  @ParameterizedTest
  @CsvSource({
    "FILTERED, FILTERED, SOURCE_EVENT_FILTER",
    "POLICY_EVALUATED, IGNORED, POLICY_IGNORE"
  })
  void T8_filtered_and_ignored_before_targets_are_known_are_final(
      Stage stage, Outcome outcome, ReasonCode reason) {
    life.decide(JobLife.on(1, stage).outcome(outcome).reason(reason).build());
    assertState("TERMINAL", outcome.name(), reason.name());
    life.decide(JobLife.started(1, "t1"), JobLife.completed(1, "t1", Outcome.APPLIED));
    assertState("TERMINAL", outcome.name(), reason.name());
  }

  @Test
  void T8_a_filter_need_not_say_that_it_filtered() {
    life.decide(JobLife.on(1, Stage.FILTERED).reason(ReasonCode.TRANSFORM_EVENT_FILTER).build());
    assertState("TERMINAL", "FILTERED", "TRANSFORM_EVENT_FILTER");
  }

  @Test
  void T8_a_failure_before_any_application_is_one_of_the_whole_change() {
    life.decide(
        JobLife.on(1, Stage.TARGET_RESOLVED)
            .outcome(Outcome.FAILED)
            .reason(ReasonCode.TARGET_RESOLUTION_FAILED)
            .build());
    assertState("TERMINAL", "FAILED", "TARGET_RESOLUTION_FAILED");
  }

  @Test
  void T8_a_target_that_a_policy_leaves_out_needs_no_end_of_its_own() {
    life.decide(JobLife.resolved(1, "t1", 2), JobLife.resolved(1, "t2", 2));
    life.decide(
        JobLife.on(1, Stage.POLICY_EVALUATED)
            .target("t2", null, null)
            .policy("IGNORE")
            .outcome(Outcome.IGNORED)
            .reason(ReasonCode.POLICY_IGNORE)
            .build());
    assertState("IN_PROGRESS", "null", "null");
    life.decide(JobLife.completed(1, "t1", Outcome.APPLIED));
    assertState("TERMINAL", "APPLIED", "APPLY_SUCCEEDED");
    assertThat(life.record(1).get("policy").asText()).isEqualTo("IGNORE");
  }

  @Test
  void T8_a_change_without_targets_was_ignored() {
    life.decide(JobLife.resolved(1, 0));
    assertState("TERMINAL", "IGNORED", "UNKNOWN");
  }

  @Test
  void T8_of_several_attempts_the_last_one_that_ended_counts() {
    life.decide(JobLife.resolved(1, "t", 1), JobLife.completed(1, "t", Outcome.FAILED));
    assertState("TERMINAL", "FAILED", "SINK_APPLY_FAILED");
    life.decide(JobLife.on(1, Stage.APPLY_STARTED).target("t", null, null).attempt(2).build());
    assertState("TERMINAL", "FAILED", "SINK_APPLY_FAILED");
    life.decide(
        JobLife.on(1, Stage.COMPLETED)
            .target("t", null, null)
            .attempt(2)
            .outcome(Outcome.APPLIED)
            .build());
    assertState("TERMINAL", "APPLIED", "UNKNOWN");
    JsonNode target = life.record(1).get("targets").get(0);
    assertThat(target.get("attempt").asInt()).isEqualTo(2);
    assertThat(target.get("outcome").asText()).isEqualTo("APPLIED");
  }

  @Test
  void T8_targets_of_an_earlier_resolution_are_not_required_any_more() {
    life.decide(JobLife.resolved(1, "old", 2), JobLife.resolved(1, "kept", 2));
    life.decide(
        JobLife.on(1, Stage.TARGET_RESOLVED)
            .target("kept", null, null)
            .attempt(2)
            .targetCount(1)
            .build(),
        JobLife.completed(1, "kept", Outcome.APPLIED));
    assertState("TERMINAL", "APPLIED", "APPLY_SUCCEEDED");
  }

  @Test
  void T8_what_is_unresolved_when_the_job_ends_is_terminal_and_unknown() {
    life.end();
    assertState("TERMINAL", "null", "UNKNOWN");
    assertThat(life.record(1).get("completedAt").asText()).isEqualTo("2026-11-30T10:00:00.000Z");
  }

  @Test
  void T8_applied_everywhere_it_was_reported_is_not_applied_if_nobody_said_where_it_had_to_be() {
    life.decide(JobLife.completed(1, "t1", Outcome.APPLIED));
    life.end();
    assertState("TERMINAL", "null", "UNKNOWN");
  }

  @Test
  void T8_applied_at_one_target_and_not_known_of_another_is_partial_once_the_job_has_ended() {
    life.decide(JobLife.resolved(1, 2), JobLife.completed(1, "t1", Outcome.APPLIED));
    assertState("IN_PROGRESS", "null", "null");
    life.end();
    assertState("TERMINAL", "PARTIALLY_APPLIED", "UNKNOWN");
  }

  @Test
  void T8_failed_at_one_target_and_not_known_of_another_is_unknown() {
    life.decide(JobLife.resolved(1, 2), JobLife.completed(1, "t1", Outcome.FAILED));
    life.end();
    assertState("TERMINAL", "null", "UNKNOWN");
  }

  @Test
  void T8_nothing_is_inferred_from_a_supported_capability() {
    life.decide(
        JobLife.resolved(1, "t", 1),
        JobLife.on(1, Stage.CAPABILITY_EVALUATED)
            .target("t", null, null)
            .capability(Capability.SUPPORTED)
            .build(),
        JobLife.started(1, "t"));
    assertState("IN_PROGRESS", "null", "null");
    assertThat(life.record(1).get("targets").get(0).get("outcome").isNull()).isTrue();
    assertThat(life.record(1).get("unavailableStages").toString())
        .isEqualTo("[\"TRANSFORMED\",\"FILTERED\",\"POLICY_EVALUATED\",\"COMPLETED\"]");
  }

  private void assertState(String state, String outcome, String reason) {
    JsonNode record = life.record(1);
    assertThat(
            List.of(
                record.get("state").asText(),
                record.get("outcome").asText(),
                record.get("reasonCode").asText()))
        .containsExactly(state, outcome, reason);
  }
}
