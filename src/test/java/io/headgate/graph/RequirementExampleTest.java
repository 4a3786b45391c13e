package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The example of the requirement, to the byte. */
class RequirementExampleTest {
  private static final ReportedGraph EXAMPLE =
      ReportedGraph.of(733584788375093248L)
          .with(
              new ReportedGraph.Node(
                  3, NodeKind.SINK, "pipeline-1 [sink]", List.of("warehouse.orders")))
          .with(
              new ReportedGraph.Node(
                  1, NodeKind.SOURCE, "pipeline-1 [source]", List.of("sales.orders")))
          .with(new ReportedGraph.Node(2, NodeKind.TRANSFORM, "pipeline-1 [transform]", List.of()))
          .withEdge(1, 2, 3)
          .withEdge(1, 1, 2);

  @Test
  void L2_the_example_is_reproduced_byte_by_byte() throws IOException {
    assertThat(EXAMPLE.json()).isEqualTo(golden("requirement-example.json"));
  }

  @Test
  void L2_the_same_graph_gives_the_same_bytes_again_and_again() {
    JobGraph graph = EXAMPLE.checked();
    String first = ReportedGraph.json(graph);
    for (int i = 0; i < 10; i++) {
      assertThat(ReportedGraph.json(graph)).as("run %d of the same graph", i).isEqualTo(first);
    }
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = RequirementExampleTest.class.getResourceAsStream("/golden/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
