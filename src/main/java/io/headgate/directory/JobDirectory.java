package io.headgate.directory;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store of published jobs: one {@link JobRecord} a job, changed atomically where it is owned.
 *
 * <p>Called on any thread; never blocks. A call that can't be made, or is not answered in time,
 * completes exceptionally with {@link DirectoryUnavailableException}. Its change may have been made
 * all the same; every call may be repeated without harm.
 */
public interface JobDirectory {
  /** Applies a publication to its job's record, as {@link JobRecord#publish} says. */
  Call<PublishOutcome> publish(Publication publication);

  /**
   * Forgets everything about a job, the epochs that were published included.
   *
   * @return whether anything was known
   */
  Call<Boolean> remove(long jobId);

  /** The job's record as of one moment, or null if nothing was published or all has expired. */
  Call<@Nullable JobRecord> read(long jobId, Deadline deadline);

  /**
   * Lists the jobs of which something is known, without names: nobody publishes any. A store that
   * can't list them lists none and says that it is not all.
   *
   * @param most the most jobs to give; of more, the first by {@link JobSummary#FIRST_TO_KEEP}
   */
  default Call<JobListing.Read> list(int most, Deadline deadline) {
    return Call.of(new JobListing.Read(List.of(), false));
  }
}
