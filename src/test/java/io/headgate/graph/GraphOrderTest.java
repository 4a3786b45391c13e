package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** One graph, reported in any order: one answer, in the order of L4. */
class GraphOrderTest {
  @Provide
  Arbitrary<ReportedGraph> reports() {
    return ReportedGraphs.valid();
  }

  @Property(tries = 1_000)
  void L4_any_shuffling_of_a_report_gives_the_same_bytes(
      @ForAll("reports") ReportedGraph report, @ForAll Random random) {
    assertThat(report.shuffled(random.nextLong()).json()).isEqualTo(report.json());
  }

  @Property(tries = 1_000)
  void L2_to_L7_the_writer_agrees_with_a_naive_reading_of_the_rules(
      @ForAll("reports") ReportedGraph report) {
    assertThat(report.json()).isEqualTo(ReferenceProjection.json(report));
  }

  @Test
  void L4_nodes_are_ordered_by_numeric_id() {
    JobGraph graph =
        ReportedGraph.empty()
            .withSource(10, "a.b")
            .withSource(9, "a.b")
            .withSource(-2, "a.b")
            .withSource(-10, "a.b")
            .withSource(Long.MAX_VALUE, "a.b")
            .withSource(Long.MIN_VALUE, "a.b")
            .checked();
    assertThat(IntStream.range(0, graph.nodeCount()).mapToLong(graph::nodeId))
        .containsExactly(Long.MIN_VALUE, -10L, -2L, 9L, 10L, Long.MAX_VALUE);
  }

  @Test
  void L3_ids_of_any_sign_are_decimal_strings() {
    assertThat(
            ReportedGraph.of(Long.MAX_VALUE)
                .withSource(Long.MIN_VALUE, "a.b")
                .withSink(Long.MAX_VALUE, "c.d")
                .withEdge(-3, Long.MIN_VALUE, Long.MAX_VALUE)
                .json())
        .contains("\"jobId\":\"9223372036854775807\"")
        .contains("{\"id\":\"-9223372036854775808\",\"kind\":\"SOURCE\"")
        .contains(
            "{\"pipelineId\":-3,\"sourceNodeId\":\"-9223372036854775808\","
                + "\"targetNodeId\":\"9223372036854775807\"}");
  }

  @Test
  void L4_edges_are_ordered_by_pipeline_then_source_then_target() {
    JobGraph graph =
        ReportedGraph.empty()
            .withSource(2, "a.b")
            .withSource(10, "a.b")
            .withSink(3, "a.b")
            .withSink(20, "a.b")
            .withEdge(10, 2, 3)
            .withEdge(9, 10, 20)
            .withEdge(9, 10, 3)
            .withEdge(9, 2, 20)
            .withEdge(-1, 10, 3)
            .checked();
    assertThat(edges(graph))
        .containsExactly("-1: 10 > 3", "9: 2 > 20", "9: 10 > 3", "9: 10 > 20", "10: 2 > 3");
  }

  @Test
  void L4_warnings_are_ordered_by_numeric_node_id() {
    assertThat(ReportedGraph.empty().withSink(10).withSource(9).withSource(-1).json())
        .endsWith(
            "\"warnings\":[{\"code\":\"DATASET_METADATA_UNAVAILABLE\",\"nodeId\":\"-1\"},"
                + "{\"code\":\"DATASET_METADATA_UNAVAILABLE\",\"nodeId\":\"9\"},"
                + "{\"code\":\"DATASET_METADATA_UNAVAILABLE\",\"nodeId\":\"10\"}]}");
  }

  @Test
  void L4_paths_are_ordered_as_String_compareTo_orders_them() {
    // By code units a surrogate pair comes before U+E000, although its code point comes after.
    JobGraph graph =
        ReportedGraph.empty()
            .withSource(1, "b", "\uE000", "a", "\uD83D\uDE00", "B", "aa", " a", "ä")
            .checked();
    assertThat(graph.paths(0))
        .containsExactly(" a", "B", "a", "aa", "b", "ä", "\uD83D\uDE00", "\uE000");
  }

  @Test
  void L4_nothing_is_lower_cased_or_trimmed() {
    ReportedGraph report =
        ReportedGraph.empty()
            .with(
                new ReportedGraph.Node(
                    1, NodeKind.SOURCE, "  Pipeline-1 [İ]\t", List.of(" Shop.ORDERS ")));
    assertThat(report.json())
        .contains("\"name\":\"  Pipeline-1 [İ]\\t\",\"tablePaths\":[\" Shop.ORDERS \"]");
  }

  @Test
  void L5_identical_edges_of_one_pipeline_appear_once() {
    assertThat(edges(twoNodes().withEdge(1, 1, 2).withEdge(1, 1, 2).withEdge(1, 1, 2).checked()))
        .containsExactly("1: 1 > 2");
  }

  @Test
  void L5_the_same_pair_in_two_pipelines_appears_twice() {
    assertThat(edges(twoNodes().withEdge(2, 1, 2).withEdge(1, 1, 2).withEdge(2, 1, 2).checked()))
        .containsExactly("1: 1 > 2", "2: 1 > 2");
  }

  private static ReportedGraph twoNodes() {
    return ReportedGraph.empty().withSource(1, "a.b").withSink(2, "c.d");
  }

  private static List<String> edges(JobGraph graph) {
    return IntStream.range(0, graph.edgeCount())
        .mapToObj(
            i ->
                graph.edgePipeline(i)
                    + ": "
                    + graph.nodeId(graph.edgeSource(i))
                    + " > "
                    + graph.nodeId(graph.edgeTarget(i)))
        .toList();
  }
}
