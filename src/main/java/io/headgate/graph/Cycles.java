package io.headgate.graph;

/**
 * Looks for a cycle over the whole job, all pipelines together (L10), by taking away nodes that
 * nothing feeds until none is left. Iterative: a chain of any length takes no stack.
 */
final class Cycles {
  private Cycles() {}

  static boolean hasCycle(JobGraph graph) {
    int nodes = graph.nodeCount();
    int edges = graph.edgeCount();
    int[] firstEdge = new int[nodes + 1];
    int[] open = new int[nodes];
    for (int e = 0; e < edges; e++) {
      firstEdge[graph.edgeSource(e)]++;
      open[graph.edgeTarget(e)]++;
    }
    for (int n = 0, end = 0; n <= nodes; n++) {
      end += firstEdge[n];
      firstEdge[n] = end; // filling the places from behind moves it to their beginning
    }
    int[] targets = new int[edges];
    for (int e = 0; e < edges; e++) {
      targets[--firstEdge[graph.edgeSource(e)]] = graph.edgeTarget(e);
    }
    int[] free = new int[nodes];
    int freeCount = 0;
    for (int n = 0; n < nodes; n++) {
      if (open[n] == 0) {
        free[freeCount++] = n;
      }
    }
    for (int taken = 0; taken < freeCount; taken++) {
      int node = free[taken];
      for (int e = firstEdge[node]; e < firstEdge[node + 1]; e++) {
        if (--open[targets[e]] == 0) {
          free[freeCount++] = targets[e];
        }
      }
    }
    return freeCount < nodes;
  }
}
