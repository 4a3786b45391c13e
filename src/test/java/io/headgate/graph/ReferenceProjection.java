package io.headgate.graph;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The response of a valid report, written a second time in the plainest way: rules L2 to L7 read
 * off one by one, comparators and a JSON generator. Tests compare it byte by byte with the real
 * writer.
 */
public final class ReferenceProjection {
  private ReferenceProjection() {}

  public static String json(ReportedGraph report) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      write(report, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** Writes the document into any generator. */
  public static void write(ReportedGraph report, JsonGenerator json) throws IOException {
    List<ReportedGraph.Node> nodes =
        report.nodes().stream().sorted(Comparator.comparingLong(ReportedGraph.Node::id)).toList();
    json.writeStartObject();
    json.writeNumberField("schemaVersion", 1);
    json.writeStringField("jobId", Long.toString(report.jobId()));
    json.writeStringField("graphKind", "EXECUTION");
    json.writeStringField("idScope", "JOB");
    json.writeArrayFieldStart("nodes");
    for (ReportedGraph.Node node : nodes) {
      json.writeStartObject();
      json.writeStringField("id", Long.toString(node.id()));
      json.writeStringField("kind", node.kind().name());
      json.writeStringField("name", node.name());
      json.writeArrayFieldStart("tablePaths");
      for (String path : usablePaths(node)) {
        json.writeString(path);
      }
      json.writeEndArray();
      json.writeStringField("datasetMetadata", metadata(node));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("edges");
    List<ReportedGraph.Edge> edges =
        report.edges().stream()
            .distinct()
            .sorted(
                Comparator.comparingInt(ReportedGraph.Edge::pipelineId)
                    .thenComparingLong(ReportedGraph.Edge::sourceId)
                    .thenComparingLong(ReportedGraph.Edge::targetId))
            .toList();
    for (ReportedGraph.Edge edge : edges) {
      json.writeStartObject();
      json.writeNumberField("pipelineId", edge.pipelineId());
      json.writeStringField("sourceNodeId", Long.toString(edge.sourceId()));
      json.writeStringField("targetNodeId", Long.toString(edge.targetId()));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("warnings");
    for (ReportedGraph.Node node : nodes) {
      if (isWarned(node)) {
        json.writeStartObject();
        json.writeStringField("code", "DATASET_METADATA_UNAVAILABLE");
        json.writeStringField("nodeId", Long.toString(node.id()));
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static boolean isUsable(String path) {
    return path != null && !path.isEmpty() && !path.equals("default.default.default");
  }

  private static TreeSet<String> usablePaths(ReportedGraph.Node node) {
    TreeSet<String> usable = new TreeSet<>();
    if (node.kind() != NodeKind.TRANSFORM && node.paths() != null) {
      node.paths().stream().filter(ReferenceProjection::isUsable).forEach(usable::add);
    }
    return usable;
  }

  private static String metadata(ReportedGraph.Node node) {
    if (node.kind() == NodeKind.TRANSFORM) {
      return "NOT_APPLICABLE";
    }
    return usablePaths(node).isEmpty() ? "UNAVAILABLE" : "REPORTED";
  }

  private static boolean isWarned(ReportedGraph.Node node) {
    if (node.kind() == NodeKind.TRANSFORM) {
      return false;
    }
    return usablePaths(node).isEmpty()
        || !node.paths().stream().allMatch(ReferenceProjection::isUsable);
  }
}
