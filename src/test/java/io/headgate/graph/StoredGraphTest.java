package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.wire.CapExceededException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Graphs as a store keeps them. */
class StoredGraphTest {
  private static final int CAP = 1 << 20;

  @Provide
  Arbitrary<ReportedGraph> reports() {
    return ReportedGraphs.valid();
  }

  @Property
  void L2_a_graph_that_was_stored_gives_the_very_same_response(
      @ForAll("reports") ReportedGraph report) {
    JobGraph graph = report.checked();
    JobGraph read = decoded(GraphCodec.encode(graph, CAP), GraphLimits.DEFAULT);
    assertThat(ReportedGraph.json(read)).isEqualTo(ReportedGraph.json(graph));
    assertThat(GraphCodec.encode(read, CAP)).isEqualTo(GraphCodec.encode(graph, CAP));
  }

  @Property
  void L2_one_graph_is_stored_as_the_same_bytes_however_it_is_reported(
      @ForAll("reports") ReportedGraph report, @ForAll long seed) {
    assertThat(GraphCodec.encode(report.shuffled(seed).checked(), CAP))
        .isEqualTo(GraphCodec.encode(report.checked(), CAP));
  }

  @Test
  void L12_a_graph_takes_at_most_the_cap() {
    JobGraph graph = ReportedGraph.chain(20).checked();
    int length = GraphCodec.encode(graph, CAP).length;
    assertThat(GraphCodec.encode(graph, length)).hasSize(length);
    assertThatThrownBy(() -> GraphCodec.encode(graph, length - 1))
        .isInstanceOf(CapExceededException.class);
  }

  @ParameterizedTest(name = "{0} nodes, {1} edges, {2} paths, {3} bytes: {4}")
  @CsvSource({
    "3, 2, 2, 4,", //
    "2, 2, 2, 4, NODES",
    "3, 1, 2, 4, EDGES",
    "3, 2, 1, 4, PATHS",
    "3, 2, 2, 3, STRING_BYTES"
  })
  void L12_limits_that_have_become_smaller_hold_for_stored_graphs_too(
      int nodes, int edges, int paths, int stringBytes, Excess excess) {
    JobGraph graph =
        ReportedGraph.chain(2)
            .with(new ReportedGraph.Node(3, NodeKind.SINK, "n3", List.of("abcd", "efgh")))
            .withEdge(1, 1, 3)
            .checked();
    GraphLimits limits = new GraphLimits(nodes, edges, paths, stringBytes, CAP);
    JobGraphBuilder.Built built = GraphCodec.decode(GraphCodec.encode(graph, CAP), limits);
    if (excess == null) {
      assertThat(built).isInstanceOf(JobGraphBuilder.Built.Checked.class);
    } else {
      assertThat(built).isEqualTo(new JobGraphBuilder.Built.TooLarge(excess));
    }
  }

  @Property
  void L10_spoiled_bytes_are_refused_or_a_consistent_graph_of_no_more_nodes_than_bytes(
      @ForAll("reports") ReportedGraph report, @ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = GraphCodec.encode(report.checked(), CAP);
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    byte[] spoiled = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    JobGraphBuilder.Built built = GraphCodec.decode(spoiled, GraphLimits.DEFAULT);
    if (built instanceof JobGraphBuilder.Built.Checked checked) {
      assertThat(4 * checked.graph().nodeCount()).isLessThanOrEqualTo(spoiled.length);
      assertThat(Cycles.hasCycle(checked.graph())).isFalse();
      ReportedGraph.json(checked.graph());
    }
  }

  @Test
  void L10_bytes_that_say_to_be_of_a_newer_version_or_of_none_are_unreadable() {
    byte[] bytes = GraphCodec.encode(ReportedGraph.chain(3).checked(), CAP);
    bytes[0]++;
    for (byte[] other : new byte[][] {bytes, {}, {0}, {1}, {'{', '}'}, new byte[100]}) {
      assertThat(GraphCodec.decode(other, GraphLimits.DEFAULT))
          .isEqualTo(new JobGraphBuilder.Built.Inconsistent(Inconsistency.UNREADABLE_GRAPH));
    }
  }

  @Test
  void L10_a_few_bytes_that_promise_millions_of_nodes_are_refused_at_once() {
    byte[] promise = {1, 7, -1, -1, -1, 127};
    assertThat(GraphCodec.decode(promise, GraphLimits.DEFAULT))
        .isEqualTo(new JobGraphBuilder.Built.Inconsistent(Inconsistency.UNREADABLE_GRAPH));
  }

  @Test
  void L10_bytes_allocate_a_small_multiple_of_themselves_whatever_they_say() {
    GraphLimits none =
        new GraphLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, CAP, CAP);
    byte[] nodes = new byte[1 << 20];
    nodes[0] = 1;
    nodes[1] = 7;
    nodes[2] = -128; // 4 zero bytes a node, as many of them as there is room for
    nodes[3] = -1;
    nodes[4] = 15;
    byte[] paths = nodes.clone();
    paths[2] = 1; // one node with a million empty paths
    paths[6] = -128;
    paths[7] = -1;
    paths[8] = 63;
    for (byte[] bytes : new byte[][] {nodes, paths}) {
      var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      GraphCodec.decode(bytes, none);
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated / bytes.length).as("bytes allocated for each byte").isLessThan(64);
    }
  }

  private static ReportedGraph sample() {
    return ReportedGraph.of(1179717812919205889L)
        .with(new ReportedGraph.Node(-3, NodeKind.SOURCE, "in", Arrays.asList("a.b", null)))
        .with(new ReportedGraph.Node(1, NodeKind.TRANSFORM, "", List.of()))
        .with(new ReportedGraph.Node(2, NodeKind.TRANSFORM, "\u4e2d \"via\"", null))
        .with(new ReportedGraph.Node(Long.MAX_VALUE, NodeKind.SINK, "out", List.of("c", "d")))
        .withEdge(1, -3, 1)
        .withEdge(1, 2, Long.MAX_VALUE)
        .withEdge(-7, 2, 1);
  }

  @Test
  void bytes_of_version_1_are_read_and_what_was_appended_since_is_passed_over() throws IOException {
    byte[] stored = resource("graph-1.hex");
    ReportedGraph sample = sample();
    assertThat(ReportedGraph.json(decoded(stored, GraphLimits.DEFAULT))).isEqualTo(sample.json());
    assertThat(HexFormat.of().formatHex(GraphCodec.encode(sample.checked(), CAP)))
        .as("what this version writes; a new field needs a new resource beside the old one")
        .isEqualTo(HexFormat.of().formatHex(stored));
    byte[] longer = Arrays.copyOf(stored, stored.length + 5);
    assertThat(ReportedGraph.json(decoded(longer, GraphLimits.DEFAULT))).isEqualTo(sample.json());
  }

  @Test
  void a_node_of_a_usual_job_takes_about_fifty_bytes_most_of_them_its_name_and_path() {
    JobGraph graph = usual(50).checked();
    byte[] bytes = GraphCodec.encode(graph, CAP);
    int text = 0;
    for (int rank = 0; rank < graph.nodeCount(); rank++) {
      text += graph.textBytes(rank);
    }
    assertThat(bytes.length / 50).as("bytes a node").isLessThan(60);
    assertThat((bytes.length - text) / 50).as("bytes a node besides its texts").isLessThan(8);
  }

  /** Names and paths of the lengths that the recordings have. */
  private static ReportedGraph usual(int count) {
    List<ReportedGraph.Node> nodes = new ArrayList<>();
    for (int id = 1; id <= count; id++) {
      NodeKind kind = NodeKind.values()[id % 3];
      String name = "pipeline-1 [" + kind + "[" + id + "]-Jdbc-orders]";
      nodes.add(
          new ReportedGraph.Node(
              id, kind, name, kind == NodeKind.TRANSFORM ? null : List.of("shop.orders_" + id)));
    }
    ReportedGraph chain = ReportedGraph.chain(count);
    return new ReportedGraph(chain.jobId(), nodes, chain.edges());
  }

  private static JobGraph decoded(byte[] bytes, GraphLimits limits) {
    JobGraphBuilder.Built built = GraphCodec.decode(bytes, limits);
    assertThat(built).isInstanceOf(JobGraphBuilder.Built.Checked.class);
    return ((JobGraphBuilder.Built.Checked) built).graph();
  }

  private static byte[] resource(String name) throws IOException {
    try (var in = StoredGraphTest.class.getResourceAsStream("/stored/" + name)) {
      assertThat(in).as(name).isNotNull();
      return HexFormat.of()
          .parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
    }
  }
}
