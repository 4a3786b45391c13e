package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.graph.NodeKind;
import io.headgate.graph.ReferenceProjection;
import io.headgate.graph.ReportedGraph;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Map;

/** What the gateway owes for what a real engine says. */
final class RealEngineAnswers {
  static final String NOT_FOUND =
      "{\"code\":\"JOB_NOT_FOUND\",\"message\":\"No active job and no retained record has this"
          + " id.\"}";
  static final String UNAVAILABLE =
      "{\"code\":\"LINEAGE_UNAVAILABLE\",\"message\":\"The job is known, but it has no consistent"
          + " execution graph.\"}";
  static final String TRY_AGAIN =
      "{\"code\":\"LINEAGE_TEMPORARILY_UNAVAILABLE\",\"message\":\"The lineage can't be given now."
          + " Try again later.\"}";

  private static final Map<Integer, String> ERRORS =
      Map.of(404, NOT_FOUND, 409, UNAVAILABLE, 503, TRY_AGAIN);
  private static final ObjectMapper JSON = new ObjectMapper();

  private RealEngineAnswers() {}

  /** The base URL of a member for the gateway. */
  static URI base(URI member) {
    return member.resolve("/hazelcast/rest/maps");
  }

  /** The bytes owed for the job-info body of a finished job of shape S, which has no paths. */
  static String lineage(String jobInfo) {
    JsonNode record = read(jobInfo);
    JsonNode dag = read(record.required("jobDag").textValue());
    ReportedGraph report = ReportedGraph.of(dag.required("jobId").longValue());
    for (JsonNode vertex : dag.required("vertexInfoMap")) {
      long id = vertex.required("vertexId").longValue();
      NodeKind kind = NodeKind.valueOf(vertex.required("type").textValue());
      String name = vertex.required("connectorType").textValue();
      report = report.with(new ReportedGraph.Node(id, kind, name, null));
    }
    for (var pipeline : dag.required("pipelineEdges").properties()) {
      for (JsonNode edge : pipeline.getValue()) {
        report =
            report.withEdge(
                Integer.parseInt(pipeline.getKey()),
                edge.required("inputVertexId").longValue(),
                edge.required("targetVertexId").longValue());
      }
    }
    return ReferenceProjection.json(report);
  }

  /** The creation time in a job-info body, which tells a job's executions apart. */
  static String createTime(String jobInfo) {
    return read(jobInfo).required("createTime").textValue();
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  /** The status and body that the answer must have, and the headers that go with them (L8, L9). */
  static void assertError(HttpResponse<String> answer, int status) {
    assertThat(answer.body()).isEqualTo(ERRORS.get(status));
    assertThat(answer.statusCode()).isEqualTo(status);
    assertHeaders(answer);
  }

  static void assertGraph(HttpResponse<String> answer, String lineage) {
    assertThat(answer.body()).isEqualTo(lineage);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertHeaders(answer);
  }

  private static void assertHeaders(HttpResponse<String> answer) {
    int status = answer.statusCode();
    Map<String, String> expected =
        Map.of(
            "content-type",
            "application/json",
            "cache-control",
            "private, no-store",
            "x-content-type-options",
            "nosniff");
    expected.forEach(
        (name, value) -> assertThat(answer.headers().firstValue(name)).hasValue(value));
    assertThat(answer.headers().firstValue("etag").isPresent()).isEqualTo(status == 200);
    assertThat(answer.headers().firstValue("retry-after").orElse(""))
        .matches(status == 503 ? "[1-3]" : "");
  }
}
