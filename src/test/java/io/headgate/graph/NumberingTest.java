package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One graph under several numberings (L22b). */
class NumberingTest {
  private static final ReportedGraph BASE =
      ReportedGraph.empty()
          .with(new ReportedGraph.Node(1, NodeKind.SOURCE, "in", List.of("a.b", "c.d")))
          .with(new ReportedGraph.Node(2, NodeKind.TRANSFORM, "mid", List.of()))
          .with(new ReportedGraph.Node(3, NodeKind.SINK, "out", List.of("e.f")))
          .withEdge(1, 1, 2)
          .withEdge(1, 2, 3);

  @Provide
  Arbitrary<ReportedGraph> reports() {
    return ReportedGraphs.valid();
  }

  @Property
  void L22b_renumbering_is_the_same_as_having_been_reported_under_the_new_ids(
      @ForAll("reports") ReportedGraph report, @ForAll Random random) {
    Map<Long, Long> numbering = numbering(report, random);
    JobGraph graph = report.checked();
    long[] newIds = new long[graph.nodeCount()];
    for (int rank = 0; rank < newIds.length; rank++) {
      newIds[rank] = numbering.get(graph.nodeId(rank));
    }
    assertThat(ReportedGraph.json(graph.renumbered(newIds)))
        .isEqualTo(renumbered(report, numbering).json());
  }

  @Property
  void L22b_two_numberings_of_one_graph_have_one_name_form(
      @ForAll("reports") ReportedGraph any, @ForAll Random random) {
    ReportedGraph report = uniquelyNamed(any);
    JobGraph first = report.checked();
    JobGraph second = renumbered(report, numbering(report, random)).checked();
    NameForm firstForm = NameForm.of(first);
    NameForm secondForm = NameForm.of(second);
    assertThat(firstForm).isNotNull();
    assertThat(secondForm).isNotNull();
    assertThat(secondForm.digest()).isEqualTo(firstForm.digest());
    JobGraph served = secondForm.renumber(second, firstForm.idsInNameOrder(first));
    assertThat(ReportedGraph.json(served)).isEqualTo(ReportedGraph.json(first));
  }

  static Stream<Arguments> otherGraphs() {
    List<ReportedGraph.Node> n = BASE.nodes();
    return Stream.of(
        Arguments.of("a name", node(0, new ReportedGraph.Node(1, NodeKind.SOURCE, "In", PATHS))),
        Arguments.of("a kind", node(0, new ReportedGraph.Node(1, NodeKind.SINK, "in", PATHS))),
        Arguments.of(
            "a path", node(0, new ReportedGraph.Node(1, NodeKind.SOURCE, "in", List.of("a.b")))),
        Arguments.of(
            "where one path ends and the next begins",
            node(0, new ReportedGraph.Node(1, NodeKind.SOURCE, "in", List.of("a.bc", ".d")))),
        Arguments.of(
            "an omitted path, so that there is a warning",
            node(0, new ReportedGraph.Node(1, NodeKind.SOURCE, "in", List.of("a.b", "c.d", "")))),
        Arguments.of("one edge more", BASE.withEdge(1, 1, 3)),
        Arguments.of("one edge less", new ReportedGraph(7, n, BASE.edges().subList(0, 1))),
        Arguments.of(
            "the pipeline of an edge",
            new ReportedGraph(7, n, List.of()).withEdge(1, 1, 2).withEdge(2, 2, 3)),
        Arguments.of(
            "the number of the only pipeline",
            new ReportedGraph(7, n, List.of()).withEdge(2, 1, 2).withEdge(2, 2, 3)),
        Arguments.of(
            "the direction of an edge",
            new ReportedGraph(7, n, List.of()).withEdge(1, 1, 2).withEdge(1, 3, 2)),
        Arguments.of("one node more", BASE.withSink(4, "e.f")));
  }

  private static final List<String> PATHS = List.of("a.b", "c.d");

  @ParameterizedTest(name = "{0}")
  @MethodSource("otherGraphs")
  void L22b_a_graph_that_differs_in_anything_but_ids_has_another_name_form(
      String difference, ReportedGraph other) {
    assertThat(NameForm.of(other.checked()).digest())
        .as("the digest should differ, because the graphs differ in %s", difference)
        .isNotEqualTo(NameForm.of(BASE.checked()).digest());
  }

  @Test
  void L22b_there_is_no_name_form_where_two_nodes_share_a_name() {
    ReportedGraph twice = node(2, new ReportedGraph.Node(3, NodeKind.SINK, "in", List.of("e.f")));
    assertThat(NameForm.of(twice.checked())).isNull();
    assertThat(NameForm.of(BASE.checked())).isNotNull();
  }

  @Test
  void L22b_an_empty_name_is_a_name() {
    ReportedGraph one = node(2, new ReportedGraph.Node(3, NodeKind.SINK, "", List.of("e.f")));
    ReportedGraph two = one.with(new ReportedGraph.Node(4, NodeKind.SINK, "", List.of("e.f")));
    assertThat(NameForm.of(one.checked())).isNotNull();
    assertThat(NameForm.of(two.checked())).isNull();
  }

  @Test
  void L22b_the_ids_in_name_order_follow_the_names() {
    JobGraph graph =
        ReportedGraph.empty()
            .with(new ReportedGraph.Node(5, NodeKind.SOURCE, "c", PATHS))
            .with(new ReportedGraph.Node(6, NodeKind.SOURCE, "a", PATHS))
            .with(new ReportedGraph.Node(7, NodeKind.SOURCE, "b", PATHS))
            .checked();
    assertThat(NameForm.of(graph).idsInNameOrder(graph)).containsExactly(6, 7, 5);
  }

  @Test
  void L22b_ids_that_do_not_fit_the_graph_are_ignored() {
    JobGraph graph = BASE.checked();
    assertThat(NameForm.of(graph).renumber(graph, new long[] {1, 2})).isSameAs(graph);
  }

  @Test
  void L22b_a_graph_served_under_its_own_ids_stays_the_same_object() {
    JobGraph graph = BASE.checked();
    NameForm form = NameForm.of(graph);
    assertThat(form.renumber(graph, form.idsInNameOrder(graph))).isSameAs(graph);
  }

  private static ReportedGraph node(int index, ReportedGraph.Node node) {
    List<ReportedGraph.Node> nodes = new ArrayList<>(BASE.nodes());
    nodes.set(index, node);
    return new ReportedGraph(BASE.jobId(), nodes, BASE.edges());
  }

  private static Map<Long, Long> numbering(ReportedGraph report, Random random) {
    Set<Long> fresh = new HashSet<>();
    while (fresh.size() < report.nodes().size()) {
      fresh.add(random.nextBoolean() ? random.nextLong() : random.nextInt(100));
    }
    long[] ids = fresh.stream().mapToLong(Long::longValue).toArray();
    Map<Long, Long> numbering = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      numbering.put(report.nodes().get(i).id(), ids[i]);
    }
    return numbering;
  }

  private static ReportedGraph renumbered(ReportedGraph report, Map<Long, Long> numbering) {
    return new ReportedGraph(
        report.jobId(),
        report.nodes().stream()
            .map(n -> new ReportedGraph.Node(numbering.get(n.id()), n.kind(), n.name(), n.paths()))
            .toList(),
        report.edges().stream()
            .map(
                e ->
                    new ReportedGraph.Edge(
                        e.pipelineId(), numbering.get(e.sourceId()), numbering.get(e.targetId())))
            .toList());
  }

  private static ReportedGraph uniquelyNamed(ReportedGraph report) {
    List<ReportedGraph.Node> nodes = new ArrayList<>();
    for (ReportedGraph.Node node : report.nodes()) {
      String name = node.name() + "#" + nodes.size();
      nodes.add(new ReportedGraph.Node(node.id(), node.kind(), name, node.paths()));
    }
    return new ReportedGraph(report.jobId(), nodes, report.edges());
  }
}
