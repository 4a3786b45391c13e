package io.headgate.graph;

/** What a source says about one job (L25). Immutable; the variants are all there will ever be. */
public sealed interface Lookup {
  /**
   * A consistent graph.
   *
   * @param graph the checked graph
   * @param execution the run it belongs to
   * @param retained true for the record of an ended execution, false for an active one
   */
  record Found(JobGraph graph, Execution execution, boolean retained) implements Lookup {}

  /** No active or pending job and no usable retained record. */
  record NotFound() implements Lookup {}

  /**
   * The job is known, its graph is missing or inconsistent.
   *
   * @param retained true for the record of an ended execution; false for an active one, and where
   *     that can't be told
   */
  record Inconsistent(Inconsistency reason, boolean retained) implements Lookup {}

  /**
   * The graph passes a limit.
   *
   * @param retained true for the record of an ended execution; false for an active one, and where
   *     that can't be told
   */
  record TooLarge(Excess reason, boolean retained) implements Lookup {}

  /** Nothing can be said now. */
  record Unavailable(Unavailability reason) implements Lookup {}
}
