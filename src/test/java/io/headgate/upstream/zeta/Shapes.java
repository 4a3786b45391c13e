package io.headgate.upstream.zeta;

import io.headgate.graph.ReportedGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Writes a report as an engine would, in shape A, M or S (L26). With a {@link Random} it also
 * varies what JSON leaves free: white space between tokens and the spelling of characters.
 */
final class Shapes {
  private final @Nullable Random random;

  private Shapes(@Nullable Random random) {
    this.random = random;
  }

  /** The plain spelling: no white space, no escapes but the necessary ones. */
  static Shapes plain() {
    return new Shapes(null);
  }

  /** Another spelling for every token. */
  static Shapes varied(Random random) {
    return new Shapes(random);
  }

  /**
   * A whole job-info body of an active job around {@code dag}, which is JSON text. The members that
   * identify it are spelled plainly, as every engine does.
   */
  String active(long jobId, String dag) {
    return object(
        "jobId",
        "\"" + jobId + "\"",
        "jobName",
        string("x"),
        "jobStatus",
        "\"RUNNING\"",
        "createTime",
        "\"2026-11-30 09:41:54\"",
        "jobDag",
        dag,
        "metrics",
        object("a", string("1"), "b", array(List.of("1.5e3", "true", "null"))));
  }

  /** Shape A: a list of vertices, numbers as ids, strings as ends of edges, paths. */
  String a(ReportedGraph report) {
    return object(
        "jobId",
        string(Long.toString(report.jobId())),
        "pipelineEdges",
        pipelines(report, true),
        "envOptions",
        object(),
        "vertexInfoMap",
        array(report.nodes().stream().map(this::vertexA).toList()));
  }

  private String vertexA(ReportedGraph.Node node) {
    String kind = string(node.kind().name().toLowerCase(Locale.ROOT));
    if (node.paths() == null) {
      return object(
          "vertexId", Long.toString(node.id()), "type", kind, "vertexName", string(node.name()));
    }
    return object(
        "vertexId",
        Long.toString(node.id()),
        "type",
        kind,
        "vertexName",
        string(node.name()),
        "tablePaths",
        array(node.paths().stream().map(path -> path == null ? "null" : string(path)).toList()));
  }

  /** Shape M: a map of vertices, numbers everywhere, upper-case kinds, no paths. */
  String m(ReportedGraph report) {
    Map<String, String> vertices = new LinkedHashMap<>();
    for (ReportedGraph.Node node : report.nodes()) {
      vertices.put(
          Long.toString(node.id()),
          object(
              "vertexId",
              Long.toString(node.id()),
              "type",
              string(node.kind().name()),
              "connectorType",
              string(node.name())));
    }
    return object(
        "jobId",
        Long.toString(report.jobId()),
        "pipelineEdges",
        pipelines(report, false),
        "vertexInfoMap",
        object(vertices));
  }

  /** Shape S: shape M inside a JSON string. */
  String s(ReportedGraph report) {
    return string(m(report));
  }

  private String pipelines(ReportedGraph report, boolean quoted) {
    Map<String, List<String>> pipelines = new LinkedHashMap<>();
    for (ReportedGraph.Edge edge : report.edges()) {
      String source = Long.toString(edge.sourceId());
      String target = Long.toString(edge.targetId());
      pipelines
          .computeIfAbsent(Integer.toString(edge.pipelineId()), key -> new ArrayList<>())
          .add(
              object(
                  "inputVertexId",
                  quoted ? string(source) : source,
                  "targetVertexId",
                  quoted ? string(target) : target));
    }
    Map<String, String> members = new LinkedHashMap<>();
    pipelines.forEach((key, edges) -> members.put(key, array(edges)));
    return object(members);
  }

  private String object(String... namesAndValues) {
    Map<String, String> members = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      members.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return object(members);
  }

  private String object(Map<String, String> members) {
    StringBuilder json = new StringBuilder("{").append(space());
    String separator = "";
    for (Map.Entry<String, String> member : members.entrySet()) {
      json.append(separator).append(member('"' + member.getKey() + '"', member.getValue()));
      separator = "," + space();
    }
    return json.append('}').append(space()).toString();
  }

  private String member(String key, String value) {
    return key + space() + ":" + space() + value + space();
  }

  private String array(List<String> elements) {
    StringBuilder json = new StringBuilder("[").append(space());
    String separator = "";
    for (String element : elements) {
      json.append(separator).append(element).append(space());
      separator = "," + space();
    }
    return json.append(']').append(space()).toString();
  }

  /** A JSON string with {@code text} as its value. A surrogate pair is escaped whole or not. */
  String string(String text) {
    StringBuilder json = new StringBuilder("\"");
    boolean escaped = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isLowSurrogate(c)) {
        escaped = random != null && random.nextInt(8) == 0;
      }
      int named = "\"\\/\b\f\n\r\t".indexOf(c);
      boolean mustEscape = c < 0x20 || c == '"' || c == '\\';
      if (!mustEscape && !escaped) {
        json.append(c);
      } else if (named >= 0 && (random == null || random.nextBoolean())) {
        json.append('\\').append("\"\\/bfnrt".charAt(named));
      } else {
        boolean upper = random == null || random.nextBoolean();
        json.append("\\u").append(String.format(upper ? "%04X" : "%04x", (int) c));
      }
    }
    return json.append('"').toString();
  }

  private String space() {
    if (random == null || random.nextInt(4) > 0) {
      return "";
    }
    StringBuilder space = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      space.append(" \n\r\t".charAt(random.nextInt(4)));
    }
    return space.toString();
  }
}
