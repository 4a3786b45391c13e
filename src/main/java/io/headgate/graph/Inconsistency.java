package io.headgate.graph;

/** Why a known job has no graph that could be shown: the closed set behind 409 (L10, L21, L27). */
public enum Inconsistency {
  /** The engine knows the job but gives no graph, or an empty one. */
  MISSING_GRAPH("missing-graph"),
  /** The logical plan that engines up to 2.3.8 give for an active job; it is never guessed at. */
  LEGACY_SHAPE("legacy-shape"),
  /** The graph is not an object of a known shape, or its text can't be read. */
  UNREADABLE_GRAPH("unreadable-graph"),
  /** State or graph carries another job's id, or none. */
  OTHER_JOB("other-job"),
  /** There is no creation time, so the execution can't be told from another. */
  NO_EXECUTION("no-execution"),
  MISSING_NODES("missing-nodes"),
  MISSING_EDGES("missing-edges"),
  NO_NODES("no-nodes"),
  MALFORMED_NODE("malformed-node"),
  MALFORMED_ID("malformed-id"),
  UNKNOWN_KIND("unknown-kind"),
  MISSING_NAME("missing-name"),
  KEY_MISMATCH("key-mismatch"),
  DUPLICATE_NODE("duplicate-node"),
  MALFORMED_PATH("malformed-path"),
  MALFORMED_PIPELINE("malformed-pipeline"),
  MALFORMED_EDGE("malformed-edge"),
  DANGLING_EDGE("dangling-edge"),
  SELF_LOOP("self-loop"),
  CYCLE("cycle"),
  ILL_FORMED_TEXT("ill-formed-text"),
  /** One object names the same member twice, so there is no telling which one is meant. */
  DUPLICATE_MEMBER("duplicate-member");

  private final String label;

  Inconsistency(String label) {
    this.label = label;
  }

  /** The word for log lines and metrics. */
  public String label() {
    return label;
  }
}
