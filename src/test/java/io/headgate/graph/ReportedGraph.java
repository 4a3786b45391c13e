package io.headgate.graph;

import io.headgate.wire.CappedBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A graph as a source might report it, in the order in which it is reported: plain data that tests
 * write down, shuffle and feed into a {@link JobGraphBuilder}. The {@code with…} methods return a
 * longer report; nothing is ever changed in place.
 */
public record ReportedGraph(long jobId, List<Node> nodes, List<Edge> edges) {
  /** One reported stage; {@code paths} is null where the source has no list at all. */
  public record Node(
      long id, NodeKind kind, @Nullable String name, @Nullable List<@Nullable String> paths) {}

  /** One reported edge. */
  public record Edge(int pipelineId, long sourceId, long targetId) {}

  /** An empty report about job 7. */
  public static ReportedGraph empty() {
    return of(7);
  }

  /** An empty report about {@code jobId}. */
  public static ReportedGraph of(long jobId) {
    return new ReportedGraph(jobId, List.of(), List.of());
  }

  /** A chain of {@code length} nodes with ids from 1 up, in one pipeline. */
  public static ReportedGraph chain(int length) {
    List<Node> nodes = new ArrayList<>(length);
    List<Edge> edges = new ArrayList<>(length);
    for (int id = 1; id <= length; id++) {
      NodeKind kind = id == 1 ? NodeKind.SOURCE : id == length ? NodeKind.SINK : NodeKind.TRANSFORM;
      nodes.add(new Node(id, kind, "n" + id, List.of()));
      if (id > 1) {
        edges.add(new Edge(1, id - 1, id));
      }
    }
    return new ReportedGraph(7, nodes, edges);
  }

  public ReportedGraph withSource(long id, @Nullable String... paths) {
    return with(new Node(id, NodeKind.SOURCE, "in " + id, Arrays.asList(paths)));
  }

  public ReportedGraph withTransform(long id, @Nullable String... paths) {
    return with(new Node(id, NodeKind.TRANSFORM, "via " + id, Arrays.asList(paths)));
  }

  public ReportedGraph withSink(long id, @Nullable String... paths) {
    return with(new Node(id, NodeKind.SINK, "out " + id, Arrays.asList(paths)));
  }

  public ReportedGraph with(Node node) {
    List<Node> longer = new ArrayList<>(nodes);
    longer.add(node);
    return new ReportedGraph(jobId, longer, edges);
  }

  public ReportedGraph withEdge(int pipelineId, long sourceId, long targetId) {
    List<Edge> longer = new ArrayList<>(edges);
    longer.add(new Edge(pipelineId, sourceId, targetId));
    return new ReportedGraph(jobId, nodes, longer);
  }

  /** The same report with its nodes, edges and path entries in another order. */
  public ReportedGraph shuffled(long seed) {
    Random random = new Random(seed);
    List<Node> otherNodes = new ArrayList<>();
    for (Node node : nodes) {
      List<@Nullable String> paths = node.paths();
      if (paths != null) {
        paths = new ArrayList<>(paths);
        Collections.shuffle(paths, random);
      }
      otherNodes.add(new Node(node.id(), node.kind(), node.name(), paths));
    }
    Collections.shuffle(otherNodes, random);
    List<Edge> otherEdges = new ArrayList<>(edges);
    Collections.shuffle(otherEdges, random);
    return new ReportedGraph(jobId, otherNodes, otherEdges);
  }

  /** Feeds the whole report into {@code builder}. */
  public void feed(JobGraphBuilder builder) {
    for (Node node : nodes) {
      builder.beginNode();
      builder.name(node.name());
      List<@Nullable String> paths = node.paths();
      if (paths != null) {
        paths.forEach(builder::path);
      }
      builder.endNode(node.id(), node.kind());
    }
    for (Edge edge : edges) {
      builder.beginEdge();
      builder.edge(edge.pipelineId(), edge.sourceId(), edge.targetId());
    }
  }

  /** What a builder makes of the report. */
  public JobGraphBuilder.Built build(GraphLimits limits) {
    JobGraphBuilder builder = new JobGraphBuilder(jobId, limits);
    feed(builder);
    return builder.build();
  }

  /** The same under limits that no test of rules comes near. */
  public JobGraphBuilder.Built build() {
    return build(
        new GraphLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 1 << 20, 1 << 30));
  }

  /** The checked graph; a failure if there is none. */
  public JobGraph checked() {
    JobGraphBuilder.Built built = build();
    if (built instanceof JobGraphBuilder.Built.Checked checked) {
      return checked.graph();
    }
    throw new AssertionError("expected a checked graph, but got " + built + " for " + this);
  }

  /** The response of the checked graph. */
  public String json() {
    return json(checked());
  }

  /** The response of {@code graph}. */
  public static String json(JobGraph graph) {
    CappedBuffer out = GraphWriter.write(graph, 1 << 28);
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }
}
