package io.headgate.state;

import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.NameForm;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is served for one job from going back: not to an older execution (L22a), and not to
 * another numbering of the same graph (L22b).
 *
 * <p>Safe on any thread; never blocks.
 */
public interface ExecutionFence {
  /**
   * Asks whether {@code graph} may be served as job {@code graph.jobId()}'s graph, and claims its
   * numbering if it is the first of its kind.
   *
   * @param execution the run it belongs to
   * @param form its name form, or null where names are not unique
   * @return the graph to serve, under the numbering already served if there is one; or null if the
   *     execution is older than one already served
   */
  CompletionStage<@Nullable JobGraph> pass(
      JobGraph graph, Execution execution, @Nullable NameForm form);
}
