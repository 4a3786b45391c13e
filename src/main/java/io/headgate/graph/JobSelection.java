package io.headgate.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes any number of jobs and keeps the first of them by {@link JobSummary#FIRST_TO_KEEP}, one
 * execution of each: so many jobs, and so many characters of their names together. Not thread-safe.
 */
public final class JobSelection {
  /** Four hundred characters for each of ten thousand names; eight megabytes at most. */
  static final int MOST_NAME_CHARS = 4 << 20;

  private final int most;
  private final TreeSet<JobSummary> ranked = new TreeSet<>(JobSummary.FIRST_TO_KEEP);
  private final Map<Long, JobSummary> byId = new HashMap<>();
  private int nameChars;

  /**
   * The first of those that were let go; none behind it may stay, so that order of coming is no
   * matter.
   */
  private @Nullable JobSummary letGo;

  /**
   * @param most the most jobs to keep, at least 1
   */
  public JobSelection(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("most: " + most + " (expected: at least 1)");
    }
    this.most = most;
  }

  /**
   * Takes a job.
   *
   * @return whether it is kept now; of two that say the same of one job, the first is
   */
  public boolean add(JobSummary job) {
    JobSummary known = byId.get(job.jobId());
    if (known != null && isBefore(known, job)) {
      return false;
    }
    if (letGo != null && isBefore(letGo, job)) {
      return false;
    }
    if (known != null) {
      remove(known);
    }
    byId.put(job.jobId(), job);
    ranked.add(job);
    nameChars += nameLength(job);
    while (ranked.size() > most || nameChars > MOST_NAME_CHARS) {
      letGo = ranked.last();
      remove(letGo);
    }
    return letGo != job;
  }

  private static boolean isBefore(JobSummary one, JobSummary other) {
    return JobSummary.FIRST_TO_KEEP.compare(one, other) <= 0;
  }

  private void remove(JobSummary job) {
    ranked.remove(job);
    byId.remove(job.jobId());
    nameChars -= nameLength(job);
  }

  private static int nameLength(JobSummary job) {
    return job.name() == null ? 0 : job.name().length();
  }

  /** The jobs that are kept, each once, the first to keep first. */
  public List<JobSummary> jobs() {
    return List.copyOf(ranked);
  }

  /** Whether there were jobs that are not kept. */
  public boolean leftOut() {
    return letGo != null;
  }
}
