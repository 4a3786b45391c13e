package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.GraphLimits;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraph;
import io.headgate.graph.Lookup;
import io.headgate.graph.NameForm;
import io.headgate.graph.ReferenceProjection;
import io.headgate.graph.ReportedGraph;
import io.headgate.graph.ReportedGraphs;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One graph in the shapes of all engines (L26), and the shape that is none (L27). */
class EngineShapesTest {
  @Provide
  Arbitrary<ReportedGraph> reports() {
    return ReportedGraphs.valid();
  }

  @Property(tries = 500)
  void L26_a_graph_in_shape_A_M_and_S_gives_the_same_bytes(
      @ForAll("reports") ReportedGraph any, @ForAll Random random) {
    ReportedGraph report = withoutPaths(any);
    Shapes shapes = Shapes.varied(random);
    String expected = ReferenceProjection.json(report);
    assertThat(read(report, shapes.a(report), random)).as("shape A").isEqualTo(expected);
    assertThat(read(report, shapes.m(report), random)).as("shape M").isEqualTo(expected);
    assertThat(read(report, shapes.s(report), random)).as("shape S").isEqualTo(expected);
  }

  @Property(tries = 500)
  void L26_shape_A_with_paths_gives_what_the_rules_say(
      @ForAll("reports") ReportedGraph report, @ForAll Random random) {
    assertThat(read(report, Shapes.varied(random).a(report), random))
        .isEqualTo(ReferenceProjection.json(report));
  }

  private static String read(ReportedGraph report, String dag, Random random) {
    String body = Shapes.varied(random).active(report.jobId(), dag);
    int chunk = 1 + random.nextInt(64);
    return Reading.json(
        Reading.read(
            body.getBytes(StandardCharsets.UTF_8), report.jobId(), chunk, GraphLimits.DEFAULT));
  }

  private static ReportedGraph withoutPaths(ReportedGraph report) {
    return new ReportedGraph(
        report.jobId(),
        report.nodes().stream()
            .map(n -> new ReportedGraph.Node(n.id(), n.kind(), n.name(), null))
            .toList(),
        report.edges());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"vertices\":[],\"edges\":[]}",
        "{\"edges\":[{\"inputVertex\":\"a\",\"targetVertex\":\"b\"}]}",
        "{\"vertices\":[{\"id\":1,\"name\":\"a\"}],\"edges\":[]}",
        "{\"jobId\":\"7\",\"vertices\":[]}",
        "{\"vertices\":null,\"edges\":null}",
        "\"{\\\"vertices\\\":[],\\\"edges\\\":[]}\""
      })
  void L27_the_logical_plan_is_recognised_and_never_guessed_at(String dag) {
    assertThat(Reading.read(Shapes.plain().active(7, dag)))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.LEGACY_SHAPE, false));
  }

  @Test
  void L27_members_of_the_logical_plan_beside_a_graph_do_not_make_it_one() {
    ReportedGraph report = ReportedGraph.chain(3);
    String dag = Shapes.plain().a(report).replaceFirst("\\{", "{\"vertices\":[],\"edges\":[],");
    assertThat(Reading.json(Reading.read(Shapes.plain().active(7, dag)))).isEqualTo(report.json());
  }

  @Test
  void L27_the_logical_plan_goes_before_any_limit() {
    String dag = "{\"vertices\":[" + "{},".repeat(20_000) + "{}],\"edges\":[]}";
    assertThat(Reading.read(Shapes.plain().active(7, dag)))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.LEGACY_SHAPE, false));
  }

  @Test
  void L22b_the_two_recorded_numberings_of_one_job_are_answered_with_the_same_bytes() {
    JobGraph first = recorded("31_branch_repeat_A");
    JobGraph second = recorded("31_branch_repeat_B");
    assertThat(ReportedGraph.json(second))
        .as("the recordings differ in their ids, or this test shows nothing")
        .isNotEqualTo(ReportedGraph.json(first));
    NameForm firstForm = NameForm.of(first);
    NameForm secondForm = NameForm.of(second);
    assertThat(secondForm.digest()).isEqualTo(firstForm.digest());
    assertThat(ReportedGraph.json(secondForm.renumber(second, firstForm.idsInNameOrder(first))))
        .isEqualTo(ReportedGraph.json(first));
  }

  private static JobGraph recorded(String name) {
    Recording recording = Recording.of("2.3.9-SNAPSHOT-20241023-v2", name);
    return ((Lookup.Found) Reading.read(recording.body(), recording.jobId())).graph();
  }
}
