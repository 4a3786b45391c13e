package io.headgate.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.headgate.graph.GraphWriter;
import io.headgate.graph.JobGraph;
import io.headgate.graph.NodeKind;
import io.headgate.wire.CappedBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * P3: the byte writer against a Jackson generator, the same document from the same checked graph.
 * The generator gets every help: names encoded beforehand, an output of the right size.
 *
 * <pre>{@code mvn -Pbench test-compile exec:exec -Dbench.include=CoreWrite}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CoreWriteBenchmark {
  private static final int CAP = 8 * 1024 * 1024;
  private static final JsonFactory JSON = new JsonFactory();

  private JobGraph graph;
  private int length;

  @Setup
  public void check() throws IOException {
    graph = LimitGraph.report().checked();
    CappedBuffer written = writer();
    length = written.length();
    if (!Arrays.equals(written.toByteArray(), generator().toByteArray())) {
      throw new IllegalStateException("the two sides write different documents");
    }
    System.out.printf("%ndocument: %,d bytes%n", length);
  }

  @Benchmark
  public CappedBuffer writer() {
    return GraphWriter.write(graph, CAP);
  }

  @Benchmark
  public ByteArrayOutputStream generator() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 1);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      field(json, SCHEMA_VERSION);
      json.writeNumber(1);
      field(json, JOB_ID);
      json.writeString(Long.toString(graph.jobId()));
      field(json, GRAPH_KIND);
      json.writeString(EXECUTION);
      field(json, ID_SCOPE);
      json.writeString(JOB);
      field(json, NODES);
      json.writeStartArray();
      for (int rank = 0; rank < graph.nodeCount(); rank++) {
        node(json, rank);
      }
      json.writeEndArray();
      field(json, EDGES);
      json.writeStartArray();
      for (int i = 0; i < graph.edgeCount(); i++) {
        json.writeStartObject();
        field(json, PIPELINE_ID);
        json.writeNumber(graph.edgePipeline(i));
        field(json, SOURCE_NODE_ID);
        json.writeString(Long.toString(graph.nodeId(graph.edgeSource(i))));
        field(json, TARGET_NODE_ID);
        json.writeString(Long.toString(graph.nodeId(graph.edgeTarget(i))));
        json.writeEndObject();
      }
      json.writeEndArray();
      field(json, WARNINGS);
      json.writeStartArray();
      for (int rank = 0; rank < graph.nodeCount(); rank++) {
        if (graph.datasetMetadataMissing(rank)) {
          json.writeStartObject();
          field(json, CODE);
          json.writeString(DATASET_METADATA_UNAVAILABLE);
          field(json, NODE_ID);
          json.writeString(Long.toString(graph.nodeId(rank)));
          json.writeEndObject();
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return out;
  }

  private void node(JsonGenerator json, int rank) throws IOException {
    NodeKind kind = graph.kind(rank);
    json.writeStartObject();
    field(json, ID);
    json.writeString(Long.toString(graph.nodeId(rank)));
    field(json, KIND);
    json.writeString(KINDS[kind.ordinal()]);
    field(json, NAME);
    json.writeString(graph.name(rank));
    field(json, TABLE_PATHS);
    json.writeStartArray();
    boolean any = false;
    for (String path : graph.paths(rank)) {
      json.writeString(path);
      any = true;
    }
    json.writeEndArray();
    field(json, DATASET_METADATA);
    json.writeString(kind == NodeKind.TRANSFORM ? NOT_APPLICABLE : any ? REPORTED : UNAVAILABLE);
    json.writeEndObject();
  }

  private static void field(JsonGenerator json, SerializedString name) throws IOException {
    json.writeFieldName(name);
  }

  private static SerializedString encoded(String text) {
    return new SerializedString(text);
  }

  private static final SerializedString SCHEMA_VERSION = encoded("schemaVersion");
  private static final SerializedString JOB_ID = encoded("jobId");
  private static final SerializedString GRAPH_KIND = encoded("graphKind");
  private static final SerializedString EXECUTION = encoded("EXECUTION");
  private static final SerializedString ID_SCOPE = encoded("idScope");
  private static final SerializedString JOB = encoded("JOB");
  private static final SerializedString NODES = encoded("nodes");
  private static final SerializedString EDGES = encoded("edges");
  private static final SerializedString WARNINGS = encoded("warnings");
  private static final SerializedString ID = encoded("id");
  private static final SerializedString KIND = encoded("kind");
  private static final SerializedString NAME = encoded("name");
  private static final SerializedString TABLE_PATHS = encoded("tablePaths");
  private static final SerializedString DATASET_METADATA = encoded("datasetMetadata");
  private static final SerializedString NOT_APPLICABLE = encoded("NOT_APPLICABLE");
  private static final SerializedString REPORTED = encoded("REPORTED");
  private static final SerializedString UNAVAILABLE = encoded("UNAVAILABLE");
  private static final SerializedString PIPELINE_ID = encoded("pipelineId");
  private static final SerializedString SOURCE_NODE_ID = encoded("sourceNodeId");
  private static final SerializedString TARGET_NODE_ID = encoded("targetNodeId");
  private static final SerializedString CODE = encoded("code");
  private static final SerializedString NODE_ID = encoded("nodeId");
  private static final SerializedString DATASET_METADATA_UNAVAILABLE =
      encoded("DATASET_METADATA_UNAVAILABLE");
  private static final SerializedString[] KINDS = {
    encoded("SOURCE"), encoded("TRANSFORM"), encoded("SINK")
  };
}
