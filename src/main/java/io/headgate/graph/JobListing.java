package io.headgate.graph;

import java.util.List;

/** What a source says when it is asked for its jobs. Immutable. */
public sealed interface JobListing {
  /**
   * Its jobs.
   *
   * @param jobs in any order; a job may be there twice, active and ended
   * @param whole false if the source has jobs that are not among them
   */
  record Read(List<JobSummary> jobs, boolean whole) implements JobListing {
    public Read {
      jobs = List.copyOf(jobs);
    }
  }

  /** Nothing can be said now. */
  record Unavailable(Unavailability reason) implements JobListing {}
}
