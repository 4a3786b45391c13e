package io.headgate.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A set of decision events ends alike in whatever order and however often each comes. */
class MergedDecisionsTest {
  /** So few of everything that generated sets pass each bound and meet on each key. */
  private static final TimelineLimits NARROW =
      new TimelineLimits(500, 3, 2, 4 * 1024 * 1024, 60_000);

  @Provide
  Arbitrary<DecisionEvent> decisions() {
    Arbitrary<@Nullable String> tables = Arbitraries.of("a", "b", "c", "d", "e").injectNull(0.2);
    Arbitrary<@Nullable String> sinks = Arbitraries.of("s1", "s2").injectNull(0.6);
    Arbitrary<@Nullable Outcome> outcomes =
        Arbitraries.of(Outcome.values()).filter(Outcome::isOfTarget).injectNull(0.3);
    Arbitrary<@Nullable ReasonCode> reasons = Arbitraries.of(ReasonCode.values()).injectNull(0.4);
    Arbitrary<Details> details =
        Combinators.combine(
                Arbitraries.integers().between(0, 4),
                Arbitraries.integers().between(1, 4),
                Arbitraries.integers().between(0, 6),
                Arbitraries.of("STRICT", "IGNORE").injectNull(0.6),
                Arbitraries.of("x", "longer", "\u00e4\u20ac").injectNull(0.5),
                Arbitraries.of("shop.orders", "shop.items").injectNull(0.4))
            .as(Details::new);
    return Combinators.combine(
            Arbitraries.of(Stage.values()), tables, sinks, outcomes, reasons, details)
        .as(MergedDecisionsTest::decision);
  }

  private record Details(
      int at,
      int attempt,
      int count,
      @Nullable String policy,
      @Nullable String error,
      @Nullable String sourceTable) {}

  private static DecisionEvent decision(
      Stage stage,
      @Nullable String table,
      @Nullable String sink,
      @Nullable Outcome outcome,
      @Nullable ReasonCode reason,
      Details details) {
    DecisionEvent.Builder event =
        DecisionEvent.of(
                JobLife.JOB, new ChangeReference.ByKey(JobLife.digest("the change")), stage)
            .target(table, sink, null)
            .outcome(outcome)
            .reason(reason)
            .attempt(details.attempt)
            .policy(details.policy)
            .error(details.error)
            .sourceTable(details.sourceTable)
            .eventType(details.at == 2 ? EventType.SCHEMA_CHANGE_ADD_COLUMN : null)
            .capability(details.at == 3 ? Capability.UNSUPPORTED : null);
    if (details.at > 0) {
      event.at(JobLife.BEGIN + details.at);
    }
    if (stage == Stage.TARGET_RESOLVED && details.count > 0) {
      event.targetCount(details.count - 1);
    }
    return event.build();
  }

  @Property(tries = 2_000)
  void T7_any_permutation_with_any_repetition_ends_alike(
      @ForAll @Size(min = 1, max = 30) List<@net.jqwik.api.From("decisions") DecisionEvent> set,
      @ForAll Random random) {
    JobLife one = new JobLife(NARROW);
    one.decide(set);
    List<DecisionEvent> shuffled = new ArrayList<>(set);
    for (int i = random.nextInt(10); i > 0; i--) {
      shuffled.add(set.get(random.nextInt(set.size())));
    }
    Collections.shuffle(shuffled, random);
    JobLife other = new JobLife(NARROW);
    for (DecisionEvent each : shuffled) {
      other.decide(each);
    }
    assertThat(other.json(true)).isEqualTo(one.json(true));
    assertThat(other.timeline().bytes()).isEqualTo(one.timeline().bytes());
  }

  @Property(tries = 1_000)
  void T7_two_halves_of_a_set_merge_to_the_same_as_the_whole(
      @ForAll @Size(min = 2, max = 30) List<@net.jqwik.api.From("decisions") DecisionEvent> set,
      @ForAll Random random) {
    DecisionEvent first = set.get(0);
    JobLife one = new JobLife(NARROW);
    one.decide(first);
    JobLife other = one.copy();
    JobLife whole = one.copy();
    for (DecisionEvent each : set) {
      (random.nextBoolean() ? one : other).decide(each);
      whole.decide(each);
    }
    Timeline left = Timeline.merge(one.timeline(), other.timeline(), NARROW);
    Timeline right = Timeline.merge(other.timeline(), one.timeline(), NARROW);
    one.become(left);
    other.become(right);
    assertThat(one.json(true)).isEqualTo(whole.json(true)).isEqualTo(other.json(true));
  }

  @Property(tries = 500)
  void T7_what_was_said_again_changes_nothing_at_all(
      @ForAll @Size(min = 1, max = 20) List<@net.jqwik.api.From("decisions") DecisionEvent> set) {
    JobLife life = new JobLife(NARROW);
    life.decide(set);
    Timeline before = life.timeline();
    life.now += 5_000;
    life.decide(set);
    assertThat(life.timeline()).as("the same instance, so that nothing is stored").isSameAs(before);
  }

  @Test
  void
      T7_of_two_reports_on_one_key_the_greater_outcome_wins_then_the_later_then_the_greater_bytes() {
    List<DecisionEvent> ascending =
        List.of(
            end(null, 9, "z"),
            end(Outcome.UNKNOWN, 9, "z"),
            end(Outcome.FILTERED, 9, "z"),
            end(Outcome.IGNORED, 9, "z"),
            end(Outcome.APPLIED, 9, "z"),
            end(Outcome.FAILED, 1, "z"),
            end(Outcome.FAILED, 2, "a"),
            end(Outcome.FAILED, 2, "b"));
    for (int i = 0; i < ascending.size(); i++) {
      for (int j = 0; j <= i; j++) {
        JobLife life = new JobLife();
        life.decide(ascending.get(i), ascending.get(j));
        JobLife alone = new JobLife();
        alone.decide(ascending.get(i));
        assertThat(life.json(true)).as("%d against %d", i, j).isEqualTo(alone.json(true));
      }
    }
  }

  private static DecisionEvent end(@Nullable Outcome outcome, int at, String error) {
    return JobLife.first("k", Stage.COMPLETED)
        .target("t", null, null)
        .at(JobLife.BEGIN + at)
        .outcome(outcome)
        .error(error)
        .build();
  }

  @Test
  void T7_parts_of_a_target_that_are_not_known_are_part_of_its_identity() {
    JobLife life = new JobLife();
    life.observe(JobLife.event(1));
    Set<String> targets = new HashSet<>();
    for (String table : new String[] {null, "t"}) {
      for (String sink : new String[] {null, "s"}) {
        for (String writer : new String[] {null, "0"}) {
          life.decide(JobLife.on(1, Stage.COMPLETED).target(table, sink, writer).build());
          targets.add(table + "," + sink + "," + writer);
        }
      }
    }
    Set<String> answered = new HashSet<>();
    for (JsonNode target : life.record(1).get("targets")) {
      answered.add(
          text(target.get("table"))
              + ","
              + text(target.get("sink"))
              + ","
              + text(target.get("subWriter")));
    }
    assertThat(answered).isEqualTo(targets);
  }

  private static @Nullable String text(JsonNode node) {
    return node.isNull() ? null : node.asText();
  }

  @Test
  void T7_past_100_targets_the_least_stay_whatever_the_order() {
    List<DecisionEvent> all = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      String table = "t%03d".formatted(i);
      all.add(JobLife.resolved(1, table, 150));
      all.add(JobLife.started(1, table));
      all.add(JobLife.completed(1, table, Outcome.APPLIED));
    }
    String expected = null;
    for (int seed = 0; seed < 5; seed++) {
      Collections.shuffle(all, new Random(seed));
      JobLife life = new JobLife();
      life.observe(JobLife.event(1));
      life.decide(all);
      JsonNode record = life.record(1);
      assertThat(record.get("targets")).hasSize(100);
      assertThat(record.get("targets").get(99).get("table").asText()).isEqualTo("t099");
      assertThat(record.get("targetCount").asInt()).isEqualTo(150);
      assertThat(record.get("targetsTruncated").asBoolean()).isTrue();
      assertThat(record.get("outcome").asText()).as("also of those left out").isEqualTo("APPLIED");
      assertThat(expected == null || expected.equals(life.json(true))).isTrue();
      expected = life.json(true);
    }
  }

  @Test
  void T7_the_last_16_attempts_are_kept() {
    List<DecisionEvent> all = new ArrayList<>();
    for (int attempt = 1; attempt <= 40; attempt++) {
      all.add(JobLife.on(1, Stage.COMPLETED).target("t", null, null).attempt(attempt).build());
    }
    for (int seed = 0; seed < 5; seed++) {
      Collections.shuffle(all, new Random(seed));
      JobLife life = new JobLife();
      life.observe(JobLife.event(1));
      life.decide(all);
      List<Integer> kept = new ArrayList<>();
      for (JsonNode decision : life.record(1).get("decisions")) {
        if (decision.get("stage").asText().equals("COMPLETED")) {
          kept.add(decision.get("attempt").asInt());
        }
      }
      assertThat(kept)
          .containsExactly(25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40);
      assertThat(life.record(1).get("detailsTruncated").asBoolean()).isTrue();
    }
  }
}
