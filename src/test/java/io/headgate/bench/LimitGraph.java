package io.headgate.bench;

import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The largest graph that the default limits accept: 10,000 nodes, 50,000 distinct edges, 50,000
 * paths, about 4.9 MB as a response. Always the same one, reported in no particular order.
 */
public final class LimitGraph {
  private static final int NODES = 10_000;
  private static final int EDGES = 50_000;
  private static final int PATHS_A_NODE = 10;
  private static final int PIPELINES = 20;

  private LimitGraph() {}

  public static ReportedGraph report() {
    Random random = new Random(20_261_130L);
    List<ReportedGraph.Node> nodes = new ArrayList<>(NODES);
    for (int id = 1; id <= NODES; id++) {
      NodeKind kind =
          switch (id % 4) {
            case 0 -> NodeKind.SOURCE;
            case 1 -> NodeKind.SINK;
            default -> NodeKind.TRANSFORM;
          };
      List<String> paths = new ArrayList<>();
      for (int i = 0; i < PATHS_A_NODE && kind != NodeKind.TRANSFORM; i++) {
        paths.add("shop.orders_" + (id * 10L + random.nextInt(100_000)));
      }
      String name = "pipeline-" + (1 + id % PIPELINES) + " [Sink[" + id + "]-Jdbc]";
      nodes.add(new ReportedGraph.Node(id, kind, name, paths));
    }
    List<ReportedGraph.Edge> edges = new ArrayList<>(EDGES);
    for (int i = 0; i < EDGES; i++) {
      int source = 1 + i % (NODES - 100);
      // Another distance for each of the five or six edges of a node, so that none repeats.
      int target = source + 1 + 15 * (i / (NODES - 100)) + random.nextInt(15);
      edges.add(new ReportedGraph.Edge(1 + i * PIPELINES / EDGES, source, target));
    }
    Collections.shuffle(nodes, random);
    edges.sort((a, b) -> Integer.compare(a.pipelineId(), b.pipelineId()));
    return new ReportedGraph(733_584_788_375_093_248L, nodes, edges);
  }
}
