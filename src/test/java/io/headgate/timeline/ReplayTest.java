package io.headgate.timeline;

import static io.headgate.timeline.JobLife.event;
import static io.headgate.timeline.JobLife.events;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What an engine sends again is recorded once, and what it sends anew is recorded (T1b). */
class ReplayTest {
  private final JobLife life = new JobLife();

  @Test
  void T1b_a_batch_whose_answer_was_lost_comes_again() {
    life.observe(events(1, 3));
    Timeline before = life.timeline();
    Receipt again = life.observe(events(1, 3));
    assertThat(again.replayed()).isEqualTo(3);
    assertThat(life.timeline()).isSameAs(before);
  }

  @Test
  void T1b_a_batch_comes_again_with_more_behind_it() {
    life.observe(events(1, 3));
    assertThat(life.observe(events(1, 5)).recorded()).isEqualTo(2);
    assertThat(life.sequences()).containsExactly(5L, 4L, 3L, 2L, 1L);
  }

  @Test
  void T1b_a_new_master_begins_at_the_head_of_its_ring() {
    life.observe(events(1, 3));
    life.observe(events(4, 6));
    life.observe(events(7, 9));
    life.observe(events(2, 8));
    life.observe(events(9, 10));
    assertThat(life.timeline().size()).isEqualTo(10);
  }

  @Test
  void T1b_an_old_batch_comes_from_the_middle_of_what_was() {
    life.observe(events(1, 9));
    assertThat(life.observe(events(4, 6)).recorded()).isZero();
    assertThat(life.observe(events(5, 5)).recorded()).isZero();
  }

  @Test
  void T1b_a_ring_that_lost_its_last_events_goes_on_without_them() {
    life.observe(events(1, 5));
    List<Observation> shorter = new ArrayList<>(events(1, 3));
    shorter.addAll(events(11, 12));
    assertThat(life.observe(shorter).recorded()).isEqualTo(2);
    assertThat(life.observe(shorter).recorded()).as("the answer was lost").isZero();
    shorter.add(event(13));
    assertThat(life.observe(shorter).recorded()).as("another master").isEqualTo(1);
    assertThat(life.observe(events(1, 5)).recorded()).as("late, from the first master").isZero();
    assertThat(life.timeline().size()).isEqualTo(8);
  }

  @Test
  void T1b_several_masters_in_turn_may_each_lose_events() {
    List<Observation> ring = new ArrayList<>();
    int recorded = 0;
    for (int round = 0; round < 30; round++) {
      if (!ring.isEmpty()) {
        ring.remove(ring.size() - 1);
      }
      ring.addAll(events(10 * round, 10 * round + 2));
      life.observe(ring);
      recorded += 3;
      assertThat(life.timeline().size()).as("round %d", round).isEqualTo(recorded);
    }
  }

  @Test
  void T1b_legitimate_twins_inside_a_batch_stay_two() {
    List<Observation> twins = List.of(event(1), event(1), event(2), event(1));
    assertThat(life.observe(twins).recorded()).isEqualTo(4);
    assertThat(life.observe(twins).recorded()).isZero();
  }

  @Test
  void T1b_a_single_event_that_equals_a_logged_one_counts_as_a_replay() {
    life.observe(events(1, 3));
    assertThat(life.observe(event(2)).replayed()).isEqualTo(1);
  }

  @Test
  void T1b_events_that_are_known_but_never_came_in_this_order_are_new() {
    life.observe(events(1, 4));
    Receipt receipt = life.observe(event(3), event(2), event(1));
    assertThat(receipt.replayed()).as("the first alone is a run").isEqualTo(1);
    assertThat(receipt.recorded()).isEqualTo(2);
  }

  @Test
  void T1b_new_events_before_known_ones_are_all_new() {
    life.observe(events(1, 4));
    assertThat(life.observe(event(9), event(2)).recorded()).isEqualTo(2);
  }

  @Test
  void T1b_a_batch_that_ends_with_all_that_is_known_began_before_it() {
    life.observe(events(5, 7));
    Receipt receipt = life.observe(events(1, 9));
    assertThat(receipt.replayed())
        .as("after a restart the log is younger than the ring")
        .isEqualTo(7);
    assertThat(receipt.recorded()).isEqualTo(2);
  }

  @Test
  void T1b_at_least_4000_events_are_remembered_and_an_older_head_is_recognised() {
    TimelineLimits limits = TimelineLimits.DEFAULT;
    for (int from = 1; from <= 9_000; from += 1_000) {
      life.observe(events(from, from + 999));
    }
    assertThat(life.observe(events(5_001, 9_000)).recorded()).as("the last 4,000").isZero();
    assertThat(life.observe(events(1, 9_000)).recorded()).as("a head older than the log").isZero();
    assertThat(life.observe(events(1, 9_001)).recorded()).isEqualTo(1);
    assertThat(life.timeline().size()).isEqualTo(limits.records());
    assertThat(life.timeline().arrivals().digests().size())
        .isBetween(ArrivalLog.CAPACITY, ArrivalLog.CAPACITY + Tuples.CHUNK);
  }

  @Test
  void T1b_an_event_that_found_no_room_is_a_replay_all_the_same() {
    JobLife small = new JobLife(new TimelineLimits(2, 100, 16, 4 * 1024 * 1024, 60_000));
    small.observe(events(1, 2));
    small.decide(JobLife.started(1, "t"), JobLife.started(2, "t"));
    assertThat(small.observe(events(3, 4)).dropped()).isEqualTo(2);
    small.end();
    assertThat(small.observe(events(1, 5)).recorded()).as("only the fifth is new").isEqualTo(1);
  }

  /**
   * An engine with a ring, sending batches, losing answers, masters and, with them, last events: no
   * event that was ever answered is recorded twice or not at all.
   */
  @Property(tries = 1_000)
  void T1b_no_record_twice_and_none_lost(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 40) int turns) {
    JobLife job = new JobLife();
    List<Observation> ring = new ArrayList<>();
    int committed = 0;
    int made = 0;
    int expected = 0;
    int seen = 0; // how much of the ring has ever been received
    for (int turn = 0; turn < turns; turn++) {
      for (int i = random.nextInt(4); i > 0; i--) {
        ring.add(event(made++));
      }
      int end = Math.min(ring.size(), committed + 1 + random.nextInt(8));
      if (end > committed) {
        job.observe(List.copyOf(ring.subList(committed, end)));
        expected += Math.max(0, end - seen);
        seen = Math.max(seen, end);
        if (random.nextInt(3) > 0) {
          committed = end;
        }
      }
      if (random.nextInt(6) == 0) {
        int lost = random.nextInt(3);
        for (int i = 0; i < lost && !ring.isEmpty(); i++) {
          ring.remove(ring.size() - 1);
        }
        seen = Math.min(seen, ring.size());
        committed = 0;
      }
    }
    assertThat(job.exists() ? job.timeline().size() : 0).isEqualTo(expected);
  }
}
