package io.headgate.jobs;

import io.headgate.graph.JobStatus;
import org.jspecify.annotations.Nullable;

/**
 * Which page of the list is wanted.
 *
 * @param state only jobs in this state, or null for all
 * @param limit the most jobs of the page, 1 to {@value #MOST}
 * @param after only jobs whose id is below this one, or {@link #FROM_THE_TOP}
 */
public record JobsQuery(@Nullable JobStatus state, int limit, long after) {
  /** The most jobs that one page may have. */
  public static final int MOST = 1000;

  /** The value of {@code after} for the first page; ids are positive. */
  public static final long FROM_THE_TOP = 0;

  /** The first page. */
  public static final JobsQuery FIRST = new JobsQuery(null, 100, FROM_THE_TOP);

  public JobsQuery {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1 to " + MOST + ")");
    }
    if (after < 0) {
      throw new IllegalArgumentException("after: " + after + " (expected: an id or 0)");
    }
  }
}
