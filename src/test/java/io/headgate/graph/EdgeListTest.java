package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edges as reported come out as they went in, on both sides of every page and of every width. */
class EdgeListTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_023, 1_024, 1_025, 5_000})
  void edges_between_small_ids_come_out_as_they_went_in(int count) {
    assertKept(count, id -> (int) id);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_024, 5_000})
  void edges_between_ids_of_any_size_come_out_as_they_went_in(int count) {
    assertKept(count, id -> id);
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 31, -(1L << 31) - 1, Long.MIN_VALUE, Long.MAX_VALUE})
  void one_large_id_after_many_small_ones_changes_none_of_them(long large) {
    assertKept(3_000, id -> id % 2_500 == 7 ? large : (int) id);
  }

  @ParameterizedTest
  @ValueSource(longs = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0})
  void the_outermost_small_ids_come_out_as_they_went_in(long id) {
    assertKept(10, any -> id);
  }

  private static void assertKept(int count, LongUnaryOperator ids) {
    Random random = new Random(count);
    List<String> in = new ArrayList<>();
    EdgeList edges = new EdgeList();
    int pipeline = 0;
    for (int i = 0; i < count; i++) {
      pipeline = random.nextInt(5) == 0 ? random.nextInt(4) - 1 : pipeline;
      long source = ids.applyAsLong(random.nextLong());
      long target = ids.applyAsLong(random.nextLong());
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
