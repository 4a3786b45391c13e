package io.headgate.graph;

import io.headgate.wire.CappedBuffer;
import io.headgate.wire.Decimal;
import io.headgate.wire.JsonText;
import java.nio.charset.StandardCharsets;

/**
 * Writes a graph as the JSON object of the lineage response (L2), byte by byte into a capped
 * buffer.
 *
 * <pre>{@code
 * {"schemaVersion":1,"jobId":"…","graphKind":"EXECUTION","idScope":"JOB",
 *  "nodes":[{"id":"1","kind":"SOURCE","name":"…","tablePaths":["…"],"datasetMetadata":"REPORTED"}],
 *  "edges":[{"pipelineId":1,"sourceNodeId":"1","targetNodeId":"2"}],
 *  "warnings":[{"code":"DATASET_METADATA_UNAVAILABLE","nodeId":"1"}]}
 * }</pre>
 *
 * (without the white space). Runs on a worker thread and holds no state between calls; one graph
 * always gives the same bytes. It is written out here instead of through a generator because it
 * runs on every fresh answer and is several times faster; {@code docs/benchmarks.md} has the
 * figures.
 */
public final class GraphWriter {
  private static final byte[] BEGIN = ascii("{\"schemaVersion\":1,\"jobId\":\"");
  private static final byte[] NODES =
      ascii("\",\"graphKind\":\"EXECUTION\",\"idScope\":\"JOB\",\"nodes\":[");
  private static final byte[] NODE_ID = ascii("{\"id\":\"");
  private static final byte[] SOURCE_NAME = ascii("\",\"kind\":\"SOURCE\",\"name\":");
  private static final byte[] TRANSFORM_NAME = ascii("\",\"kind\":\"TRANSFORM\",\"name\":");
  private static final byte[] SINK_NAME = ascii("\",\"kind\":\"SINK\",\"name\":");
  private static final byte[] PATHS = ascii(",\"tablePaths\":[");
  private static final byte[] REPORTED = ascii("],\"datasetMetadata\":\"REPORTED\"}");
  private static final byte[] UNAVAILABLE = ascii("],\"datasetMetadata\":\"UNAVAILABLE\"}");
  private static final byte[] NOT_APPLICABLE = ascii("],\"datasetMetadata\":\"NOT_APPLICABLE\"}");
  private static final byte[] EDGES = ascii("],\"edges\":[");
  private static final byte[] PIPELINE = ascii("{\"pipelineId\":");
  private static final byte[] SOURCE_ID = ascii(",\"sourceNodeId\":\"");
  private static final byte[] TARGET_ID = ascii("\",\"targetNodeId\":\"");
  private static final byte[] END_EDGE = ascii("\"}");
  private static final byte[] WARNINGS = ascii("],\"warnings\":[");
  private static final byte[] WARNING =
      ascii("{\"code\":\"DATASET_METADATA_UNAVAILABLE\",\"nodeId\":\"");
  private static final byte[] END_WARNING = ascii("\"}");
  private static final byte[] END = ascii("]}");

  private GraphWriter() {}

  /**
   * Writes {@code graph}.
   *
   * @param cap the most bytes the response may have
   * @return a buffer holding the complete object
   * @throws io.headgate.wire.CapExceededException if it would be longer than {@code cap}
   */
  public static CappedBuffer write(JobGraph graph, int cap) {
    IdTexts ids = new IdTexts(graph);
    CappedBuffer out = new CappedBuffer(expectedLength(graph, ids), cap);
    out.put(BEGIN);
    out.putDecimal(graph.jobId());
    out.put(NODES);
    writeNodes(graph, ids, out);
    out.put(EDGES);
    writeEdges(graph, ids, out);
    out.put(WARNINGS);
    writeWarnings(graph, ids, out);
    out.put(END);
    return out;
  }

  /** The ids of all nodes in decimal: each is written many times, and most are short. */
  private static final class IdTexts {
    final JobGraph graph;
    final long[] packed;
    final byte[] lengths;

    IdTexts(JobGraph graph) {
      this.graph = graph;
      packed = new long[graph.nodeCount()];
      lengths = new byte[packed.length];
      for (int rank = 0; rank < packed.length; rank++) {
        packed[rank] = Decimal.packed(graph.nodeId(rank));
        lengths[rank] = (byte) Decimal.length(graph.nodeId(rank));
      }
    }

    void put(int rank, CappedBuffer out) {
      if (lengths[rank] <= Long.BYTES) {
        out.putPacked(packed[rank], lengths[rank]);
      } else {
        out.putDecimal(graph.nodeId(rank));
      }
    }
  }

  private static void writeNodes(JobGraph graph, IdTexts ids, CappedBuffer out) {
    for (int rank = 0; rank < graph.nodeCount(); rank++) {
      comma(rank, out);
      out.put(NODE_ID);
      ids.put(rank, out);
      out.put(kindAndName(graph.kind(rank)));
      boolean plain = graph.isPlain(rank);
      JsonText.writeQuoted(graph.name(rank), plain, out);
      out.put(PATHS);
      String[] paths = graph.pathArray(rank);
      for (int i = 0; i < paths.length; i++) {
        comma(i, out);
        JsonText.writeQuoted(paths[i], plain, out);
      }
      out.put(datasetMetadata(graph.kind(rank), paths));
    }
  }

  private static byte[] kindAndName(NodeKind kind) {
    return switch (kind) {
      case SOURCE -> SOURCE_NAME;
      case TRANSFORM -> TRANSFORM_NAME;
      case SINK -> SINK_NAME;
    };
  }

  private static byte[] datasetMetadata(NodeKind kind, String[] paths) {
    if (kind == NodeKind.TRANSFORM) {
      return NOT_APPLICABLE;
    }
    return paths.length > 0 ? REPORTED : UNAVAILABLE;
  }

  private static void writeEdges(JobGraph graph, IdTexts ids, CappedBuffer out) {
    int prefixAt = 0;
    int prefixLength = 0;
    for (int i = 0; i < graph.edgeCount(); i++) {
      comma(i, out);
      if (i > 0
          && graph.edgeSource(i) == graph.edgeSource(i - 1)
          && graph.edgePipeline(i) == graph.edgePipeline(i - 1)) {
        out.repeat(prefixAt, prefixLength);
      } else {
        prefixAt = out.length();
        out.put(PIPELINE);
        out.putDecimal(graph.edgePipeline(i));
        out.put(SOURCE_ID);
        ids.put(graph.edgeSource(i), out);
        out.put(TARGET_ID);
        prefixLength = out.length() - prefixAt;
      }
      ids.put(graph.edgeTarget(i), out);
      out.put(END_EDGE);
    }
  }

  private static void writeWarnings(JobGraph graph, IdTexts ids, CappedBuffer out) {
    int written = 0;
    for (int rank = 0; rank < graph.nodeCount(); rank++) {
      if (graph.datasetMetadataMissing(rank)) {
        comma(written++, out);
        out.put(WARNING);
        ids.put(rank, out);
        out.put(END_WARNING);
      }
    }
  }

  private static void comma(int index, CappedBuffer out) {
    if (index > 0) {
      out.put((byte) ',');
    }
  }

  /** Exact but for escapes and a few commas, so that the buffer is allocated once. */
  private static long expectedLength(JobGraph graph, IdTexts ids) {
    long length = BEGIN.length + 20L + NODES.length + EDGES.length + WARNINGS.length + END.length;
    for (int rank = 0; rank < graph.nodeCount(); rank++) {
      int idLength = ids.lengths[rank];
      NodeKind kind = graph.kind(rank);
      String[] paths = graph.pathArray(rank);
      length += NODE_ID.length + idLength + kindAndName(kind).length + PATHS.length + 3;
      length += graph.textBytes(rank) + 3L * paths.length + datasetMetadata(kind, paths).length;
      if (graph.datasetMetadataMissing(rank)) {
        length += WARNING.length + idLength + END_WARNING.length + 1;
      }
    }
    int edge = PIPELINE.length + SOURCE_ID.length + TARGET_ID.length + END_EDGE.length + 1;
    for (int i = 0; i < graph.edgeCount(); i++) {
      length +=
          edge
              + Decimal.length(graph.edgePipeline(i))
              + ids.lengths[graph.edgeSource(i)]
              + ids.lengths[graph.edgeTarget(i)];
    }
    return length;
  }

  private static byte[] ascii(String piece) {
    return piece.getBytes(StandardCharsets.US_ASCII);
  }
}
