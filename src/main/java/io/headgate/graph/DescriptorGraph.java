package io.headgate.graph;

import java.util.List;

/**
 * The transforms of one bundle descriptor and what flows between them: checked, immutable, in the
 * order of the answer (F4). Of a function it has the URN and nothing else: no parameters, no
 * endpoint.
 *
 * <p>Build one with {@link DescriptorGraphBuilder}. Safe to read on any thread.
 *
 * @param id the descriptor's id
 * @param nodes by id
 * @param edges by source id, target id, output, input; each once
 * @param warnings by node id, then input
 */
public record DescriptorGraph(
    String id, List<Node> nodes, List<Edge> edges, List<Warning> warnings) {

  /**
   * A transform.
   *
   * @param kind a source has no inputs, side inputs apart; of the others a sink feeds nothing
   * @param name what people call it, perhaps nothing
   * @param urn what kind of function it is, perhaps nothing
   */
  public record Node(String id, NodeKind kind, String name, String urn) {}

  /** An output that feeds an input, or a side input. */
  public record Edge(
      String sourceId, String output, String targetId, String input, boolean sideInput) {}

  /** A side input of {@code nodeId} comes from somewhere outside the descriptor. */
  public record Warning(String nodeId, String input) {}

  public DescriptorGraph {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
    warnings = List.copyOf(warnings);
  }
}
