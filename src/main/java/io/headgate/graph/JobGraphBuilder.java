package io.headgate.graph;

import io.headgate.wire.JsonText;
import java.util.Arrays;
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

  private static final String[] NO_PATHS = {};

  private final long jobId;
  private final GraphLimits limits;

  private int nodeCount;
  private int edgeCount;
  private int pathCount;
  private @Nullable Inconsistency refusal;
  private @Nullable Excess excess;
  private @Nullable Inconsistency fault;

  private JobGraph.Node[] nodes = new JobGraph.Node[16];
  private int keptNodes;
  private EdgeList edges = new EdgeList();

  private @Nullable String pendingName;
  private @Nullable String[] pendingPaths = new String[16];
  private int pendingPathCount;
  private boolean pendingOmitted;
  private boolean pendingPlain;

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
      nodes = new JobGraph.Node[0];
      edges = new EdgeList();
      pendingPaths = NO_PATHS;
      pendingPathCount = 0;
    }
  }

  /** Counts a node, whether or not it will turn out to be usable. */
  public void beginNode() {
    if (nodeCount++ == limits.nodes()) {
      exceed(Excess.NODES);
    }
    pendingName = null;
    pendingPathCount = 0;
    pendingOmitted = false;
    pendingPlain = true;
  }

  /** The display label of the node begun; null is a fault, an empty one is not (L11). */
  public void name(@Nullable String name) {
    if (name == null) {
      fault(Inconsistency.MISSING_NAME);
    } else {
      check(name);
      pendingName = name;
    }
  }

  /** One reported path entry of the node begun, null entries included. */
  public void path(@Nullable String path) {
    if (pathCount++ == limits.paths()) {
      exceed(Excess.PATHS);
    }
    if (path != null) {
      check(path);
    }
    if (path == null || path.isEmpty() || path.equals(DEFAULT_PATH)) {
      pendingOmitted = true;
    } else if (excess == null) {
      if (pendingPathCount == pendingPaths.length) {
        pendingPaths = Arrays.copyOf(pendingPaths, 2 * pendingPathCount);
      }
      pendingPaths[pendingPathCount++] = path;
    }
  }

  /** Keeps the node begun. A missing name, kind or id has to be noted as a fault instead. */
  public void endNode(long id, NodeKind kind) {
    String name = pendingName;
    if (name == null) {
      fault(Inconsistency.MISSING_NAME);
      return;
    }
    if (excess != null) {
      return;
    }
    String[] paths = kind == NodeKind.TRANSFORM ? NO_PATHS : distinctPaths();
    boolean incomplete = kind != NodeKind.TRANSFORM && (paths.length == 0 || pendingOmitted);
    if (keptNodes == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * keptNodes);
    }
    nodes[keptNodes++] =
        new JobGraph.Node(id, kind, name, paths, textBytes(name, paths), incomplete, pendingPlain);
  }

  private int textBytes(String name, String[] paths) {
    int bytes = utf8Length(name);
    for (String path : paths) {
      bytes += utf8Length(path);
    }
    return bytes;
  }

  private int utf8Length(String text) {
    return pendingPlain ? text.length() : JsonText.utf8Length(text);
  }

  private String[] distinctPaths() {
    Arrays.sort(pendingPaths, 0, pendingPathCount);
    int kept = 0;
    for (int i = 0; i < pendingPathCount; i++) {
      if (kept == 0 || !pendingPaths[i].equals(pendingPaths[kept - 1])) {
        pendingPaths[kept++] = pendingPaths[i];
      }
    }
    return kept == 0 ? NO_PATHS : Arrays.copyOf(pendingPaths, kept);
  }

  private void check(String text) {
    boolean plain = JsonText.isPlain(text);
    int bytes = plain ? text.length() : JsonText.utf8Length(text);
    if (bytes > limits.stringBytes()) {
      exceed(Excess.STRING_BYTES);
    } else if (!plain) {
      pendingPlain = false;
      if (!JsonText.isWellFormed(text)) {
        fault(Inconsistency.ILL_FORMED_TEXT);
      }
    }
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
    edges.add(pipelineId, sourceId, targetId);
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
    long[] sorted = new long[keptNodes];
    for (int i = 0; i < keptNodes; i++) {
      sorted[i] = nodes[i].id();
    }
    sorted = RadixSort.sortAny(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        fault(Inconsistency.DUPLICATE_NODE);
        return null;
      }
    }
    JobGraph.Node[] ordered = new JobGraph.Node[keptNodes];
    for (int i = 0; i < keptNodes; i++) {
      ordered[SortedIds.rank(sorted, nodes[i].id())] = nodes[i];
    }
    int[] pipelines = edges.distinctPipelines();
    long[] packed = packedEdges(sorted, pipelines);
    if (packed == null) {
      fault(Inconsistency.DANGLING_EDGE);
      return null;
    }
    JobGraph graph = new JobGraph(jobId, sorted, ordered, pipelines, packed);
    if (Cycles.hasCycle(graph)) {
      fault(Inconsistency.CYCLE);
      return null;
    }
    return graph;
  }

  private long @Nullable [] packedEdges(long[] sortedIds, int[] pipelines) {
    int rankBits = JobGraph.rankBits(sortedIds.length);
    long[] packed = new long[edges.size()];
    int next = 0;
    for (int run = 0; run < edges.runs(); run++) {
      int pipelineRank = Arrays.binarySearch(pipelines, edges.runPipeline(run));
      for (; next < edges.runEnd(run); next++) {
        int source = SortedIds.rank(sortedIds, edges.source(next));
        int target = SortedIds.rank(sortedIds, edges.target(next));
        if (source < 0 || target < 0) {
          return null;
        }
        packed[next] = JobGraph.pack(pipelineRank, source, target, rankBits);
      }
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
