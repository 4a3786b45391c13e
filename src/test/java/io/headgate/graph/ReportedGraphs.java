package io.headgate.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Arbitrary valid reports for properties: any ids, any well-formed names, any paths, no cycles. */
public final class ReportedGraphs {
  private ReportedGraphs() {}

  public static Arbitrary<ReportedGraph> valid() {
    Arbitrary<Long> ids =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(3, Arbitraries.longs().between(1, 60)),
            net.jqwik.api.Tuple.of(2, Arbitraries.longs()),
            net.jqwik.api.Tuple.of(
                1, Arbitraries.of(Long.MIN_VALUE, -1L, 0L, 10L, 9L, Long.MAX_VALUE)));
    Arbitrary<List<Long>> nodeIds = ids.list().uniqueElements().ofMinSize(1).ofMaxSize(40);
    return Combinators.combine(
            nodeIds, Arbitraries.longs().withoutEdgeCases(), Arbitraries.longs().greaterOrEqual(1))
        .as((distinct, seed, jobId) -> report(jobId, distinct, new Random(seed)));
  }

  private static ReportedGraph report(long jobId, List<Long> ids, Random random) {
    List<ReportedGraph.Node> nodes = new ArrayList<>();
    for (long id : ids) {
      NodeKind kind = NodeKind.values()[random.nextInt(3)];
      nodes.add(new ReportedGraph.Node(id, kind, text(random), paths(random)));
    }
    // An order that has nothing to do with the ids; edges run along it, so there is no cycle.
    List<Long> order = new ArrayList<>(ids);
    Collections.shuffle(order, random);
    List<ReportedGraph.Edge> edges = new ArrayList<>();
    for (int i = random.nextInt(3 * ids.size()); i > 0 && ids.size() > 1; i--) {
      int from = random.nextInt(ids.size() - 1);
      int to = from + 1 + random.nextInt(ids.size() - 1 - from);
      ReportedGraph.Edge edge =
          new ReportedGraph.Edge(pipeline(random), order.get(from), order.get(to));
      edges.addAll(Collections.nCopies(1 + random.nextInt(2), edge));
    }
    return new ReportedGraph(jobId, nodes, edges).shuffled(random.nextLong());
  }

  private static int pipeline(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> Integer.MIN_VALUE;
      case 1 -> Integer.MAX_VALUE;
      case 2 -> random.nextInt();
      default -> random.nextInt(12) - 1;
    };
  }

  private static @Nullable List<@Nullable String> paths(Random random) {
    if (random.nextInt(6) == 0) {
      return null;
    }
    String[] paths = new String[random.nextInt(6)];
    Arrays.setAll(
        paths,
        i ->
            switch (random.nextInt(8)) {
              case 0 -> null;
              case 1 -> "";
              case 2 -> "default.default.default";
              case 3 -> "Default.default.default";
              case 4 -> "shop.orders";
              case 5 -> " shop.orders";
              default -> text(random);
            });
    return Arrays.asList(paths);
  }

  /** Mostly plain, with every kind of character that is written in its own way. */
  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(9); i > 0; i--) {
      text.appendCodePoint(
          switch (random.nextInt(10)) {
            case 0 -> random.nextInt(0x20);
            case 1 -> "\"\\/\u007f".charAt(random.nextInt(4));
            case 2 -> 0x80 + random.nextInt(0x700);
            case 3 -> 0xE000 + random.nextInt(0x2000);
            case 4 -> 0x10000 + random.nextInt(0x100000);
            default -> 'A' + random.nextInt(58);
          });
    }
    return text.toString();
  }
}
