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

  /** The job is known, its graph is missing or inconsistent. */
  record Inconsistent(Inconsistency reason) implements Lookup {}

  /** The graph passes a limit. */
  record TooLarge(Excess reason) implements Lookup {}

  /** Nothing can be said now. */
  record Unavailable(Unavailability reason) implements Lookup {}
}
