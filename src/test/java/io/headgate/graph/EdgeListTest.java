package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edges as reported come out as they went in, on both sides of every page. */
class EdgeListTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_023, 1_024, 1_025, 5_000})
  void edges_come_out_in_the_order_and_pipeline_in_which_they_went_in(int count) {
    Random random = new Random(count);
    List<String> in = new ArrayList<>();
    EdgeList edges = new EdgeList();
    int pipeline = 0;
    for (int i = 0; i < count; i++) {
      pipeline = random.nextInt(5) == 0 ? random.nextInt(4) - 1 : pipeline;
      long source = random.nextLong();
      long target = random.nextLong();
      edges.add(pipeline, source, target);
      in.add(pipeline + ": " + source + " > " + target);
    }
    List<String> out = new ArrayList<>();
    for (int run = 0, next = 0; run < edges.runs(); run++) {
      for (; next < edges.runEnd(run); next++) {
        out.add(edges.runPipeline(run) + ": " + edges.source(next) + " > " + edges.target(next));
      }
    }
    assertThat(edges.size()).isEqualTo(count);
    assertThat(out).isEqualTo(in);
    int[] pipelines = in.stream().mapToInt(e -> Integer.parseInt(e.split(":")[0])).toArray();
    assertThat(edges.distinctPipelines())
        .isEqualTo(Arrays.stream(pipelines).distinct().sorted().toArray());
  }
}
