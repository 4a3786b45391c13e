package io.headgate.graph;

import io.headgate.wire.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a graph in the order in which a source reports it, counts it against the limits, checks it
 * and puts it in order.
 *
 * <p>Faults do not stop it (L12): a source goes on to the end of what it reads, because a count or
 * string fault anywhere (413) goes before the first topology fault (409), and a {@link #refuse}d
 * graph before both. Once a limit is passed nothing more is kept, only counted. Not thread-safe;
 * one worker thread uses it once.
 *
 * <pre>{@code
 * builder.beginNode();
 * builder.name("orders");
 * builder.path("shop.orders");
 * builder.endNode(1, NodeKind.SOURCE);
 * builder.beginEdge();
 * builder.edge(1, 1, 2);
 * Built built = builder.build();
 * }</pre>
 */
public final class JobGraphBuilder {
  /** A path that engines report for a table without a name; it says nothing (L6). */
  private static final String DEFAULT_PATH = "default.default.default";

  private static final Text[] NO_PATHS = {};

  private final long jobId;
  private final GraphLimits limits;

  private int nodeCount;
  private int edgeCount;
  private int pathCount;
  private @Nullable Inconsistency refusal;
  private @Nullable Excess excess;
  private @Nullable Inconsistency fault;

  private long[] ids = new long[16];
  private final List<Node> nodes = new ArrayList<>();
  private int[] edgePipelines = new int[16];
  private long[] edgeSources = new long[16];
  private long[] edgeTargets = new long[16];
  private int keptEdges;

  private @Nullable Text pendingName;
  private final List<Text> pendingPaths = new ArrayList<>();
  private boolean pendingOmitted;

  /** What has been kept of one node; its id stands beside it in {@link #ids}. */
  private record Node(NodeKind kind, Text name, Text[] paths, boolean incomplete) {}

  /** What became of a graph. */
  public sealed interface Built {
    /** It passed every check. */
    record Checked(JobGraph graph) implements Built {}

    /** It passed a limit: 413. */
    record TooLarge(Excess reason) implements Built {}

    /** It is missing something or contradicts itself: 409. */
    record Inconsistent(Inconsistency reason) implements Built {}
  }

  public JobGraphBuilder(long jobId, GraphLimits limits) {
    this.jobId = jobId;
    this.limits = limits;
  }

  /** Notes a fault that goes before everything else, limits included: a shape, another job's id. */
  public void refuse(Inconsistency reason) {
    if (refusal == null) {
      refusal = reason;
    }
  }

  /** Notes a topology fault; the first one counts. */
  public void fault(Inconsistency reason) {
    if (fault == null) {
      fault = reason;
    }
  }

  /** Notes that a limit was passed; the first one counts. What was kept so far is let go. */
  public void exceed(Excess reason) {
    if (excess == null) {
      excess = reason;
      nodes.clear();
      pendingPaths.clear();
      ids = new long[0];
      edgePipelines = new int[0];
      edgeSources = new long[0];
      edgeTargets = new long[0];
    }
  }

  /** Counts a node, whether or not it will turn out to be usable. */
  public void beginNode() {
    if (nodeCount++ == limits.nodes()) {
      exceed(Excess.NODES);
    }
    pendingName = null;
    pendingPaths.clear();
    pendingOmitted = false;
  }

  /** The display label of the node begun; null is a fault, an empty one is not (L11). */
  public void name(@Nullable String name) {
    if (name == null) {
      fault(Inconsistency.MISSING_NAME);
    } else {
      pendingName = checked(name);
    }
  }

  /** One reported path entry of the node begun, null entries included. */
  public void path(@Nullable String path) {
    if (pathCount++ == limits.paths()) {
      exceed(Excess.PATHS);
    }
    Text text = path == null ? null : checked(path);
    if (text == null || path == null || path.isEmpty() || path.equals(DEFAULT_PATH)) {
      pendingOmitted = true;
    } else if (excess == null) {
      pendingPaths.add(text);
    }
  }

  /** Keeps the node begun. A missing name, kind or id has to be noted as a fault instead. */
  public void endNode(long id, NodeKind kind) {
    Text name = pendingName;
    if (name == null) {
      fault(Inconsistency.MISSING_NAME);
      return;
    }
    if (excess != null) {
      return;
    }
    int index = nodes.size();
    if (index == ids.length) {
      ids = Arrays.copyOf(ids, Math.max(16, index * 2));
    }
    ids[index] = id;
    Text[] paths = kind == NodeKind.TRANSFORM ? NO_PATHS : distinctPaths();
    boolean incomplete = kind != NodeKind.TRANSFORM && (paths.length == 0 || pendingOmitted);
    nodes.add(new Node(kind, name, paths, incomplete));
  }

  private Text[] distinctPaths() {
    int count = pendingPaths.size();
    if (count == 0) {
      return NO_PATHS;
    }
    Text[] sorted = pendingPaths.toArray(NO_PATHS);
    Arrays.sort(sorted);
    int kept = 1;
    for (int i = 1; i < count; i++) {
      if (!sorted[i].equals(sorted[kept - 1])) {
        sorted[kept++] = sorted[i];
      }
    }
    return kept == count ? sorted : Arrays.copyOf(sorted, kept);
  }

  private @Nullable Text checked(String value) {
    Text text = Text.of(value);
    if (text.utf8Length() > limits.stringBytes()) {
      exceed(Excess.STRING_BYTES);
      return null;
    }
    if (!text.wellFormed()) {
      fault(Inconsistency.ILL_FORMED_TEXT);
    }
    return text;
  }

  /** Counts an edge, whether or not it will turn out to be usable. */
  public void beginEdge() {
    if (edgeCount++ == limits.edges()) {
      exceed(Excess.EDGES);
    }
  }

  /** Keeps the edge begun. A missing end has to be noted as a fault instead. */
  public void edge(int pipelineId, long sourceId, long targetId) {
    if (sourceId == targetId) {
      fault(Inconsistency.SELF_LOOP);
    }
    if (excess != null) {
      return;
    }
    if (keptEdges == edgeSources.length) {
      int larger = Math.max(16, keptEdges * 2);
      edgePipelines = Arrays.copyOf(edgePipelines, larger);
      edgeSources = Arrays.copyOf(edgeSources, larger);
      edgeTargets = Arrays.copyOf(edgeTargets, larger);
    }
    edgePipelines[keptEdges] = pipelineId;
    edgeSources[keptEdges] = sourceId;
    edgeTargets[keptEdges++] = targetId;
  }

  /** Ends the graph: checks what can only be seen as a whole, and puts it in order. */
  public Built build() {
    if (refusal != null) {
      return new Built.Inconsistent(refusal);
    }
    if (excess != null) {
      return new Built.TooLarge(excess);
    }
    if (nodeCount == 0) {
      fault(Inconsistency.NO_NODES);
    }
    JobGraph graph = fault == null ? order() : null;
    if (fault != null || graph == null) {
      return new Built.Inconsistent(fault == null ? Inconsistency.MISSING_GRAPH : fault);
    }
    return new Built.Checked(graph);
  }

  private @Nullable JobGraph order() {
    int count = nodes.size();
    long[] sorted = Arrays.copyOf(ids, count);
    Arrays.sort(sorted);
    for (int i = 1; i < count; i++) {
      if (sorted[i] == sorted[i - 1]) {
        fault(Inconsistency.DUPLICATE_NODE);
        return null;
      }
    }
    NodeKind[] kinds = new NodeKind[count];
    Text[] names = new Text[count];
    Text[][] paths = new Text[count][];
    boolean[] incomplete = new boolean[count];
    for (int i = 0; i < count; i++) {
      int rank = SortedIds.rank(sorted, ids[i]);
      Node node = nodes.get(i);
      kinds[rank] = node.kind();
      names[rank] = node.name();
      paths[rank] = node.paths();
      incomplete[rank] = node.incomplete();
    }
    int[] pipelines = distinctPipelines();
    long[] edges = packedEdges(sorted, pipelines);
    if (edges == null) {
      fault(Inconsistency.DANGLING_EDGE);
      return null;
    }
    JobGraph graph = new JobGraph(jobId, sorted, kinds, names, paths, incomplete, pipelines, edges);
    if (Cycles.hasCycle(graph)) {
      fault(Inconsistency.CYCLE);
      return null;
    }
    return graph;
  }

  private int[] distinctPipelines() {
    // Edges come pipeline by pipeline, so skipping repeats leaves next to nothing to sort.
    int[] seen = new int[16];
    int count = 0;
    for (int i = 0; i < keptEdges; i++) {
      if (count == 0 || edgePipelines[i] != seen[count - 1]) {
        if (count == seen.length) {
          seen = Arrays.copyOf(seen, count * 2);
        }
        seen[count++] = edgePipelines[i];
      }
    }
    return Arrays.stream(seen, 0, count).sorted().distinct().toArray();
  }

  private long @Nullable [] packedEdges(long[] sortedIds, int[] pipelines) {
    int rankBits = JobGraph.rankBits(sortedIds.length);
    long[] packed = new long[keptEdges];
    int pipelineRank = 0;
    for (int i = 0; i < keptEdges; i++) {
      int source = SortedIds.rank(sortedIds, edgeSources[i]);
      int target = SortedIds.rank(sortedIds, edgeTargets[i]);
      if (source < 0 || target < 0) {
        return null;
      }
      if (pipelines[pipelineRank] != edgePipelines[i]) {
        pipelineRank = Arrays.binarySearch(pipelines, edgePipelines[i]);
      }
      packed[i] = JobGraph.pack(pipelineRank, source, target, rankBits);
    }
    packed = RadixSort.sort(packed, JobGraph.keyBits(pipelines.length, rankBits));
    int kept = 0;
    for (int i = 0; i < packed.length; i++) {
      if (i == 0 || packed[i] != packed[i - 1]) {
        packed[kept++] = packed[i];
      }
    }
    return kept == packed.length ? packed : Arrays.copyOf(packed, kept);
  }
}
