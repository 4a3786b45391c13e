package io.headgate.state;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The jobs of which this gateway has heard that they move on to another execution, and of which the
 * cluster has told it nothing since (L22a). What it remembers of them by itself may be behind what
 * others serve, so without the cluster it answers nothing for them.
 *
 * <p>A job stays until the cluster is asked about it again. Past the bound the one that was heard
 * of longest ago goes.
 *
 * <p>Safe on any thread.
 */
final class MovedJobs {
  private final int most;

  // Guarded by this. When each was heard of, as a number that grows; the eldest is first.
  private final Map<Long, Long> heard = new LinkedHashMap<>();
  private long last;

  MovedJobs(int most) {
    this.most = most;
  }

  /** Notes that a job moves on. */
  synchronized void add(long jobId) {
    heard.remove(jobId);
    heard.put(jobId, ++last);
    if (heard.size() > most) {
      Iterator<Long> eldest = heard.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  synchronized boolean contains(long jobId) {
    return heard.containsKey(jobId);
  }

  /** The number of what was heard last: where a question to the cluster begins. */
  synchronized long last() {
    return last;
  }

  /**
   * The cluster has spoken of a job.
   *
   * @param asked what {@link #last()} was when it was asked
   * @return false if the job has moved on since then, so that its word may be behind, too
   */
  synchronized boolean settle(long jobId, long asked) {
    if (heard.getOrDefault(jobId, 0L) > asked) {
      return false;
    }
    heard.remove(jobId);
    return true;
  }

  synchronized int size() {
    return heard.size();
  }
}
