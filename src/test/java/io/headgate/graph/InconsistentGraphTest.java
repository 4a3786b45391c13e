package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a builder refuses (L10) and what it does not (L11). Faults that only foreign JSON can have
 * are tested where it is read.
 */
class InconsistentGraphTest {
  private static final String LONE_HIGH = "a\uD83Db";
  private static final String LONE_LOW = "\uDE00";

  static Stream<Arguments> faults() {
    ReportedGraph two = ReportedGraph.empty().withSource(1, "a.b").withSink(2, "c.d");
    return Stream.of(
        Arguments.of("zero nodes", ReportedGraph.empty(), Inconsistency.NO_NODES),
        Arguments.of(
            "zero nodes, yet an edge",
            ReportedGraph.empty().withEdge(1, 1, 2),
            Inconsistency.NO_NODES),
        Arguments.of(
            "a null name",
            two.with(new ReportedGraph.Node(3, NodeKind.SINK, null, List.of("a.b"))),
            Inconsistency.MISSING_NAME),
        Arguments.of("the same id twice", two.withSink(1, "a.b"), Inconsistency.DUPLICATE_NODE),
        Arguments.of(
            "the same id twice, the very same node",
            two.withSink(2, "c.d"),
            Inconsistency.DUPLICATE_NODE),
        Arguments.of("an edge from nowhere", two.withEdge(1, 3, 2), Inconsistency.DANGLING_EDGE),
        Arguments.of("an edge to nowhere", two.withEdge(1, 1, 3), Inconsistency.DANGLING_EDGE),
        Arguments.of(
            "an edge to an id between two",
            two.withSink(4, "a.b").withEdge(1, 1, 3),
            Inconsistency.DANGLING_EDGE),
        Arguments.of("a self-loop", two.withEdge(1, 2, 2), Inconsistency.SELF_LOOP),
        Arguments.of("a self-loop of no node", two.withEdge(1, 9, 9), Inconsistency.SELF_LOOP),
        Arguments.of(
            "a cycle of two", two.withEdge(1, 1, 2).withEdge(1, 2, 1), Inconsistency.CYCLE),
        Arguments.of(
            "a cycle over two pipelines",
            two.withEdge(1, 1, 2).withEdge(2, 2, 1),
            Inconsistency.CYCLE),
        Arguments.of(
            "a cycle behind a chain",
            two.withSink(3, "a.b")
                .withSink(4, "a.b")
                .withEdge(1, 1, 2)
                .withEdge(1, 2, 3)
                .withEdge(1, 3, 4)
                .withEdge(1, 4, 2),
            Inconsistency.CYCLE),
        Arguments.of(
            "a lone high surrogate in a name",
            two.with(new ReportedGraph.Node(3, NodeKind.SINK, LONE_HIGH, List.of("a.b"))),
            Inconsistency.ILL_FORMED_TEXT),
        Arguments.of(
            "a lone low surrogate in a path",
            two.withSink(3, "a.b", LONE_LOW),
            Inconsistency.ILL_FORMED_TEXT),
        Arguments.of(
            "a lone surrogate in a transform's path, although it is never shown",
            two.withTransform(3, LONE_HIGH),
            Inconsistency.ILL_FORMED_TEXT));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("faults")
  void L10_an_inconsistent_report_is_refused(
      String what, ReportedGraph report, Inconsistency reason) {
    assertThat(report.build()).isEqualTo(new JobGraphBuilder.Built.Inconsistent(reason));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("faults")
  void L10_the_order_of_the_report_does_not_matter(
      String what, ReportedGraph report, Inconsistency reason) {
    for (int seed = 0; seed < 10; seed++) {
      assertThat(report.shuffled(seed).build())
          .as("shuffled with seed %d", seed)
          .isEqualTo(new JobGraphBuilder.Built.Inconsistent(reason));
    }
  }

  @ParameterizedTest
  @EnumSource(Inconsistency.class)
  void L10_a_fault_noted_by_the_reader_is_the_reason(Inconsistency reason) {
    JobGraphBuilder builder = new JobGraphBuilder(7, GraphLimits.DEFAULT);
    ReportedGraph.chain(3).feed(builder);
    builder.fault(reason);
    builder.fault(Inconsistency.MALFORMED_EDGE);
    assertThat(builder.build()).isEqualTo(new JobGraphBuilder.Built.Inconsistent(reason));
  }

  @Test
  void L11_isolated_nodes_are_valid() {
    assertThat(ReportedGraph.empty().withSource(1, "a.b").withSink(2, "c.d").checked().edgeCount())
        .isZero();
  }

  @Test
  void L11_a_node_beside_a_connected_pair_is_valid() {
    JobGraph graph =
        ReportedGraph.empty()
            .withSource(1, "a.b")
            .withSink(2, "c.d")
            .withTransform(3)
            .withEdge(1, 1, 2)
            .checked();
    assertThat(graph.nodeCount()).isEqualTo(3);
    assertThat(graph.edgeCount()).isEqualTo(1);
  }

  @Test
  void L11_an_empty_name_is_valid() {
    assertThat(
            ReportedGraph.empty()
                .with(new ReportedGraph.Node(1, NodeKind.SINK, "", List.of("a.b")))
                .json())
        .contains("\"kind\":\"SINK\",\"name\":\"\",\"tablePaths\":[\"a.b\"]");
  }

  @Test
  void L10_a_diamond_is_no_cycle() {
    ReportedGraph diamond =
        ReportedGraph.empty()
            .withSource(1, "a.b")
            .withTransform(2)
            .withTransform(3)
            .withSink(4, "c.d")
            .withEdge(1, 1, 2)
            .withEdge(1, 1, 3)
            .withEdge(1, 2, 4)
            .withEdge(2, 3, 4)
            .withEdge(2, 1, 4);
    assertThat(diamond.checked().edgeCount()).isEqualTo(5);
  }

  @Property(tries = 2_000)
  void L10_a_cycle_is_found_where_a_node_can_reach_itself(
      @ForAll @IntRange(min = 1, max = 9) int nodes,
      @ForAll @IntRange(max = 16) int edges,
      @ForAll Random random) {
    ReportedGraph report = ReportedGraph.empty();
    for (int id = 0; id < nodes; id++) {
      report = report.withTransform(id);
    }
    boolean[][] reaches = new boolean[nodes][nodes];
    for (int i = 0; i < edges && nodes > 1; i++) {
      int from = random.nextInt(nodes);
      int to = (from + 1 + random.nextInt(nodes - 1)) % nodes;
      reaches[from][to] = true;
      report = report.withEdge(random.nextInt(3), from, to);
    }
    for (int via = 0; via < nodes; via++) {
      for (int from = 0; from < nodes; from++) {
        for (int to = 0; to < nodes; to++) {
          reaches[from][to] |= reaches[from][via] && reaches[via][to];
        }
      }
    }
    List<Integer> onCycles = new ArrayList<>();
    for (int id = 0; id < nodes; id++) {
      if (reaches[id][id]) {
        onCycles.add(id);
      }
    }
    JobGraphBuilder.Built built = report.build();
    if (onCycles.isEmpty()) {
      assertThat(built).isInstanceOf(JobGraphBuilder.Built.Checked.class);
    } else {
      assertThat(built)
          .as("nodes on cycles: %s", onCycles)
          .isEqualTo(new JobGraphBuilder.Built.Inconsistent(Inconsistency.CYCLE));
    }
  }
}
