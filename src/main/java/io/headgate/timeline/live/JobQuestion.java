package io.headgate.timeline.live;

import java.util.concurrent.CompletionStage;

/**
 * Asks the sources of a job whether they have it. It goes the way of lineage requests: answered by
 * what was found not long ago or by the lookup under way, else with a permit of theirs, and not at
 * all where there is none.
 */
@FunctionalInterface
public interface JobQuestion {
  /** Asks; never blocks, and the answer never completes exceptionally. */
  CompletionStage<JobPresence> ask(long jobId);
}
