package io.headgate.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** To take a decision does not mean to go through the texts of all others (T10). */
class DecisionWorkTest {
  private static final ChangeReference CHANGE = new ChangeReference.ByKey(new EventDigest(1, 2));

  /** It runs where a whole part of the cluster's state waits for it. */
  @Test
  void T10_a_batch_of_long_error_texts_takes_no_time_that_others_would_notice() {
    List<DecisionEvent> batch = new ArrayList<>();
    for (int i = 0; i < 960; i++) {
      batch.add(decision(i / 16, 1 + i % 16, "x".repeat(DecisionEvent.MAX_ERROR_BYTES)));
    }
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < 4; i++) {
      assertThat(new JobLife().decide(batch).dropped()).isZero();
    }
    long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    assertThat(took).as("CPU time; counting all texts anew took 5 s").isLessThan(2_000_000_000L);
  }

  @Property(tries = 500)
  void T10_what_decisions_count_for_is_what_each_of_them_counts_for(
      @ForAll @Size(max = 40) List<@IntRange(max = 1_000) Integer> numbers) {
    TimelineLimits few = new TimelineLimits(500, 3, 2, 1 << 20, 1);
    Decisions decisions = Decisions.NONE;
    Decisions others = Decisions.NONE;
    for (int number : numbers) {
      Decision next = decision(number % 6, 1 + number / 6 % 4, "x".repeat(number / 24)).decision();
      decisions = decisions.with(next, few);
      others = number % 2 == 0 ? others.with(next, few) : others;
    }
    for (Decisions each :
        List.of(
            decisions,
            decisions.and(others, few),
            decisions.withoutErrors(),
            decisions.withoutTargets())) {
      assertThat(each.cost()).isEqualTo(countedAnew(each));
    }
  }

  private static int countedAnew(Decisions decisions) {
    Decision[] entries = new Decision[decisions.size()];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = decisions.get(i);
    }
    return Decisions.stored(entries, 0, false).cost();
  }

  private static DecisionEvent decision(int target, int attempt, String error) {
    String table = target == 0 ? null : "t" + target;
    return DecisionEvent.of(JobLife.JOB, CHANGE, Stage.COMPLETED)
        .target(table, null, null)
        .attempt(attempt)
        .outcome(Outcome.FAILED)
        .error(error)
        .build();
  }
}
