package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** When a member may still take itself for one of its cluster. */
class LeaseTest {
  private static final UUID B = new UUID(0, 2);
  private static final UUID C = new UUID(0, 3);

  private final Set<UUID> known = new TreeSet<>(List.of(B, C));
  private final Map<UUID, CompletableFuture<Boolean>> questions = new HashMap<>();
  private final List<Runnable> due = new ArrayList<>();
  private final Lease lease = lease(2);
  private long now;
  private int asked;

  private Lease lease(int minimum) {
    return new Lease(
        minimum,
        new Lease.Others() {
          @Override
          public Collection<UUID> known() {
            return List.copyOf(known);
          }

          @Override
          public CompletionStage<Boolean> ask(UUID member) {
            asked++;
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            questions.put(member, answer);
            return answer;
          }
        },
        (nanos, task) -> {
          due.add(task);
          return () -> due.remove(task);
        },
        () -> now);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void tick() {
    List<Runnable> tasks = List.copyOf(due);
    due.clear();
    tasks.forEach(Runnable::run);
  }

  @Test
  void it_is_held_once_enough_others_have_said_yes() {
    lease.start();
    assertThat(lease.held()).as("nobody has answered").isFalse();
    questions.get(B).complete(true);
    assertThat(lease.held()).isTrue();
  }

  @Test
  void it_lasts_3_s_from_the_question_and_not_from_the_answer() {
    lease.start();
    pass(Duration.ofMillis(2_900));
    questions.get(B).complete(true);
    assertThat(lease.held()).isTrue();
    pass(Duration.ofMillis(100));
    assertThat(lease.held()).isFalse();
  }

  @Test
  void whoever_was_frozen_does_not_hold_it_although_answers_were_waiting() {
    lease.start();
    questions.get(B).complete(true);
    tick();
    pass(Duration.ofSeconds(30));
    questions.get(B).complete(true);
    assertThat(lease.held()).isFalse();
    tick();
    questions.get(B).complete(false);
    assertThat(lease.held()).as("they have given it up").isFalse();
  }

  @Test
  void a_no_takes_a_yes_back() {
    lease.start();
    questions.get(B).complete(true);
    tick();
    questions.get(B).complete(false);
    assertThat(lease.held()).isFalse();
  }

  @Test
  void a_failure_leaves_what_was_said_before() {
    lease.start();
    questions.get(B).complete(true);
    tick();
    questions.get(B).completeExceptionally(new IllegalStateException("a connection broke"));
    assertThat(lease.held()).isTrue();
  }

  @Test
  void who_does_not_answer_is_not_asked_again() {
    lease.start();
    questions.get(B).complete(true);
    tick();
    tick();
    assertThat(asked).as("B twice and C once, since they are silent").isEqualTo(3);
  }

  @Test
  void members_that_left_do_not_count() {
    lease.start();
    questions.get(B).complete(true);
    known.remove(B);
    tick();
    assertThat(lease.held()).isFalse();
    questions.get(C).complete(true);
    assertThat(lease.held()).isTrue();
  }

  @Test
  void three_of_three_are_needed_where_the_minimum_is_3() {
    Lease strict = lease(3);
    strict.start();
    questions.get(B).complete(true);
    assertThat(strict.held()).isFalse();
    questions.get(C).complete(true);
    assertThat(strict.held()).isTrue();
  }

  @Test
  void without_a_minimum_it_is_always_held_and_nobody_is_asked() {
    Lease alone = lease(1);
    alone.start();
    assertThat(alone.held()).isTrue();
    assertThat(due).isEmpty();
  }

  @Test
  void a_stopped_one_asks_no_more() {
    lease.start();
    lease.stop();
    tick();
    assertThat(due).isEmpty();
    assertThat(asked).isEqualTo(2);
  }
}
