package io.headgate.timeline;

import static io.headgate.timeline.JobLife.completed;
import static io.headgate.timeline.JobLife.event;
import static io.headgate.timeline.JobLife.events;
import static io.headgate.timeline.JobLife.resolved;
import static io.headgate.timeline.JobLife.started;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids, sequences, the end of a job, its resumption, and a split of the cluster (T5, T6, T12). */
class JobHistoryTest {
  private final JobLife life = new JobLife();

  @Test
  void T5_an_engine_s_event_becomes_one_record_that_is_observed_and_normalized() {
    life.observe(event(1));
    assertThat(life.record(1).get("decisions")).hasSize(2);
    assertThat(life.record(1).get("state").asText()).isEqualTo("IN_PROGRESS");
  }

  @Test
  void T5_an_id_carries_job_and_sequence_and_reads_back() {
    SchemaChangeId id = new SchemaChangeId(Long.MAX_VALUE, 123, -2);
    assertThat(SchemaChangeId.parse(id.toString())).isEqualTo(id);
    assertThat(id.toString()).isEqualTo("9223372036854775807-123-fffffffffffffffe");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "--",
        "1-1",
        "1-1-",
        "1-1-0123456789abcde",
        "1-1-0123456789ABCDEF",
        "0-1-0123456789abcdef",
        "1-0-0123456789abcdef",
        "+1-1-0123456789abcdef",
        "01-1-0123456789abcdef",
        "1-1-0123456789abcdef-",
        "9223372036854775808-1-0123456789abcdef",
        "1-1-0123456789abcdeg",
        " 1-1-0123456789abcdef",
      })
  void T5_a_text_that_is_no_id_is_none(String text) {
    assertThat(SchemaChangeId.parse(text)).isNull();
  }

  @Test
  void T6_sequences_begin_at_1_and_increase_without_gaps_whatever_happens() {
    life.observe(events(1, 3));
    life.decide(JobLife.first("k", Stage.OBSERVED).build());
    life.observe(events(1, 5));
    life.end();
    life.resume();
    life.observe(events(1, 6));
    assertThat(life.sequences()).containsExactly(7L, 6L, 5L, 4L, 3L, 2L, 1L);
  }

  @Test
  void T6_a_sequence_is_not_used_again_after_its_record_has_gone() {
    JobLife small = new JobLife(new TimelineLimits(1, 100, 16, 4 * 1024 * 1024, 60_000));
    for (int i = 1; i <= 10; i++) {
      small.observe(event(i));
      assertThat(small.sequences()).containsExactly((long) i);
    }
  }

  @Test
  void T6_a_history_keeps_the_id_it_began_with() {
    life.observe(event(1));
    life.apply(new TimelineChange.Observed(JobLife.JOB, events(1, 2), 42));
    assertThat(life.timeline().historyId()).isEqualTo("0123456789abcdef");
  }

  @Test
  void T6_a_decision_for_another_history_finds_no_change() {
    life.observe(event(1));
    SchemaChangeId earlier = new SchemaChangeId(JobLife.JOB, 1, 42);
    Receipt receipt =
        life.decide(
            DecisionEvent.of(JobLife.JOB, new ChangeReference.ById(earlier), Stage.COMPLETED)
                .build(),
            DecisionEvent.of(JobLife.JOB, new ChangeReference.BySequence(1, 42L), Stage.COMPLETED)
                .build());
    assertThat(receipt.results().stream().map(DecisionResult::fault))
        .containsOnly(Fault.UNKNOWN_CHANGE);
    assertThat(life.record(1).get("targets")).isEmpty();
  }

  @Test
  void T2_a_decision_for_a_job_without_a_timeline_begins_none() {
    Receipt receipt = life.decide(started(1, "t"));
    assertThat(receipt.results()).containsExactly(DecisionResult.of(Fault.UNKNOWN_CHANGE));
    assertThat(life.exists()).isFalse();
    assertThat(life.end()).isEqualTo(Receipt.NOTHING);
    assertThat(life.exists()).isFalse();
  }

  @Test
  void T2_a_first_observation_begins_a_record_and_its_retry_finds_it() {
    DecisionEvent first =
        JobLife.first("my key", Stage.OBSERVED)
            .at(JobLife.BEGIN)
            .sourceTable("shop.items")
            .eventType(EventType.SCHEMA_CHANGE_DROP_COLUMN)
            .build();
    assertThat(life.decide(first).results()).containsExactly(DecisionResult.of(JobLife.id(1)));
    Receipt retry = life.decide(first);
    assertThat(retry.results()).containsExactly(DecisionResult.of(JobLife.id(1)));
    assertThat(retry.recorded()).isZero();
    life.decide(JobLife.first("another key", Stage.OBSERVED).sourceTable("shop.items").build());
    assertThat(life.sequences()).containsExactly(2L, 1L);
    assertThat(life.record(1).get("sourceTable").asText()).isEqualTo("shop.items");
    assertThat(life.record(1).get("eventType").asText()).isEqualTo("SCHEMA_CHANGE_DROP_COLUMN");
    assertThat(life.record(1).get("eventCreatedAt").isNull()).isTrue();
  }

  @Test
  void T2_a_retry_of_a_first_observation_whose_record_has_gone_begins_no_second_one() {
    JobLife small = new JobLife(new TimelineLimits(1, 100, 16, 4 * 1024 * 1024, 60_000));
    small.decide(JobLife.first("k", Stage.OBSERVED).build());
    small.observe(event(1));
    Receipt retry = small.decide(JobLife.first("k", Stage.OBSERVED).build());
    assertThat(retry.results()).containsExactly(DecisionResult.of(Fault.EVICTED_CHANGE));
    assertThat(small.sequences()).containsExactly(2L);
  }

  @Test
  void T2_a_key_never_means_a_change_that_the_engine_has_reported() {
    life.observe(event(1));
    Receipt receipt =
        life.decide(JobLife.first("k", Stage.OBSERVED).sourceTable("shop.orders").build());
    assertThat(receipt.results()).containsExactly(DecisionResult.of(JobLife.id(2)));
    assertThat(life.sequences()).containsExactly(2L, 1L);
  }

  @Test
  void T2_what_the_engine_s_own_event_says_is_not_overruled() {
    life.observe(event(1));
    life.decide(
        JobLife.on(1, Stage.OBSERVED)
            .sourceTable("another.table")
            .eventType(EventType.SCHEMA_CHANGE_RENAME_TABLE)
            .build());
    assertThat(life.record(1).get("sourceTable").asText()).isEqualTo("shop.orders");
    assertThat(life.record(1).get("eventType").asText()).isEqualTo("SCHEMA_CHANGE_UPDATE_COLUMNS");
  }

  @Test
  void T12_what_a_job_leaves_expires_with_its_retention() {
    life.observe(event(1));
    assertThat(life.timeline().expiresAt(life.limits)).isEqualTo(Timeline.NEVER);
    assertThat(life.timeline().isActive()).isTrue();
    life.now += 1_000;
    life.end();
    assertThat(life.timeline().isActive()).isFalse();
    assertThat(life.timeline().expiresAt(life.limits)).isEqualTo(life.now + 1_440 * 60_000L);
  }

  @Test
  void T12_saying_again_that_a_job_has_ended_changes_nothing() {
    life.observe(event(1));
    life.end();
    Timeline ended = life.timeline();
    life.now += 60_000;
    life.end();
    assertThat(life.timeline()).isSameAs(ended);
  }

  @Test
  void T12_events_that_arrive_after_the_end_merge_into_what_is_left() {
    life.observe(event(1));
    life.end();
    life.decide(resolved(1, "t", 1), completed(1, "t", Outcome.APPLIED));
    assertThat(life.record(1).get("outcome").asText()).isEqualTo("APPLIED");
    life.observe(events(1, 2));
    assertThat(life.sequences()).containsExactly(2L, 1L);
    assertThat(life.timeline().isActive()).as("the job is asked about once more").isTrue();
    life.now += 60_000;
    life.end();
    assertThat(life.record(2).get("state").asText()).isEqualTo("TERMINAL");
    assertThat(life.timeline().endedAt())
        .as("and expires when it would have")
        .isEqualTo(JobLife.BEGIN);
  }

  @Test
  void T12_a_resumed_job_goes_on_with_records_and_sequence_and_nothing_goes_back_to_in_progress() {
    life.observe(event(1));
    life.end();
    life.resume();
    life.observe(event(2));
    assertThat(life.sequences()).containsExactly(2L, 1L);
    assertThat(life.record(1).get("state").asText()).isEqualTo("TERMINAL");
    assertThat(life.record(2).get("state").asText()).isEqualTo("IN_PROGRESS");
    assertThat(life.timeline().expiresAt(life.limits)).isEqualTo(Timeline.NEVER);
  }

  @Test
  void T6_after_a_split_the_survivor_keeps_what_it_has_and_learns_what_it_can() {
    life.observe(events(1, 3));
    JobLife minority = life.copy();
    life.decide(resolved(1, "t", 1), completed(1, "t", Outcome.APPLIED));
    life.observe(events(4, 5));
    minority.decide(started(2, "only here"));
    minority.observe(event(9)); // takes the sequence 4 as well
    life.become(Timeline.merge(life.timeline(), minority.timeline(), life.limits));
    assertThat(life.sequences()).containsExactly(5L, 4L, 3L, 2L, 1L);
    assertThat(life.record(1).get("state").asText()).isEqualTo("TERMINAL");
    assertThat(life.record(2).get("targets").get(0).get("table").asText()).isEqualTo("only here");
    assertThat(life.record(4).get("eventCreatedAt").asText()).isEqualTo("2026-11-30T10:00:00.004Z");
    assertThat(life.page().get("droppedEvents").asInt()).as("the other fourth").isEqualTo(1);
    assertThat(life.observe(events(1, 6)).recorded()).as("the engine goes on").isEqualTo(1);
    assertThat(life.observe(event(9)).recorded()).as("it was seen").isZero();
  }

  @Test
  void T6_after_a_split_a_terminal_record_does_not_go_back_to_in_progress() {
    life.observe(event(1));
    JobLife minority = life.copy();
    life.decide(resolved(1, "t", 1), completed(1, "t", Outcome.FAILED));
    minority.decide(started(1, "t"));
    for (boolean first : new boolean[] {true, false}) {
      JobLife healed = new JobLife();
      healed.become(
          first
              ? Timeline.merge(life.timeline(), minority.timeline(), life.limits)
              : Timeline.merge(minority.timeline(), life.timeline(), life.limits));
      assertThat(healed.record(1).get("outcome").asText()).isEqualTo("FAILED");
    }
  }

  @Test
  void T6_after_a_split_a_history_that_began_on_the_lost_side_is_counted_as_dropped() {
    life.observe(events(1, 2));
    JobLife other = new JobLife();
    other.apply(new TimelineChange.Observed(JobLife.JOB, events(1, 5), 42));
    life.become(Timeline.merge(life.timeline(), other.timeline(), life.limits));
    assertThat(life.sequences()).containsExactly(2L, 1L);
    assertThat(life.page().get("droppedEvents").asInt()).isEqualTo(5);
  }

  @Test
  void T6_after_a_split_records_that_only_the_other_side_has_are_kept_and_the_bounds_hold() {
    JobLife small = new JobLife(new TimelineLimits(6, 100, 16, 4 * 1024 * 1024, 60_000));
    small.observe(events(1, 4));
    JobLife other = small.copy();
    other.observe(events(5, 8));
    other.decide(JobLife.first("k", Stage.OBSERVED).build());
    small.become(Timeline.merge(small.timeline(), other.timeline(), small.limits));
    assertThat(small.sequences()).containsExactly(9L, 8L, 7L, 6L, 5L, 4L);
    assertThat(small.decide(JobLife.first("k", Stage.OBSERVED).build()).results())
        .containsExactly(DecisionResult.of(JobLife.id(9)));
    assertThat(small.observe(events(1, 8)).recorded()).isZero();
  }

  @Test
  void T6_keys_past_the_bound_are_forgotten_the_oldest_first() {
    JobLife job = new JobLife();
    List<DecisionEvent> firsts =
        IntStream.rangeClosed(1, 4_300)
            .mapToObj(i -> JobLife.first("key " + i, Stage.OBSERVED).build())
            .toList();
    job.decide(firsts);
    assertThat(sequence(job.timeline().keys().find(JobLife.digest("key 4300")))).isEqualTo(4_300L);
    assertThat(job.timeline().keys().find(JobLife.digest("key 1"))).isZero();
    assertThat(LongStream.rangeClosed(205, 4_300))
        .allSatisfy(
            i -> assertThat(job.timeline().keys().find(JobLife.digest("key " + i))).isEqualTo(i));
  }

  private static @Nullable Long sequence(long found) {
    return found == 0 ? null : found;
  }
}
