package io.headgate.graph;

import io.headgate.wire.Text;
import java.util.Arrays;
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
  private final NodeKind[] kinds;
  private final Text[] names;
  private final Text[][] paths;
  private final boolean[] incomplete;
  private final int[] pipelines;
  private final long[] edges;
  private final int rankBits;

  /** The arrays are handed over: nobody may write to them afterwards. */
  JobGraph(
      long jobId,
      long[] ids,
      NodeKind[] kinds,
      Text[] names,
      Text[][] paths,
      boolean[] incomplete,
      int[] pipelines,
      long[] edges) {
    this.jobId = jobId;
    this.ids = ids;
    this.kinds = kinds;
    this.names = names;
    this.paths = paths;
    this.incomplete = incomplete;
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
    return kinds[rank];
  }

  /** The display label of the node at {@code rank}; may be empty. */
  public Text name(int rank) {
    return names[rank];
  }

  /** The usable paths of the node at {@code rank}: distinct, sorted, none for a transform. */
  public List<Text> paths(int rank) {
    return List.of(paths[rank]);
  }

  /** The same paths without the copy, for this package's loops. */
  Text[] pathArray(int rank) {
    return paths[rank];
  }

  /**
   * Whether the node at {@code rank} is a source or sink without a usable path, or with a path
   * entry left out (L7).
   */
  public boolean datasetMetadataMissing(int rank) {
    return incomplete[rank];
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
    long[] sorted = newIds.clone();
    Arrays.sort(sorted);
    int count = sorted.length;
    NodeKind[] newKinds = new NodeKind[count];
    Text[] newNames = new Text[count];
    Text[][] newPaths = new Text[count][];
    boolean[] newIncomplete = new boolean[count];
    int[] newRanks = new int[count];
    for (int old = 0; old < count; old++) {
      int rank = SortedIds.rank(sorted, newIds[old]);
      newRanks[old] = rank;
      newKinds[rank] = kinds[old];
      newNames[rank] = names[old];
      newPaths[rank] = paths[old];
      newIncomplete[rank] = incomplete[old];
    }
    long[] newEdges = new long[edges.length];
    for (int i = 0; i < newEdges.length; i++) {
      newEdges[i] =
          pack(pipelineRank(i), newRanks[edgeSource(i)], newRanks[edgeTarget(i)], rankBits);
    }
    newEdges = RadixSort.sort(newEdges, keyBits(pipelines.length, rankBits));
    return new JobGraph(
        jobId, sorted, newKinds, newNames, newPaths, newIncomplete, pipelines, newEdges);
  }

  static long pack(int pipelineRank, int source, int target, int rankBits) {
    return (((long) pipelineRank << rankBits | source) << rankBits) | target;
  }

  static int keyBits(int pipelines, int rankBits) {
    return rankBits(Math.max(1, pipelines)) + 2 * rankBits;
  }
}
