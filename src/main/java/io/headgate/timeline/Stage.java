package io.headgate.timeline;

/**
 * Where on its way a schema change was decided upon, in the order of that way. Stored by ordinal,
 * so a new one goes to the end.
 */
public enum Stage {
  /** The source gave the change to the engine. */
  OBSERVED,
  /** The engine recognised what kind of change it is. */
  NORMALIZED,
  /** A transform changed the event or the schema of a target. */
  TRANSFORMED,
  /** A rule of the source or a transform took the event out on purpose. */
  FILTERED,
  /** It is known which tables of which sinks the change concerns. */
  TARGET_RESOLVED,
  /** The configured behaviour was looked up. */
  POLICY_EVALUATED,
  /** It is known whether the sink can do it. */
  CAPABILITY_EVALUATED,
  /** A sink began to apply it to a target. */
  APPLY_STARTED,
  /** A target is done with it, one way or another. */
  COMPLETED;

  /** Whether it happens at a target, also where a report does not say at which. */
  boolean isApplication() {
    return this == APPLY_STARTED || this == COMPLETED;
  }
}
