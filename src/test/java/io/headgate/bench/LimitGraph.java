package io.headgate.bench;

import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The largest graph that the default limits accept: 10,000 nodes, 50,000 distinct edges, 50,000
 * paths, about 4.9 MB as a response. Always the same one; nodes and edges are reported in no
 * particular order, the edges pipeline by pipeline.
 */
public final class LimitGraph {
  private static final int PIPELINES = 20;
  private static final int NODES_A_PIPELINE = 500;
  private static final int EDGES_A_PIPELINE = 2_500;
  private static final int PATHS_A_NODE = 10;

  /** How many of a pipeline's nodes have edges that lead on. */
  private static final int FEEDING = 480;

  private LimitGraph() {}

  public static ReportedGraph report() {
    Random random = new Random(20_261_130L);
    List<ReportedGraph.Node> nodes = new ArrayList<>();
    List<ReportedGraph.Edge> edges = new ArrayList<>();
    for (int pipeline = 1; pipeline <= PIPELINES; pipeline++) {
      int first = 1 + (pipeline - 1) * NODES_A_PIPELINE;
      for (int id = first; id < first + NODES_A_PIPELINE; id++) {
        nodes.add(node(pipeline, id, random));
      }
      List<ReportedGraph.Edge> own = new ArrayList<>();
      for (int i = 0; i < EDGES_A_PIPELINE; i++) {
        int source = first + i % FEEDING;
        // Another distance for each of the five or six edges of a node, so that none repeats.
        int target = source + 1 + 3 * (i / FEEDING) + random.nextInt(3);
        own.add(new ReportedGraph.Edge(pipeline, source, target));
      }
      Collections.shuffle(own, random);
      edges.addAll(own);
    }
    Collections.shuffle(nodes, random);
    return new ReportedGraph(733_584_788_375_093_248L, nodes, edges);
  }

  private static ReportedGraph.Node node(int pipeline, int id, Random random) {
    NodeKind kind =
        switch (id % 4) {
          case 0 -> NodeKind.SOURCE;
          case 1 -> NodeKind.SINK;
          default -> NodeKind.TRANSFORM;
        };
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < PATHS_A_NODE && kind != NodeKind.TRANSFORM; i++) {
      paths.add("shop.t_" + (id * 10L + random.nextInt(100_000)));
    }
    Collections.sort(paths); // as a catalog lists its tables
    return new ReportedGraph.Node(id, kind, "p" + pipeline + " [Sink[" + id + "]-Jdbc]", paths);
  }
}
