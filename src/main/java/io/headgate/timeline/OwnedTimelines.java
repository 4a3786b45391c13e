package io.headgate.timeline;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The timelines that this gateway owns, and so looks after: each one is owned by one gateway of the
 * cluster. Never blocks; calls fail as those of {@link TimelineStore} do.
 */
public interface OwnedTimelines {
  /** The jobs whose timelines it owns now. */
  Call<Set<Long>> jobs(Deadline deadline);

  /** A look at one of them; null if it has gone. */
  Call<@Nullable TimelineLook> look(long jobId, Deadline deadline);
}
