package io.headgate.observe;

/** How this gateway stands with its cluster. Safe on any thread. */
public interface ClusterHealth {
  /** How many members this gateway sees, itself included; 0 while it has not joined. */
  int members();

  /** How many there must be for the cluster's state to be used. */
  int minimum();

  /** Whether it has joined, if only a cluster of its own. */
  boolean joined();
}
