package io.headgate.graph;

/** Why a source could not say anything now: the closed set behind 503 (L21). */
public enum Unavailability {
  /** No member could be reached. */
  UNREACHABLE("unreachable"),
  /** Every member's breaker is open. */
  BREAKER_OPEN("breaker-open"),
  /** The lookup's deadline passed. */
  DEADLINE("deadline"),
  /** The engine refused our credentials. */
  UPSTREAM_AUTH("upstream-auth"),
  /** The engine answered with a status that is not listed, or a redirect. */
  UPSTREAM_STATUS("upstream-status"),
  /** The engine answered with a body that is incomplete, unreadable, coded or not listed. */
  UPSTREAM_BODY("upstream-body"),
  /** Every upstream connection is taken. */
  UPSTREAM_BUSY("upstream-busy"),
  /** The execution is older than one already served for this job (L22a). */
  OLDER_EXECUTION("older-execution"),
  /** This gateway sees fewer members of its cluster than the configured minimum. */
  CLUSTER_TOO_SMALL("cluster-too-small"),
  /** This gateway has not yet joined its cluster. */
  CLUSTER_JOINING("cluster-joining"),
  /** As many calls to the cluster as allowed are under way. */
  STORE_BUSY("store-busy"),
  /** A call to the cluster failed, or was not answered in time. */
  STORE_FAILED("store-failed"),
  /** The source is being stopped. */
  STOPPING("stopping");

  private final String label;

  Unavailability(String label) {
    this.label = label;
  }

  /** The word for log lines and metrics. */
  public String label() {
    return label;
  }
}
