package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A snapshot is immutable once checked (L2): nobody who had a hand in it can change it later. */
class ImmutableGraphTest {
  private static final ReportedGraph REPORT =
      ReportedGraph.empty()
          .withSource(1, "a.b", "c.d")
          .withSink(2, "e.f")
          .withEdge(1, 1, 2)
          .withEdge(2, 1, 2);

  @Test
  void L2_what_the_caller_does_with_its_own_lists_afterwards_changes_nothing() {
    List<String> paths = new ArrayList<>(List.of("x", "a"));
    JobGraph graph =
        ReportedGraph.empty()
            .with(new ReportedGraph.Node(1, NodeKind.SOURCE, "n", paths))
            .checked();
    String before = ReportedGraph.json(graph);
    paths.set(0, "changed");
    paths.clear();
    assertThat(ReportedGraph.json(graph)).isEqualTo(before);
  }

  @Test
  void L2_the_paths_that_are_handed_out_can_not_be_changed() {
    JobGraph graph = REPORT.checked();
    List<String> paths = graph.paths(0);
    assertThatThrownBy(() -> paths.set(0, "changed"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> paths.add("more")).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void L2_feeding_the_builder_on_does_not_reach_the_graph_it_has_built() {
    JobGraphBuilder builder = new JobGraphBuilder(7, GraphLimits.DEFAULT);
    REPORT.feed(builder);
    JobGraph graph = ((JobGraphBuilder.Built.Checked) builder.build()).graph();
    String before = ReportedGraph.json(graph);
    ReportedGraph.empty().withSource(3, "y.z").withEdge(1, 2, 3).feed(builder);
    builder.exceed(Excess.NODES);
    assertThat(ReportedGraph.json(graph)).isEqualTo(before);
  }

  @Test
  void L2_writing_a_graph_does_not_change_it() {
    JobGraph graph = REPORT.checked();
    byte[] first = GraphWriter.write(graph, 1 << 20).array();
    Arrays.fill(first, (byte) '!');
    assertThat(ReportedGraph.json(graph)).isEqualTo(ReferenceProjection.json(REPORT));
  }

  @Test
  void L22b_the_array_of_new_ids_stays_the_callers() {
    JobGraph graph = REPORT.checked();
    String before = ReportedGraph.json(graph);
    long[] newIds = {20, 10};
    JobGraph renumbered = graph.renumbered(newIds);
    String after = ReportedGraph.json(renumbered);
    assertThat(newIds).as("the caller's array").containsExactly(20, 10);
    Arrays.fill(newIds, 99);
    assertThat(ReportedGraph.json(renumbered)).isEqualTo(after);
    assertThat(ReportedGraph.json(graph)).as("the graph that was renumbered").isEqualTo(before);
  }

  @Test
  void L22b_a_name_form_hands_out_copies() {
    JobGraph graph = REPORT.checked();
    NameForm form = NameForm.of(graph);
    byte[] digest = form.digest();
    long[] ids = form.idsInNameOrder(graph);
    byte[] expectedDigest = digest.clone();
    long[] expectedIds = ids.clone();
    Arrays.fill(digest, (byte) 0);
    Arrays.fill(ids, 0);
    assertThat(form.digest()).isEqualTo(expectedDigest);
    assertThat(form.idsInNameOrder(graph)).isEqualTo(expectedIds);
  }
}
