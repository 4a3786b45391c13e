package io.headgate.graph;

import java.util.List;

/**
 * A source that can say which jobs it has. {@link JobGraphSource}s may implement it as well; the
 * gateway then lists their jobs.
 *
 * <p>{@link #list} is called on any thread, one call at a time and and no more than one in 30
 * seconds. It must not block, as {@link JobGraphSource#lookup} must not.
 */
@FunctionalInterface
public interface JobLister {
  /** What stands for a source that can't say which jobs it has. */
  JobLister NONE = (most, deadline) -> Call.of(new JobListing.Read(List.of(), false));

  /**
   * Lists the source's jobs.
   *
   * @param most the most jobs to give; of more, the first by {@link JobSummary#FIRST_TO_KEEP}
   * @param deadline when the gateway stops waiting for the answer
   */
  Call<JobListing> list(int most, Deadline deadline);
}
