package io.headgate.timeline;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;

/**
 * The id that stands in the answer for a job of which nothing was reported, and whose own history
 * therefore has not begun (T13): one for the whole cluster, drawn when it is first asked for.
 */
@FunctionalInterface
public interface ClusterHistory {
  /** Asks for it; fails as {@link TimelineStore} does. Never blocks. */
  Call<String> id(Deadline deadline);
}
