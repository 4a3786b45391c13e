package io.headgate.jobs;

/** Where a job of the list comes from; its name stands in the answer. */
public enum Origin {
  /** The embedding service's own source. */
  EMBEDDED,
  /** The engine. */
  ZETA,
  /** Graphs published into the cluster. */
  DIRECTORY,
  /** Recorded jobs. */
  RECORDED
}
