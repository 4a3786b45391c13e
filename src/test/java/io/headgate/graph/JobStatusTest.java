package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The states of a job, beside those of the engine. */
class JobStatusTest {
  @Test
  void L28_the_states_and_which_of_them_are_ends_are_those_of_the_engine() {
    // org.apache.seatunnel.engine.core.job.JobStatus of 2.3.8, and PENDING, which came with 2.3.9.
    assertThat(Arrays.stream(JobStatus.values()).filter(JobStatus::isEnd))
        .containsExactly(
            JobStatus.FAILED,
            JobStatus.SAVEPOINT_DONE,
            JobStatus.CANCELED,
            JobStatus.FINISHED,
            JobStatus.UNKNOWABLE);
    assertThat(Arrays.stream(JobStatus.values()).filter(status -> !status.isEnd()))
        .containsExactly(
            JobStatus.INITIALIZING,
            JobStatus.CREATED,
            JobStatus.PENDING,
            JobStatus.SCHEDULED,
            JobStatus.RUNNING,
            JobStatus.FAILING,
            JobStatus.DOING_SAVEPOINT,
            JobStatus.CANCELING);
  }

  @Test
  void a_state_is_found_by_exactly_its_name() {
    for (JobStatus status : JobStatus.values()) {
      assertThat(JobStatus.of(status.name())).isSameAs(status);
    }
    for (String other : new String[] {"", "running", " RUNNING", "DONE", "FINISHED "}) {
      assertThat(JobStatus.of(other)).isNull();
    }
  }
}
