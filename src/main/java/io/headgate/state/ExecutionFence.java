package io.headgate.state;

import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.NameForm;
import io.headgate.graph.Unavailability;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is served for one job from going back: not to an older execution (L22a), and not to
 * another numbering of the same graph (L22b).
 *
 * <p>Safe on any thread; never blocks.
 */
public interface ExecutionFence {
  /** What becomes of a graph at the fence. */
  sealed interface Passed {
    /**
     * It may be served: {@code graph} is it, under the numbering already served if there is one.
     */
    record Serve(JobGraph graph) implements Passed {}

    /** Its execution is older than one already served. */
    record Older() implements Passed {}

    /** Nobody can say whether its execution is older, so it must not be served. */
    record Refused(Unavailability reason) implements Passed {}
  }

  /**
   * Asks whether {@code graph} may be served as job {@code graph.jobId()}'s graph, and claims its
   * numbering if it is the first of its kind.
   *
   * @param execution the run it belongs to
   * @param form its name form, or null where names are not unique
   */
  CompletionStage<Passed> pass(JobGraph graph, Execution execution, @Nullable NameForm form);
}
