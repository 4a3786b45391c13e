package io.headgate.upstream.zeta;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.Lookup;
import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import io.headgate.graph.Unavailability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Reads bodies as the source does, and a second time by way of a tree, for comparison. */
final class Reading {
  static final int MAX_BYTES = 64 * 1024 * 1024;

  static final Lookup UNREADABLE = new Lookup.Unavailable(Unavailability.UPSTREAM_BODY);

  private static final ObjectMapper TREES = new ObjectMapper();

  private Reading() {}

  /** What {@code body} says about job 7, read in one piece under the default limits. */
  static Lookup read(String body) {
    return read(body.getBytes(StandardCharsets.UTF_8), 7);
  }

  static Lookup read(byte[] body, long jobId) {
    return read(body, jobId, Integer.MAX_VALUE, GraphLimits.DEFAULT);
  }

  /** The same, coming in pieces of {@code chunk} bytes. */
  static Lookup read(byte[] body, long jobId, int chunk, GraphLimits limits) {
    return new JobInfoParser(limits).parse(sliced(body, chunk, MAX_BYTES), jobId);
  }

  static JobInfoSlicer sliced(byte[] body, int chunk, int maxBytes) {
    JobInfoSlicer slicer = new JobInfoSlicer(maxBytes);
    for (int at = 0; at < body.length; at += Math.min(chunk, body.length - at)) {
      slicer.feed(Arrays.copyOfRange(body, at, at + Math.min(chunk, body.length - at)));
    }
    return slicer;
  }

  /** The response for a body that must have a graph. */
  static String json(Lookup lookup) {
    if (lookup instanceof Lookup.Found found) {
      return ReportedGraph.json(found.graph());
    }
    throw new AssertionError("expected a graph, but got " + lookup);
  }

  /** The graph in {@code body}, shape A, M or S, read the plain way. Only for consistent ones. */
  static ReportedGraph throughTree(byte[] body) throws IOException {
    JsonNode job = TREES.readTree(body);
    JsonNode dag = job.get("jobDag");
    if (dag.isTextual()) {
      dag = TREES.readTree(dag.textValue());
    }
    List<ReportedGraph.Node> nodes = new ArrayList<>();
    for (JsonNode vertex : dag.get("vertexInfoMap")) {
      List<String> paths = null;
      if (vertex.hasNonNull("tablePaths")) {
        paths = new ArrayList<>();
        for (JsonNode path : vertex.get("tablePaths")) {
          paths.add(path.textValue());
        }
      }
      nodes.add(
          new ReportedGraph.Node(
              vertex.get("vertexId").asLong(),
              NodeKind.valueOf(vertex.get("type").textValue().toUpperCase(Locale.ROOT)),
              vertex.get(vertex.has("vertexName") ? "vertexName" : "connectorType").textValue(),
              paths));
    }
    List<ReportedGraph.Edge> edges = new ArrayList<>();
    dag.get("pipelineEdges")
        .fields()
        .forEachRemaining(
            pipeline -> {
              for (JsonNode edge : pipeline.getValue()) {
                edges.add(
                    new ReportedGraph.Edge(
                        Integer.parseInt(pipeline.getKey()),
                        edge.get("inputVertexId").asLong(),
                        edge.get("targetVertexId").asLong()));
              }
            });
    return new ReportedGraph(job.get("jobId").asLong(), nodes, edges);
  }

  static JsonNode tree(byte[] body) throws IOException {
    return TREES.readTree(body);
  }
}
