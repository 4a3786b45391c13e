package io.headgate.upstream.zeta;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.SerializedString;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.NodeKind;
import io.headgate.wire.Decimal;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one {@code jobDag} object, shape A or M (L26), token by token into a builder; shape L is
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
  // What engines write, in their order; guessing the next name saves making it anew each time.
  private static final SerializedString[] NODE_MEMBERS = {
    new SerializedString("vertexId"),
    new SerializedString("type"),
    new SerializedString("vertexName"),
    new SerializedString("tablePaths")
  };
  private static final SerializedString[] EDGE_MEMBERS = {
    new SerializedString("inputVertexId"), new SerializedString("targetVertexId")
  };

  private static final int SEEN_ID = 1;
  private static final int SEEN_KIND = 2;
  private static final int SEEN_NAME = 4;
  private static final int SEEN_PATHS = 8;

  private static final int SEEN_JOB = 1;
  private static final int SEEN_NODES = 2;
  private static final int SEEN_EDGES = 4;
  private static final int SEEN_LEGACY = 8;

  private final JsonParser json;
  private final long jobId;
  private final JobGraphBuilder builder;

  /** The last id read; only meaningful after {@link #readId} returned true. */
  private long id;

  JobDagReader(JsonParser json, long jobId, JobGraphBuilder builder) {
    this.json = json;
    this.jobId = jobId;
    this.builder = builder;
  }

  /** Reads the object whose first brace is the current token, to its last. */
  void read() throws IOException {
    int seen = 0;
    String member;
    while ((member = json.nextFieldName()) != null) {
      JsonToken value = json.nextToken();
      switch (member) {
        case "jobId" -> {
          seen = once(seen, SEEN_JOB);
          if (!readId(value) || id != jobId) {
            builder.refuse(Inconsistency.OTHER_JOB);
          }
        }
        case "vertexInfoMap" -> {
          seen = once(seen, SEEN_NODES);
          readNodes(value);
        }
        case "pipelineEdges" -> {
          seen = once(seen, SEEN_EDGES);
          readPipelines(value);
        }
        case "vertices", "edges" -> {
          seen |= SEEN_LEGACY;
          json.skipChildren();
        }
        default -> json.skipChildren();
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

  private void readNodes(JsonToken value) throws IOException {
    switch (value) {
      case START_ARRAY -> {
        while (json.nextToken() != JsonToken.END_ARRAY) {
          readNode(null);
        }
      }
      case START_OBJECT -> {
        String key;
        while ((key = json.nextFieldName()) != null) {
          json.nextToken();
          readNode(key);
        }
      }
      default -> builder.fault(Inconsistency.MISSING_NODES);
    }
  }

  /** Reads one vertex; {@code key} is its key where the collection is a map (L10). */
  private void readNode(@Nullable String key) throws IOException {
    builder.beginNode();
    if (json.currentToken() != JsonToken.START_OBJECT) {
      builder.fault(Inconsistency.MALFORMED_NODE);
      json.skipChildren();
      return;
    }
    int seen = 0;
    long nodeId = 0;
    boolean idUsable = false;
    NodeKind kind = null;
    String member;
    for (int i = 0; (member = nextMember(NODE_MEMBERS, i)) != null; i++) {
      JsonToken value = json.nextToken();
      switch (member) {
        case "vertexId" -> {
          seen = once(seen, SEEN_ID);
          idUsable = readId(value);
          nodeId = id;
        }
        case "type" -> {
          seen = once(seen, SEEN_KIND);
          kind = value == JsonToken.VALUE_STRING ? NodeKind.of(json.getText()) : null;
          json.skipChildren();
        }
        case "vertexName", "connectorType" -> {
          seen = once(seen, SEEN_NAME);
          builder.name(value == JsonToken.VALUE_STRING ? json.getText() : null);
          json.skipChildren();
        }
        case "tablePaths" -> {
          seen = once(seen, SEEN_PATHS);
          readPaths(value);
        }
        default -> json.skipChildren();
      }
    }
    if ((seen & SEEN_NAME) == 0) {
      builder.fault(Inconsistency.MISSING_NAME);
    }
    if (!idUsable) {
      builder.fault(Inconsistency.MALFORMED_ID);
    } else if (key != null && !key.equals(Long.toString(nodeId))) {
      builder.fault(Inconsistency.KEY_MISMATCH);
    }
    if (kind == null) {
      builder.fault(Inconsistency.UNKNOWN_KIND);
    } else if (idUsable) {
      builder.endNode(nodeId, kind);
    }
  }

  private void readPaths(JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_NULL) {
      return;
    }
    if (value != JsonToken.START_ARRAY) {
      builder.fault(Inconsistency.MALFORMED_PATH);
      json.skipChildren();
      return;
    }
    JsonToken entry;
    while ((entry = json.nextToken()) != JsonToken.END_ARRAY) {
      if (entry != JsonToken.VALUE_STRING && entry != JsonToken.VALUE_NULL) {
        builder.fault(Inconsistency.MALFORMED_PATH);
        json.skipChildren();
      }
      builder.path(entry == JsonToken.VALUE_STRING ? json.getText() : null);
    }
  }

  private void readPipelines(JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      builder.fault(Inconsistency.MISSING_EDGES);
      json.skipChildren();
      return;
    }
    int[] pipelines = new int[16];
    int count = 0;
    String key;
    while ((key = json.nextFieldName()) != null) {
      int pipelineId = 0;
      boolean usable = Decimal.isCanonical(key);
      if (usable) {
        long number = Long.parseLong(key);
        pipelineId = (int) number;
        usable = pipelineId == number;
      }
      if (json.nextToken() != JsonToken.START_ARRAY || !usable) {
        builder.fault(Inconsistency.MALFORMED_PIPELINE);
      }
      if (json.currentToken() != JsonToken.START_ARRAY) {
        json.skipChildren();
        continue;
      }
      if (count == pipelines.length) {
        pipelines = Arrays.copyOf(pipelines, count * 2);
      }
      pipelines[count++] = pipelineId;
      while (json.nextToken() != JsonToken.END_ARRAY) {
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

  private void readEdge(int pipelineId) throws IOException {
    builder.beginEdge();
    if (json.currentToken() != JsonToken.START_OBJECT) {
      builder.fault(Inconsistency.MALFORMED_EDGE);
      json.skipChildren();
      return;
    }
    int seen = 0;
    int usable = 0;
    long source = 0;
    long target = 0;
    String member;
    for (int i = 0; (member = nextMember(EDGE_MEMBERS, i)) != null; i++) {
      JsonToken value = json.nextToken();
      switch (member) {
        case "inputVertexId" -> {
          seen = once(seen, SEEN_ID);
          usable |= readId(value) ? 1 : 0;
          source = id;
        }
        case "targetVertexId" -> {
          seen = once(seen, SEEN_NAME);
          usable |= readId(value) ? 2 : 0;
          target = id;
        }
        default -> json.skipChildren();
      }
    }
    if (usable == 3) {
      builder.edge(pipelineId, source, target);
    } else {
      builder.fault(Inconsistency.MALFORMED_EDGE);
    }
  }

  /** Reads an id, a JSON integer or a string of decimal digits; leaves it in {@link #id}. */
  private boolean readId(JsonToken value) throws IOException {
    if (value != JsonToken.VALUE_NUMBER_INT && value != JsonToken.VALUE_STRING) {
      json.skipChildren();
      return false;
    }
    char[] text = json.getTextCharacters();
    int from = json.getTextOffset();
    int length = json.getTextLength();
    if (!Decimal.isCanonical(text, from, length)) {
      return false;
    }
    id = Decimal.parse(text, from, length);
    return true;
  }

  /**
   * The name of the object's next member, or null behind the last.
   *
   * @param expected the members an engine writes, in its order
   * @param index how many members came before
   */
  private @Nullable String nextMember(SerializedString[] expected, int index) throws IOException {
    if (index >= expected.length) {
      return json.nextFieldName();
    }
    if (json.nextFieldName(expected[index])) {
      return expected[index].getValue();
    }
    return json.currentToken() == JsonToken.FIELD_NAME ? json.currentName() : null;
  }

  private int once(int seen, int bit) {
    if ((seen & bit) != 0) {
      builder.fault(Inconsistency.DUPLICATE_MEMBER);
    }
    return seen | bit;
  }
}
