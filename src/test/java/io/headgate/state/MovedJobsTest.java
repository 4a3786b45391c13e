package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a gateway notes of jobs that others move on. */
class MovedJobsTest {
  private final MovedJobs moved = new MovedJobs(2);

  @Test
  void L22a_a_word_that_was_asked_for_before_the_move_settles_nothing() {
    long before = moved.last();
    moved.add(7);
    long after = moved.last();
    assertThat(moved.settle(7, before)).isFalse();
    assertThat(moved.contains(7)).isTrue();
    assertThat(moved.settle(7, after)).isTrue();
    assertThat(moved.contains(7)).isFalse();
    assertThat(moved.settle(7, before)).as("nothing to settle").isTrue();
  }

  @Test
  void past_the_bound_the_job_heard_of_longest_ago_goes() {
    moved.add(1);
    moved.add(2);
    moved.add(1);
    moved.add(3);
    assertThat(moved.size()).isEqualTo(2);
    assertThat(moved.contains(1)).isTrue();
    assertThat(moved.contains(2)).isFalse();
    assertThat(moved.contains(3)).isTrue();
  }
}
