package io.headgate.upstream.zeta;

import io.headgate.graph.Excess;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.NodeKind;
import io.headgate.wire.Decimal;
import io.headgate.wire.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads one {@code jobDag} object, shape A or M (L26), value by value into a builder; shape L is
 * recognised and refused (L27). One object, one worker thread.
 *
 * <pre>{@code
 * A: {"jobId":"7","pipelineEdges":{"1":[{"inputVertexId":"1","targetVertexId":"2"}]},
 *     "vertexInfoMap":[{"vertexId":1,"type":"source","vertexName":"…","tablePaths":["…"]}]}
 * M: {"jobId":7,"pipelineEdges":{"1":[{"inputVertexId":1,"targetVertexId":2}]},
 *     "vertexInfoMap":{"1":{"vertexId":1,"type":"SOURCE","connectorType":"…"}}}
 * L: {"vertices":[…],"edges":[…]}
 * }</pre>
 */
final class JobDagReader {
  /** Well past the hard ceiling for one name or path; hitting it is 413 whatever the limit is. */
  private static final int MAX_STRING_BYTES = 1024 * 1024;

  private static final byte[][] DAG_MEMBERS =
      names("jobId", "vertexInfoMap", "pipelineEdges", "vertices", "edges");
  private static final byte[][] NODE_MEMBERS =
      names("vertexId", "type", "vertexName", "connectorType", "tablePaths");
  private static final byte[][] EDGE_MEMBERS = names("inputVertexId", "targetVertexId");

  private static final int SEEN_ID = 1;
  private static final int SEEN_KIND = 2;
  private static final int SEEN_NAME = 4;
  private static final int SEEN_PATHS = 8;

  private static final int SEEN_JOB = 1;
  private static final int SEEN_NODES = 2;
  private static final int SEEN_EDGES = 4;
  private static final int SEEN_LEGACY = 8;

  private static final int SEEN_SOURCE = 1;
  private static final int SEEN_TARGET = 2;

  private final JsonCursor json;
  private final long jobId;
  private final JobGraphBuilder builder;

  /**
   * @param json stands before the object
   */
  JobDagReader(JsonCursor json, long jobId, JobGraphBuilder builder) {
    this.json = json;
    this.jobId = jobId;
    this.builder = builder;
  }

  private static byte[][] names(String... names) {
    return Stream.of(names)
        .map(name -> name.getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }

  /** Reads the whole object. */
  void read() {
    int seen = 0;
    json.enter();
    for (int m; (m = json.nextMember(DAG_MEMBERS)) != JsonCursor.END; ) {
      switch (m) {
        case 0 -> {
          seen = once(seen, SEEN_JOB);
          if (!json.readInteger() || json.integer() != jobId) {
            builder.refuse(Inconsistency.OTHER_JOB);
          }
        }
        case 1 -> {
          seen = once(seen, SEEN_NODES);
          readNodes();
        }
        case 2 -> {
          seen = once(seen, SEEN_EDGES);
          readPipelines();
        }
        case 3, 4 -> {
          seen |= SEEN_LEGACY;
          json.skip();
        }
        default -> json.skip();
      }
    }
    if ((seen & (SEEN_NODES | SEEN_EDGES | SEEN_LEGACY)) == SEEN_LEGACY) {
      builder.refuse(Inconsistency.LEGACY_SHAPE);
    }
    if ((seen & SEEN_NODES) == 0) {
      builder.fault(Inconsistency.MISSING_NODES);
    }
    if ((seen & SEEN_EDGES) == 0) {
      builder.fault(Inconsistency.MISSING_EDGES);
    }
    if ((seen & SEEN_JOB) == 0) {
      builder.fault(Inconsistency.OTHER_JOB);
    }
  }

  private void readNodes() {
    switch (json.peek()) {
      case '[' -> {
        json.enter();
        while (json.nextElement()) {
          readNode(null);
        }
      }
      case '{' -> {
        json.enter();
        for (String key; (key = json.nextKey()) != null; ) {
          readNode(key);
        }
      }
      default -> {
        builder.fault(Inconsistency.MISSING_NODES);
        json.skip();
      }
    }
  }

  /** Reads one vertex; {@code key} is its key where the collection is a map (L10). */
  private void readNode(@Nullable String key) {
    builder.beginNode();
    if (json.peek() != '{') {
      builder.fault(Inconsistency.MALFORMED_NODE);
      json.skip();
      return;
    }
    int seen = 0;
    long id = 0;
    boolean idUsable = false;
    NodeKind kind = null;
    json.enter();
    for (int m; (m = json.nextMember(NODE_MEMBERS)) != JsonCursor.END; ) {
      switch (m) {
        case 0 -> {
          seen = once(seen, SEEN_ID);
          idUsable = json.readInteger();
          id = idUsable ? json.integer() : 0;
        }
        case 1 -> {
          seen = once(seen, SEEN_KIND);
          kind = NodeKind.of(readText());
        }
        case 2, 3 -> {
          seen = once(seen, SEEN_NAME);
          builder.name(readText());
        }
        case 4 -> {
          seen = once(seen, SEEN_PATHS);
          readPaths();
        }
        default -> json.skip();
      }
    }
    if ((seen & SEEN_NAME) == 0) {
      builder.fault(Inconsistency.MISSING_NAME);
    }
    if (!idUsable) {
      builder.fault(Inconsistency.MALFORMED_ID);
    } else if (key != null && !key.equals(Long.toString(id))) {
      builder.fault(Inconsistency.KEY_MISMATCH);
    }
    if (kind == null) {
      builder.fault(Inconsistency.UNKNOWN_KIND);
    } else if (idUsable) {
      builder.endNode(id, kind);
    }
  }

  private void readPaths() {
    byte first = json.peek();
    if (first != '[') {
      if (first != 'n') {
        builder.fault(Inconsistency.MALFORMED_PATH);
      }
      json.skip();
      return;
    }
    json.enter();
    while (json.nextElement()) {
      byte entry = json.peek();
      if (entry != '"' && entry != 'n') {
        builder.fault(Inconsistency.MALFORMED_PATH);
      }
      builder.path(readText());
    }
  }

  /** The string that comes next, or null if it is no string. */
  private @Nullable String readText() {
    if (!json.readString()) {
      return null;
    }
    if (json.stringBytes() > MAX_STRING_BYTES) {
      builder.exceed(Excess.PARSER_BOUND);
      return null;
    }
    return json.string();
  }

  private void readPipelines() {
    if (json.peek() != '{') {
      builder.fault(Inconsistency.MISSING_EDGES);
      json.skip();
      return;
    }
    int[] pipelines = new int[16];
    int count = 0;
    json.enter();
    for (String key; (key = json.nextKey()) != null; ) {
      int pipelineId = 0;
      boolean usable = Decimal.isCanonical(key);
      if (usable) {
        long number = Long.parseLong(key);
        pipelineId = (int) number;
        usable = pipelineId == number;
      }
      if (json.peek() != '[' || !usable) {
        builder.fault(Inconsistency.MALFORMED_PIPELINE);
      }
      if (json.peek() != '[') {
        json.skip();
        continue;
      }
      if (count == pipelines.length) {
        pipelines = Arrays.copyOf(pipelines, count * 2);
      }
      pipelines[count++] = pipelineId;
      json.enter();
      while (json.nextElement()) {
        readEdge(pipelineId);
      }
    }
    Arrays.sort(pipelines, 0, count);
    for (int i = 1; i < count; i++) {
      if (pipelines[i] == pipelines[i - 1]) {
        builder.fault(Inconsistency.DUPLICATE_MEMBER);
      }
    }
  }

  private void readEdge(int pipelineId) {
    builder.beginEdge();
    if (json.peek() != '{') {
      builder.fault(Inconsistency.MALFORMED_EDGE);
      json.skip();
      return;
    }
    int seen = 0;
    int usable = 0;
    long source = 0;
    long target = 0;
    json.enter();
    for (int m; (m = json.nextMember(EDGE_MEMBERS)) != JsonCursor.END; ) {
      if (m == JsonCursor.OTHER) {
        json.skip();
        continue;
      }
      int end = m == 0 ? SEEN_SOURCE : SEEN_TARGET;
      seen = once(seen, end);
      if (!json.readInteger()) {
        continue;
      }
      usable |= end;
      if (m == 0) {
        source = json.integer();
      } else {
        target = json.integer();
      }
    }
    if (usable == (SEEN_SOURCE | SEEN_TARGET)) {
      builder.edge(pipelineId, source, target);
    } else {
      builder.fault(Inconsistency.MALFORMED_EDGE);
    }
  }

  private int once(int seen, int bit) {
    if ((seen & bit) != 0) {
      builder.fault(Inconsistency.DUPLICATE_MEMBER);
    }
    return seen | bit;
  }
}
