package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Lookup;
import io.headgate.graph.ReportedGraph;
import io.headgate.wire.CappedBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not whitelisted leaves no trace (L14): sentinels in every other place of a body. */
class PrivateTextTest {
  private static final String SENTINEL = "s3cr3t-sentinel";
  private static final ReportedGraph GRAPH = ReportedGraph.chain(3).withSource(9, "shop.orders");

  /** An active record with the sentinel everywhere around the graph; %s is the graph. */
  private static final String OUTER =
      """
      {"jobId":"7","jobName":"s3cr3t-sentinel","jobStatus":"RUNNING",
       "envOptions":{"s3cr3t-sentinel":"s3cr3t-sentinel","deep":[{"jobDag":"s3cr3t-sentinel"}]},
       "createTime":"2026-11-30 09:41:54","jobDag":%s,
       "errorMsg":"java.lang.Exception: s3cr3t-sentinel",
       "pluginJarsUrls":["file:/s3cr3t-sentinel.jar"],"s3cr3t-sentinel":1,
       "isStartWithSavePoint":false,"metrics":{"a":{"s3cr3t-sentinel":"s3cr3t-sentinel"}}}
      """;

  @Test
  void L14_nothing_around_the_graph_is_kept() {
    String dag = Shapes.plain().a(GRAPH);
    for (int chunk : new int[] {1, 7, Integer.MAX_VALUE}) {
      JobInfoSlicer slicer =
          Reading.sliced(
              OUTER.formatted(dag).getBytes(StandardCharsets.UTF_8), chunk, Reading.MAX_BYTES);
      assertThat(text(slicer.slice())).as("the slice is the graph and nothing else").isEqualTo(dag);
      for (KeptParts.Member member : KeptParts.Member.values()) {
        if (member != KeptParts.Member.JOB_DAG) {
          assertThat(String.valueOf(slicer.scalar(member))).doesNotContain("s3cr3t");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "M", "S"})
  void L14_nothing_but_the_graph_comes_out(String shape) {
    String extra =
        "\"envOptions\":{\"s3cr3t-sentinel\":\"s3cr3t-sentinel\",\"vertexInfoMap\":[1]},"
            + "\"config\":[\"s3cr3t-sentinel\",{\"vertexName\":\"s3cr3t-sentinel\"}],";
    String plain = shape.equals("A") ? Shapes.plain().a(GRAPH) : Shapes.plain().m(GRAPH);
    String dag =
        plain
            .replaceFirst("\\{", "{" + extra)
            .replace("{\"vertexId\":", "{" + extra + "\"vertexId\":")
            .replace("{\"inputVertexId\":", "{" + extra + "\"inputVertexId\":");
    assertThat(dag.split(SENTINEL, -1)).as("sentinels in the graph").hasSizeGreaterThan(20);
    String body = OUTER.formatted(shape.equals("S") ? Shapes.plain().string(dag) : dag);
    Lookup lookup = Reading.read(body);
    String expected = Reading.json(Reading.read(Shapes.plain().active(7, plain)));
    assertThat(Reading.json(lookup)).isEqualTo(expected).doesNotContain("s3cr3t");
    assertThat(lookup.toString()).doesNotContain("s3cr3t");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"vertices\":[{\"name\":\"s3cr3t-sentinel\"}],\"edges\":[]}",
        "{\"jobId\":\"s3cr3t-sentinel\"}",
        "{\"jobId\":7,\"vertexInfoMap\":\"s3cr3t-sentinel\"}",
        "[\"s3cr3t-sentinel\"]",
        "\"s3cr3t-sentinel\"",
        "{s3cr3t-sentinel}",
      })
  void L21_no_foreign_text_stands_in_the_reason_of_a_failure(String dag) {
    Lookup lookup = Reading.read(OUTER.formatted(dag));
    assertThat(lookup).isNotInstanceOf(Lookup.Found.class);
    assertThat(lookup.toString()).doesNotContain("s3cr3t");
  }

  private static String text(CappedBuffer slice) {
    return new String(slice.toByteArray(), StandardCharsets.UTF_8);
  }
}
