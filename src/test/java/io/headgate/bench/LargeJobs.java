package io.headgate.bench;

import io.headgate.graph.Call;
import io.headgate.graph.Execution;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Jobs whose pictures are at the caps of what is drawn in full, and small ones to be looked up
 * beside them. All are there before anybody asks, so that finding one costs nothing.
 */
final class LargeJobs {
  /**
   * Every question is a fresh lookup, also that of a picture; and there are permits enough for all
   * that a client sends at once when it has been held up.
   */
  static final Map<String, String> SETTINGS =
      Map.of("HEADGATE_ADMISSION_FRESHNESS", "0", "HEADGATE_ADMISSION_PERMITS", "16");

  /** More than the gateway keeps pictures of: asked for in turn, each is drawn anew. */
  private static final int LARGE = 100;

  private static final int SMALL = 1_000;
  private static final int NODES = 300;
  private static final int EDGES = 1_000;

  /** How many nodes on an edge leads at most; so far that most pass some columns. */
  private static final int REACH = 12;

  private LargeJobs() {}

  /** The large job of the n-th picture. */
  static long large(long n) {
    return 1 + n % LARGE;
  }

  /** The small job of the n-th lookup. */
  static long small(long n) {
    return 1 + LARGE + n % SMALL;
  }

  /** Answers at once, on the caller's thread. */
  static JobGraphSource source() {
    Map<Long, Lookup> jobs = new HashMap<>();
    ReportedGraph large = graph();
    ReportedGraph small = ReportedGraph.chain(5);
    for (long n = 0; n < LARGE; n++) {
      jobs.put(large(n), found(large(n), large));
    }
    for (long n = 0; n < SMALL; n++) {
      jobs.put(small(n), found(small(n), small));
    }
    return (jobId, deadline) -> Call.of(jobs.getOrDefault(jobId, new Lookup.NotFound()));
  }

  private static Lookup found(long jobId, ReportedGraph graph) {
    return new Lookup.Found(
        new ReportedGraph(jobId, graph.nodes(), graph.edges()).checked(),
        Execution.ofEpoch(1, Instant.EPOCH),
        false);
  }

  private static ReportedGraph graph() {
    Random random = new Random(20_261_130L);
    List<ReportedGraph.Node> nodes = new ArrayList<>();
    for (int id = 1; id <= NODES; id++) {
      NodeKind kind = NodeKind.values()[id % 3];
      nodes.add(
          new ReportedGraph.Node(
              id, kind, "stage " + id + " of a large job", List.of("db.t" + id)));
    }
    Set<Integer> edges = new TreeSet<>();
    while (edges.size() < EDGES) {
      int source = 1 + random.nextInt(NODES - 1);
      edges.add(source * NODES + Math.min(NODES - source, 1 + random.nextInt(REACH)));
    }
    return new ReportedGraph(
        1,
        nodes,
        edges.stream()
            .map(e -> new ReportedGraph.Edge(1, e / NODES, e / NODES + e % NODES))
            .toList());
  }
}
