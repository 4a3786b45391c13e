package io.headgate.picture;

import io.headgate.graph.NodeKind;
import io.headgate.picture.Scene.Flow;
import io.headgate.picture.Scene.Stage;
import io.headgate.wire.CappedBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a graph with too many nodes or edges to draw each: a row a pipeline, in it a box a
 * kind, with counts. It needs no layout. One object a picture; not thread-safe.
 */
final class GroupedPicture {
  /** So many pipelines have rows of their own; those behind them share one. */
  static final int ROWS = 40;

  private static final int MARGIN = 24;
  private static final int SUB = 26;
  private static final int GAP = 34;
  private static final int BETWEEN = 150;
  private static final Svg.Font LABEL = new Svg.Font(Card.FONT, 11, null);
  private static final NodeKind[] KINDS = NodeKind.values();

  private final Scene scene;
  private final List<Row> rows = new ArrayList<>();
  private final int[] columns = new int[KINDS.length];
  private final int width;

  /** A row of the picture. */
  private final class Row {
    final String name;
    final BitSet stages = new BitSet();

    /** Edges by the kinds at their ends. */
    final int[][] edges = new int[KINDS.length][KINDS.length];

    final @Nullable Card[] cards = new @Nullable Card[KINDS.length];
    int height;

    Row(String name) {
      this.name = name;
    }

    void add(Flow flow) {
      stages.set(flow.source());
      stages.set(flow.target());
      edges[kind(flow.source())][kind(flow.target())]++;
    }

    void finish() {
      for (NodeKind kind : KINDS) {
        int count = 0;
        int notices = 0;
        for (int i = stages.nextSetBit(0); i >= 0; i = stages.nextSetBit(i + 1)) {
          Stage stage = scene.stages().get(i);
          if (stage.kind() == kind) {
            count++;
            notices += stage.notice() == null ? 0 : 1;
          }
        }
        if (count > 0) {
          Card card = card(kind, count, notices);
          cards[kind.ordinal()] = card;
          height = Math.max(height, card.height(0));
        }
      }
    }

    private Card card(NodeKind kind, int count, int notices) {
      int own = edges[kind.ordinal()][kind.ordinal()];
      List<String> details =
          own == 0 ? List.of() : List.of(Heading.counted(own, "edge") + " among them");
      String what = scene.ofJob() ? " with missing metadata" : " with other side input";
      String name = Heading.counted(count, kind.name().toLowerCase(java.util.Locale.ROOT));
      return Card.group(kind, name, details, notices == 0 ? "" : notices + what);
    }
  }

  private GroupedPicture(Scene scene) {
    this.scene = scene;
    group();
    int x = MARGIN;
    for (int kind = 0; kind < KINDS.length; kind++) {
      columns[kind] = x;
      x += widest(kind) + BETWEEN;
    }
    width = x - BETWEEN + MARGIN;
  }

  /**
   * Draws one.
   *
   * @param remark why it is no full picture
   */
  static CappedBuffer draw(Scene scene, String remark, int cap) {
    return new GroupedPicture(scene).draw(remark, cap);
  }

  private int kind(int stage) {
    return scene.stages().get(stage).kind().ordinal();
  }

  private void group() {
    Map<Integer, Row> pipelines = new TreeMap<>();
    int[] numbers = scene.pipelines();
    for (int i = 0; i < Math.min(numbers.length, ROWS); i++) {
      pipelines.put(numbers[i], new Row(scene.ofJob() ? "Pipeline " + numbers[i] : "Connected"));
    }
    Row rest = new Row(Heading.counted(numbers.length - ROWS, "further pipeline"));
    Row loners = new Row("Without edges");
    loners.stages.set(0, scene.stages().size());
    for (Flow flow : scene.flows()) {
      pipelines.getOrDefault(flow.pipeline(), rest).add(flow);
      loners.stages.clear(flow.source());
      loners.stages.clear(flow.target());
    }
    rows.addAll(pipelines.values());
    rows.add(rest);
    rows.add(loners);
    rows.removeIf(row -> row.stages.isEmpty());
    rows.forEach(Row::finish);
  }

  private int widest(int kind) {
    int widest = 0;
    for (Row row : rows) {
      Card card = row.cards[kind];
      widest = Math.max(widest, card == null ? 0 : card.width);
    }
    return widest;
  }

  private CappedBuffer draw(String remark, int cap) {
    List<String> remarks = new ArrayList<>(List.of(remark, "All of it as JSON: " + scene.origin()));
    if (scene.pipelines().length > 1) {
      remarks.add("A node of several pipelines is counted in each of their rows");
    }
    Heading heading = new Heading(scene, remarks);
    int whole = Math.max(width, heading.width() + 2 * MARGIN);
    int height = heading.height() + MARGIN;
    for (Row row : rows) {
      height += SUB + row.height + GAP;
    }
    Svg svg = new Svg(cap, whole, height, heading.title(), heading.description());
    svg.leaf("rect", "width", whole, "height", height, "fill", Palette.BACKGROUND);
    heading.draw(svg, MARGIN);
    int y = heading.height() + SUB;
    for (int i = 0; i < rows.size(); i++) {
      draw(svg, rows.get(i), i, y);
      y += SUB + rows.get(i).height + GAP;
    }
    return svg.end();
  }

  private void draw(Svg svg, Row row, int index, int y) {
    Heading.sub(svg, MARGIN, y - 10, row.name);
    for (NodeKind source : KINDS) {
      for (NodeKind target : KINDS) {
        int count = row.edges[source.ordinal()][target.ordinal()];
        if (source != target && count > 0) {
          arrow(svg, row, source.ordinal(), target.ordinal(), count, y);
        }
      }
    }
    for (int kind = 0; kind < KINDS.length; kind++) {
      Card card = row.cards[kind];
      if (card != null) {
        card.draw(svg, "row-" + index + "-" + KINDS[kind], columns[kind], y, row.height);
      }
    }
  }

  /** Neighbours are joined straight, others by a line under the boxes. */
  private void arrow(Svg svg, Row row, int source, int target, int count, int y) {
    Card from = row.cards[source];
    Card to = row.cards[target];
    if (from == null || to == null) {
      return;
    }
    String label = Heading.counted(count, "edge");
    svg.open("g");
    svg.text("title", label + " from " + KINDS[source] + " to " + KINDS[target]);
    int right = columns[source] + from.width;
    if (target == source + 1) {
      int middle = row.height / 2;
      arrow(svg, new int[] {right, middle, columns[target], middle}, y);
      label(svg, label, right + 12, y + middle - 6);
    } else {
      int below = row.height + 14;
      int down = columns[source] + from.width / 2 + (target > source ? 0 : 30);
      int up = columns[target] + to.width / 2 + (target > source ? 0 : 30);
      int low = below + (target > source ? 0 : 8);
      arrow(svg, new int[] {down, row.height, down, low, up, low, up, row.height}, y);
      label(svg, label, Math.min(down, up) + 12, y + low - 4);
    }
    svg.close();
  }

  private static void arrow(Svg svg, int[] points, int y) {
    Palette.arrow(svg, points, 0, y, Palette.line(0), false);
  }

  private static void label(Svg svg, String text, int x, int y) {
    svg.line(text, x, y, LABEL, Palette.FAINT_TEXT);
  }
}
