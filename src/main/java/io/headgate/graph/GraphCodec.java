package io.headgate.graph;

import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import io.headgate.wire.UnreadableBytesException;

/**
 * A checked graph as compact bytes, for a store to keep.
 *
 * <pre>{@code
 * graph:    version, job id, nodes, node*, pipelines, pipeline*
 * node:     id - id before, kind and whether paths were left out, name, paths, path*
 * pipeline: id - id before, edges, (source - source before, target - source)*
 * }</pre>
 *
 * <p>The ends of an edge are places in the list of nodes. A decoded graph is built and checked like
 * a reported one, and gives the very same response as the one that was encoded. New fields may be
 * appended to the whole without another version; who does not know them passes over them. Safe on
 * any thread; takes time, so it belongs on a worker.
 */
public final class GraphCodec {
  private static final int VERSION = 1;

  private static final int KIND_BITS = 2;
  private static final int KIND_MASK = (1 << KIND_BITS) - 1;
  private static final int LEFT_OUT = 1 << KIND_BITS;
  private static final NodeKind[] KINDS = NodeKind.values();

  /** The fewest bytes of a node: id, kind, length of the name, number of paths. */
  private static final int NODE_BYTES = 4;

  private static final int PIPELINE_BYTES = 2;
  private static final int EDGE_BYTES = 2;

  private GraphCodec() {}

  /**
   * Encodes {@code graph}.
   *
   * @param cap the most bytes it may take
   * @throws io.headgate.wire.CapExceededException if it would take more
   */
  public static byte[] encode(JobGraph graph, int cap) {
    PackedWriter out = new PackedWriter(32 * graph.nodeCount() + 3 * graph.edgeCount() + 16, cap);
    out.octet(VERSION);
    out.number(graph.jobId());
    writeNodes(graph, out);
    writeEdges(graph, out);
    return out.toByteArray();
  }

  private static void writeNodes(JobGraph graph, PackedWriter out) {
    out.number(graph.nodeCount());
    long last = 0;
    for (int rank = 0; rank < graph.nodeCount(); rank++) {
      out.signed(graph.nodeId(rank) - last);
      last = graph.nodeId(rank);
      String[] paths = graph.pathArray(rank);
      boolean leftOut = graph.datasetMetadataMissing(rank) && paths.length > 0;
      out.octet(graph.kind(rank).ordinal() | (leftOut ? LEFT_OUT : 0));
      out.text(graph.name(rank));
      out.number(paths.length);
      for (String path : paths) {
        out.text(path);
      }
    }
  }

  private static void writeEdges(JobGraph graph, PackedWriter out) {
    int pipelines = 0;
    for (int i = 0; i < graph.edgeCount(); i = pipelineEnd(graph, i)) {
      pipelines++;
    }
    out.number(pipelines);
    long lastPipeline = 0;
    for (int i = 0; i < graph.edgeCount(); ) {
      int end = pipelineEnd(graph, i);
      out.signed(graph.edgePipeline(i) - lastPipeline);
      lastPipeline = graph.edgePipeline(i);
      out.number(end - i);
      int lastSource = 0;
      for (; i < end; i++) {
        int source = graph.edgeSource(i);
        out.signed(source - lastSource);
        out.signed(graph.edgeTarget(i) - source);
        lastSource = source;
      }
    }
  }

  private static int pipelineEnd(JobGraph graph, int from) {
    int end = from;
    while (end < graph.edgeCount() && graph.edgePipeline(end) == graph.edgePipeline(from)) {
      end++;
    }
    return end;
  }

  /**
   * Decodes what {@link #encode} has written, under limits that may be others than those it was
   * published under. Throws nothing, whatever the bytes are, and allocates no more than a small
   * multiple of them.
   *
   * @return {@link Inconsistency#UNREADABLE_GRAPH} for bytes of another kind or of a newer version
   */
  public static JobGraphBuilder.Built decode(byte[] bytes, GraphLimits limits) {
    try {
      PackedReader in = new PackedReader(bytes);
      if (in.octet() == VERSION) {
        JobGraphBuilder builder = new JobGraphBuilder(in.number(), limits);
        long[] ids = readNodes(in, builder);
        readEdges(in, ids, builder);
        return builder.build();
      }
    } catch (UnreadableBytesException e) {
      // Said below.
    }
    return new JobGraphBuilder.Built.Inconsistent(Inconsistency.UNREADABLE_GRAPH);
  }

  private static long[] readNodes(PackedReader in, JobGraphBuilder builder) {
    long[] ids = new long[in.count(NODE_BYTES)];
    long last = 0;
    for (int rank = 0; rank < ids.length; rank++) {
      builder.beginNode();
      last += in.signed();
      ids[rank] = last;
      int header = in.octet();
      builder.name(in.text());
      for (int paths = in.count(1); paths > 0; paths--) {
        builder.path(in.text());
      }
      if ((header & LEFT_OUT) != 0) {
        builder.path(null);
      }
      int kind = header & KIND_MASK;
      if (kind < KINDS.length) {
        builder.endNode(last, KINDS[kind]);
      } else {
        builder.fault(Inconsistency.UNKNOWN_KIND);
      }
    }
    return ids;
  }

  private static void readEdges(PackedReader in, long[] ids, JobGraphBuilder builder) {
    long pipeline = 0;
    for (int pipelines = in.count(PIPELINE_BYTES); pipelines > 0; pipelines--) {
      pipeline += in.signed();
      if (pipeline != (int) pipeline) {
        builder.fault(Inconsistency.MALFORMED_PIPELINE);
      }
      long source = 0;
      for (int edges = in.count(EDGE_BYTES); edges > 0; edges--) {
        source += in.signed();
        long target = source + in.signed();
        builder.beginEdge();
        if (isPlace(source, ids) && isPlace(target, ids)) {
          builder.edge((int) pipeline, ids[(int) source], ids[(int) target]);
        } else {
          builder.fault(Inconsistency.DANGLING_EDGE);
        }
      }
    }
  }

  private static boolean isPlace(long place, long[] ids) {
    return place >= 0 && place < ids.length;
  }
}
