package io.headgate.graph;

import java.util.List;

/**
 * The Source/Transform/Sink graph of one job: checked, immutable, in the order of the response
 * (L4).
 *
 * <p>Nodes are addressed by rank, their place in the order of their ids. Edges are packed into one
 * {@code long} each (pipeline rank, source rank, target rank), which makes their numeric order the
 * order of the response. Build one with {@link JobGraphBuilder}. Safe to read on any thread.
 */
public final class JobGraph {
  private final long jobId;
  private final long[] ids;
  private final Node[] nodes;
  private final int[] pipelines;
  private final long[] edges;
  private final int rankBits;

  /**
   * One node. The array of paths is handed over: nobody may write to it afterwards.
   *
   * @param textBytes how many bytes name and paths have in UTF-8
   * @param incomplete whether it gets a warning (L7)
   * @param plain whether name and paths are all plain, see {@link
   *     io.headgate.wire.JsonText#isPlain}
   */
  record Node(
      long id,
      NodeKind kind,
      String name,
      String[] paths,
      int textBytes,
      boolean incomplete,
      boolean plain) {
    Node withId(long other) {
      return new Node(other, kind, name, paths, textBytes, incomplete, plain);
    }
  }

  /**
   * The arrays are handed over: nobody may write to them afterwards.
   *
   * @param ids of the nodes, sorted and distinct
   * @param nodes in the order of the ids
   * @param edges packed, sorted and distinct
   */
  JobGraph(long jobId, long[] ids, Node[] nodes, int[] pipelines, long[] edges) {
    this.jobId = jobId;
    this.ids = ids;
    this.nodes = nodes;
    this.pipelines = pipelines;
    this.edges = edges;
    this.rankBits = rankBits(ids.length);
  }

  /** How many bits a node's rank takes in a packed edge. */
  static int rankBits(int nodes) {
    return Math.max(1, 32 - Integer.numberOfLeadingZeros(nodes - 1));
  }

  /** The engine's id of the job. */
  public long jobId() {
    return jobId;
  }

  /** How many nodes there are, at least one. */
  public int nodeCount() {
    return ids.length;
  }

  /** How many distinct edges there are. */
  public int edgeCount() {
    return edges.length;
  }

  /** The engine's id of the node at {@code rank}. */
  public long nodeId(int rank) {
    return ids[rank];
  }

  /** What the node at {@code rank} does. */
  public NodeKind kind(int rank) {
    return nodes[rank].kind;
  }

  /** The display label of the node at {@code rank}; may be empty. */
  public String name(int rank) {
    return nodes[rank].name;
  }

  /** The usable paths of the node at {@code rank}: distinct, sorted, none for a transform. */
  public List<String> paths(int rank) {
    return List.of(nodes[rank].paths);
  }

  /** The same paths without the copy, for this package's loops. */
  String[] pathArray(int rank) {
    return nodes[rank].paths;
  }

  /** How many bytes name and paths of the node at {@code rank} have in UTF-8. */
  int textBytes(int rank) {
    return nodes[rank].textBytes;
  }

  /** Whether name and paths of the node at {@code rank} can be written as they are. */
  boolean isPlain(int rank) {
    return nodes[rank].plain;
  }

  /**
   * Whether the node at {@code rank} is a source or sink without a usable path, or with a path
   * entry left out (L7).
   */
  public boolean datasetMetadataMissing(int rank) {
    return nodes[rank].incomplete;
  }

  /** The engine's number of the pipeline that edge {@code index} belongs to. */
  public int edgePipeline(int index) {
    return pipelines[pipelineRank(index)];
  }

  /** The rank of the node where edge {@code index} begins. */
  public int edgeSource(int index) {
    return (int) (edges[index] >>> rankBits) & ((1 << rankBits) - 1);
  }

  /** The rank of the node where edge {@code index} ends. */
  public int edgeTarget(int index) {
    return (int) edges[index] & ((1 << rankBits) - 1);
  }

  private int pipelineRank(int index) {
    return (int) (edges[index] >>> 2 * rankBits);
  }

  /**
   * The same graph under other ids (L22b): the node at rank r gets {@code newIds[r]}, and
   * everything is put into the order of the new ids.
   *
   * @param newIds one distinct id for each node, in the order of the present ranks
   */
  public JobGraph renumbered(long[] newIds) {
    long[] sorted = RadixSort.sortAny(newIds.clone());
    Node[] newNodes = new Node[nodes.length];
    int[] newRanks = new int[nodes.length];
    for (int old = 0; old < newRanks.length; old++) {
      newRanks[old] = SortedIds.rank(sorted, newIds[old]);
      newNodes[newRanks[old]] = nodes[old].withId(newIds[old]);
    }
    long[] newEdges = new long[edges.length];
    for (int i = 0; i < newEdges.length; i++) {
      newEdges[i] =
          pack(pipelineRank(i), newRanks[edgeSource(i)], newRanks[edgeTarget(i)], rankBits);
    }
    newEdges = RadixSort.sort(newEdges, keyBits(pipelines.length, rankBits));
    return new JobGraph(jobId, sorted, newNodes, pipelines, newEdges);
  }

  static long pack(int pipelineRank, int source, int target, int rankBits) {
    return (((long) pipelineRank << rankBits | source) << rankBits) | target;
  }

  static int keyBits(int pipelines, int rankBits) {
    return rankBits(Math.max(1, pipelines)) + 2 * rankBits;
  }
}
