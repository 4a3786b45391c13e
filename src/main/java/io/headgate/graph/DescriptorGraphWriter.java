package io.headgate.graph;

import io.headgate.wire.CappedBuffer;
import io.headgate.wire.JsonText;
import java.nio.charset.StandardCharsets;

/**
 * Writes the graph of a bundle descriptor as the JSON object of its lineage answer (F4), under the
 * rules of {@link GraphWriter}: one order, no white space, the fewest escapes, a cap.
 *
 * <pre>{@code
 * {"schemaVersion":1,"descriptorId":"…","graphKind":"PROCESS_BUNDLE","idScope":"DESCRIPTOR",
 *  "nodes":[{"id":"…","kind":"SOURCE","name":"…","urn":"…"}],
 *  "edges":[{"sourceNodeId":"…","output":"…","targetNodeId":"…","input":"…","sideInput":false}],
 *  "warnings":[{"code":"SIDE_INPUT_UNRESOLVED","nodeId":"…","input":"…"}]}
 * }</pre>
 */
public final class DescriptorGraphWriter {
  private static final int NODE_HINT = 96;
  private static final int EDGE_HINT = 128;

  private final CappedBuffer out;

  private DescriptorGraphWriter(CappedBuffer out) {
    this.out = out;
  }

  /**
   * Writes {@code graph}.
   *
   * @param cap the most bytes the answer may have
   * @return a buffer holding the complete object
   * @throws io.headgate.wire.CapExceededException if it would be longer than {@code cap}
   */
  public static CappedBuffer write(DescriptorGraph graph, int cap) {
    long hint = 256L + (long) NODE_HINT * graph.nodes().size();
    hint += (long) EDGE_HINT * (graph.edges().size() + graph.warnings().size());
    DescriptorGraphWriter writer = new DescriptorGraphWriter(new CappedBuffer(hint, cap));
    writer.writeAll(graph);
    return writer.out;
  }

  private void writeAll(DescriptorGraph graph) {
    put("{\"schemaVersion\":1,\"descriptorId\":", graph.id());
    put(",\"graphKind\":\"PROCESS_BUNDLE\",\"idScope\":\"DESCRIPTOR\",\"nodes\":[");
    String separator = "";
    for (DescriptorGraph.Node node : graph.nodes()) {
      put(separator + "{\"id\":", node.id());
      put(",\"kind\":\"" + node.kind() + "\",\"name\":", node.name());
      put(",\"urn\":", node.urn());
      put("}");
      separator = ",";
    }
    put("],\"edges\":[");
    separator = "";
    for (DescriptorGraph.Edge edge : graph.edges()) {
      put(separator + "{\"sourceNodeId\":", edge.sourceId());
      put(",\"output\":", edge.output());
      put(",\"targetNodeId\":", edge.targetId());
      put(",\"input\":", edge.input());
      put(edge.sideInput() ? ",\"sideInput\":true}" : ",\"sideInput\":false}");
      separator = ",";
    }
    put("],\"warnings\":[");
    separator = "";
    for (DescriptorGraph.Warning warning : graph.warnings()) {
      put(separator + "{\"code\":\"SIDE_INPUT_UNRESOLVED\",\"nodeId\":", warning.nodeId());
      put(",\"input\":", warning.input());
      put("}");
      separator = ",";
    }
    put("]}");
  }

  private void put(String ascii) {
    out.put(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  private void put(String ascii, String text) {
    put(ascii);
    JsonText.writeQuoted(text, JsonText.isPlain(text), out);
  }
}
