package io.headgate.graph;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What a list says about a job. Immutable.
 *
 * @param jobId the engine's id, positive
 * @param name what its owner calls it, well-formed Unicode, or null where that isn't known
 * @param status its state
 * @param active false for the record of an ended execution; an active job may already say how it
 *     ended (L28)
 * @param created when the execution began, if that is known
 * @param ended when it ended, if it did and that is known
 */
public record JobSummary(
    long jobId,
    @Nullable String name,
    JobStatus status,
    boolean active,
    @Nullable JobTime created,
    @Nullable JobTime ended) {
  /**
   * Whom to keep where not all can be: active jobs before ended ones, then the newest. Times of
   * sources without a zone are compared as if they were UTC. Of two executions of one job the one
   * to show comes first, too.
   */
  public static final Comparator<JobSummary> FIRST_TO_KEEP =
      Comparator.comparing(JobSummary::active)
          .thenComparingLong(job -> job.created == null ? Long.MIN_VALUE : job.created.millis())
          .thenComparingLong(JobSummary::jobId)
          .reversed();

  public JobSummary {
    if (jobId <= 0) {
      throw new IllegalArgumentException("jobId: " + jobId + " (expected: positive)");
    }
  }
}
