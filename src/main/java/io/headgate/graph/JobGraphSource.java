package io.headgate.graph;

/**
 * Where job graphs come from; the only seam between the gateway and an engine or an embedding
 * service (L25).
 *
 * <p>{@link #lookup} is called on any thread, at most once at a time for one job and at most as
 * often at once as there are lineage permits. It must not block: whatever takes time happens
 * elsewhere and completes the call later. Completing it on an I/O thread is fine, the gateway moves
 * the costly work to its own workers.
 *
 * <pre>{@code
 * JobGraphSource source = (jobId, deadline) ->
 *     Call.of(jobId == 42 ? new Lookup.Found(graph, execution, false) : new Lookup.NotFound());
 * }</pre>
 */
@FunctionalInterface
public interface JobGraphSource {
  /**
   * Looks one job up.
   *
   * @param jobId the engine's id, positive
   * @param deadline when the gateway stops waiting for the answer; a source should have given up by
   *     then, and may report by {@link Call#ended()} that its work goes on
   */
  Call<Lookup> lookup(long jobId, Deadline deadline);
}
