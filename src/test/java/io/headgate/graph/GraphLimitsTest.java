package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.wire.CapExceededException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every limit exactly at and one over (L12), and what goes before what. */
class GraphLimitsTest {
  /** Limits that only the one under test comes near. */
  private static final GraphLimits SMALL = new GraphLimits(3, 3, 3, 8, 8 * 1024 * 1024);

  @Test
  void L12_the_default_limits_are_those_of_the_requirement() {
    assertThat(GraphLimits.DEFAULT)
        .isEqualTo(new GraphLimits(10_000, 50_000, 50_000, 4_096, 8_388_608));
  }

  static Stream<Arguments> limits() {
    ReportedGraph two = ReportedGraph.empty().withSource(1).withSink(2);
    ReportedGraph threeEdges = two.withEdge(1, 1, 2).withEdge(1, 1, 2).withEdge(1, 1, 2);
    return Stream.of(
        Arguments.of("nodes", two.withSink(3), two.withSink(3).withSink(4), Excess.NODES),
        Arguments.of(
            "edges in several pipelines",
            two.withEdge(1, 1, 2).withEdge(2, 1, 2).withEdge(3, 1, 2),
            two.withEdge(1, 1, 2).withEdge(2, 1, 2).withEdge(3, 1, 2).withEdge(4, 1, 2),
            Excess.EDGES),
        Arguments.of(
            "repeated edges, before they are dropped",
            threeEdges,
            threeEdges.withEdge(1, 1, 2),
            Excess.EDGES),
        Arguments.of(
            "paths over several nodes",
            ReportedGraph.empty().withSource(1, "a", "b").withSink(2, "c"),
            ReportedGraph.empty().withSource(1, "a", "b").withSink(2, "c", "d"),
            Excess.PATHS),
        Arguments.of(
            "repeated paths, before they are dropped",
            ReportedGraph.empty().withSource(1, "a", "a", "a"),
            ReportedGraph.empty().withSource(1, "a", "a", "a", "a"),
            Excess.PATHS),
        Arguments.of(
            "null paths",
            ReportedGraph.empty().withSource(1, null, null, null),
            ReportedGraph.empty().withSource(1, null, null, null, null),
            Excess.PATHS),
        Arguments.of(
            "empty paths",
            ReportedGraph.empty().withSource(1, "", "", ""),
            ReportedGraph.empty().withSource(1, "", "", "", ""),
            Excess.PATHS),
        Arguments.of(
            "a transform's paths",
            ReportedGraph.empty().withTransform(1, "a", "b", "c"),
            ReportedGraph.empty().withTransform(1, "a", "b", "c", "d"),
            Excess.PATHS),
        Arguments.of("a name", named("12345678"), named("123456789"), Excess.STRING_BYTES),
        Arguments.of(
            "a name of two-byte characters", named("ääää"), named("äääää"), Excess.STRING_BYTES),
        Arguments.of(
            "a name of three-byte characters", named("€€12"), named("€€€"), Excess.STRING_BYTES),
        Arguments.of(
            "a name of four-byte characters",
            named("\uD83D\uDE00\uD83D\uDE00"),
            named("\uD83D\uDE00\uD83D\uDE001"),
            Excess.STRING_BYTES),
        Arguments.of(
            "a name of characters that are escaped, counted without the escapes",
            named("\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001"),
            named("\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001"),
            Excess.STRING_BYTES),
        Arguments.of(
            "a path",
            ReportedGraph.empty().withSource(1, "12345678"),
            ReportedGraph.empty().withSource(1, "123456789"),
            Excess.STRING_BYTES),
        Arguments.of(
            "a transform's path",
            ReportedGraph.empty().withTransform(1, "12345678"),
            ReportedGraph.empty().withTransform(1, "123456789"),
            Excess.STRING_BYTES));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("limits")
  void L12_exactly_at_a_limit_is_accepted(
      String what, ReportedGraph at, ReportedGraph over, Excess reason) {
    assertThat(at.build(SMALL)).isInstanceOf(JobGraphBuilder.Built.Checked.class);
  }

  @ParameterizedTest(name = "{0}: {3}")
  @MethodSource("limits")
  void L12_one_over_a_limit_is_too_large(
      String what, ReportedGraph at, ReportedGraph over, Excess reason) {
    assertThat(over.build(SMALL)).isEqualTo(new JobGraphBuilder.Built.TooLarge(reason));
  }

  @Test
  void L12_omitted_default_paths_count_for_the_string_limit_too() {
    // 23 bytes: never shown, still longer than 22.
    GraphLimits limits = new GraphLimits(3, 3, 3, 22, 1 << 20);
    assertThat(ReportedGraph.empty().withSource(1, "default.default.default").build(limits))
        .isEqualTo(new JobGraphBuilder.Built.TooLarge(Excess.STRING_BYTES));
  }

  @Test
  void L12_the_default_node_limit_holds_exactly() {
    assertThat(ReportedGraph.chain(10_000).build(GraphLimits.DEFAULT))
        .isInstanceOf(JobGraphBuilder.Built.Checked.class);
    assertThat(ReportedGraph.chain(10_001).build(GraphLimits.DEFAULT))
        .isEqualTo(new JobGraphBuilder.Built.TooLarge(Excess.NODES));
  }

  @Test
  void L12_the_default_edge_limit_holds_exactly() {
    assertThat(repeatedEdge(50_000).build(GraphLimits.DEFAULT))
        .isInstanceOf(JobGraphBuilder.Built.Checked.class);
    assertThat(repeatedEdge(50_001).build(GraphLimits.DEFAULT))
        .isEqualTo(new JobGraphBuilder.Built.TooLarge(Excess.EDGES));
  }

  @Test
  void L12_the_default_path_limit_holds_exactly() {
    assertThat(nullPaths(50_000).build(GraphLimits.DEFAULT))
        .isInstanceOf(JobGraphBuilder.Built.Checked.class);
    assertThat(nullPaths(50_001).build(GraphLimits.DEFAULT))
        .isEqualTo(new JobGraphBuilder.Built.TooLarge(Excess.PATHS));
  }

  @Test
  void L12_the_default_string_limit_holds_exactly() {
    assertThat(named("ä".repeat(2_048)).build(GraphLimits.DEFAULT))
        .isInstanceOf(JobGraphBuilder.Built.Checked.class);
    assertThat(named("ä".repeat(2_048) + "x").build(GraphLimits.DEFAULT))
        .isEqualTo(new JobGraphBuilder.Built.TooLarge(Excess.STRING_BYTES));
  }

  static Stream<Arguments> responses() {
    ReportedGraph twoSources = ReportedGraph.empty().withSource(1).withSource(2);
    return Stream.of(
        Arguments.of("the smallest graph", ReportedGraph.empty().withTransform(1)),
        Arguments.of("escapes that grow sixfold", named("\u0001".repeat(4_096))),
        Arguments.of("escapes that grow twofold", named("\"\\\n".repeat(1_000))),
        Arguments.of("multibyte characters", named("ä€\uD83D\uDE00".repeat(400))),
        Arguments.of("warnings", twoSources),
        Arguments.of("edges", ReportedGraph.chain(500)),
        Arguments.of("paths", ReportedGraph.empty().withSource(1, "a", "bb", "ccc")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("responses")
  void L12_L13_a_response_of_exactly_the_cap_is_written_and_one_byte_less_is_not_enough(
      String what, ReportedGraph report) {
    JobGraph graph = report.checked();
    String reference = ReferenceProjection.json(report);
    int length = reference.getBytes(StandardCharsets.UTF_8).length;
    assertThat(new String(GraphWriter.write(graph, length).toByteArray(), StandardCharsets.UTF_8))
        .isEqualTo(reference);
    assertThatThrownBy(() -> GraphWriter.write(graph, length - 1))
        .as("cap %d for a response of %d bytes", length - 1, length)
        .isInstanceOf(CapExceededException.class);
  }

  @Test
  void L13_no_cap_below_the_length_ever_lets_a_response_through() {
    ReportedGraph report = ReportedGraph.empty().withSource(1, "ä").withSink(2).withEdge(1, 1, 2);
    JobGraph graph = report.checked();
    int length = ReferenceProjection.json(report).getBytes(StandardCharsets.UTF_8).length;
    for (int cap = 1; cap < length; cap++) {
      int tooSmall = cap;
      assertThatThrownBy(() -> GraphWriter.write(graph, tooSmall))
          .as("cap %d for a response of %d bytes", cap, length)
          .isInstanceOf(CapExceededException.class);
    }
  }

  @Test
  void L12_warnings_alone_can_pass_the_response_cap() {
    ReportedGraph complete = ReportedGraph.empty();
    ReportedGraph warned = ReportedGraph.empty();
    for (int id = 1; id <= 100; id++) {
      complete = complete.withSource(id, "t");
      warned = warned.withSource(id, (String) null);
    }
    int cap = ReferenceProjection.json(complete).length();
    JobGraph graph = warned.checked();
    assertThat(GraphWriter.write(complete.checked(), cap).length()).isEqualTo(cap);
    assertThatThrownBy(() -> GraphWriter.write(graph, cap))
        .isInstanceOf(CapExceededException.class);
  }

  @Test
  void L12_a_limit_goes_before_a_fault_wherever_the_two_stand() {
    ReportedGraph faultFirst =
        ReportedGraph.empty()
            .with(new ReportedGraph.Node(1, NodeKind.SINK, null, List.of()))
            .withSource(2)
            .withSource(3)
            .withSource(4);
    ReportedGraph limitFirst =
        ReportedGraph.empty().withSource(1, "123456789").withSource(1).withEdge(1, 1, 1);
    assertThat(faultFirst.build(SMALL)).isEqualTo(new JobGraphBuilder.Built.TooLarge(Excess.NODES));
    assertThat(limitFirst.build(SMALL))
        .isEqualTo(new JobGraphBuilder.Built.TooLarge(Excess.STRING_BYTES));
  }

  @Test
  void L12_a_limit_passed_in_the_last_edge_goes_before_a_cycle() {
    ReportedGraph cycle =
        ReportedGraph.empty().withSource(1).withSink(2).withEdge(1, 1, 2).withEdge(1, 2, 1);
    assertThat(cycle.build(SMALL))
        .isEqualTo(new JobGraphBuilder.Built.Inconsistent(Inconsistency.CYCLE));
    assertThat(cycle.withEdge(1, 1, 2).withEdge(1, 1, 2).build(SMALL))
        .isEqualTo(new JobGraphBuilder.Built.TooLarge(Excess.EDGES));
  }

  @Test
  void L12_a_refused_shape_goes_before_a_limit_and_a_fault() {
    JobGraphBuilder builder = new JobGraphBuilder(7, SMALL);
    builder.fault(Inconsistency.MISSING_EDGES);
    ReportedGraph.chain(9).feed(builder);
    builder.refuse(Inconsistency.OTHER_JOB);
    builder.refuse(Inconsistency.LEGACY_SHAPE);
    assertThat(builder.build())
        .isEqualTo(new JobGraphBuilder.Built.Inconsistent(Inconsistency.OTHER_JOB));
  }

  @Test
  void L12_the_first_limit_passed_is_the_reason() {
    ReportedGraph report =
        ReportedGraph.empty().withSource(1, "123456789").withSource(2, null, null, null, null);
    assertThat(report.build(SMALL))
        .isEqualTo(new JobGraphBuilder.Built.TooLarge(Excess.STRING_BYTES));
  }

  @Test
  void L12_a_fault_goes_before_the_response_cap() {
    // The builder never writes, so an inconsistent graph can't come as far as the cap.
    ReportedGraph report = named("\u0001".repeat(8)).withEdge(1, 1, 1);
    assertThat(report.build(new GraphLimits(3, 3, 3, 8, 1)))
        .isEqualTo(new JobGraphBuilder.Built.Inconsistent(Inconsistency.SELF_LOOP));
  }

  @Test
  void L12_one_at_every_limit_at_once_is_accepted() {
    String name = "n".repeat(8);
    ReportedGraph report =
        ReportedGraph.empty()
            .with(new ReportedGraph.Node(1, NodeKind.SOURCE, name, Arrays.asList("a", null)))
            .with(new ReportedGraph.Node(2, NodeKind.TRANSFORM, name, List.of("b")))
            .with(new ReportedGraph.Node(3, NodeKind.SINK, name, null))
            .withEdge(1, 1, 2)
            .withEdge(1, 2, 3)
            .withEdge(2, 1, 3);
    assertThat(report.build(SMALL)).isInstanceOf(JobGraphBuilder.Built.Checked.class);
  }

  private static ReportedGraph named(String name) {
    return ReportedGraph.empty()
        .with(new ReportedGraph.Node(1, NodeKind.TRANSFORM, name, List.of()));
  }

  private static ReportedGraph repeatedEdge(int times) {
    ReportedGraph two = ReportedGraph.empty().withSource(1).withSink(2);
    return new ReportedGraph(
        7, two.nodes(), Collections.nCopies(times, new ReportedGraph.Edge(1, 1, 2)));
  }

  private static ReportedGraph nullPaths(int count) {
    return ReportedGraph.empty()
        .with(new ReportedGraph.Node(1, NodeKind.SOURCE, "n", Collections.nCopies(count, null)));
  }
}
