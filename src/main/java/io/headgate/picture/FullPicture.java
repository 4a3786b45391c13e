package io.headgate.picture;

import io.headgate.graph.Deadline;
import io.headgate.picture.Parts.Part;
import io.headgate.picture.Scene.Flow;
import io.headgate.picture.Scene.Stage;
import io.headgate.wire.CappedBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A picture of every node and every edge: connected parts under each other, each laid out from left
 * to right, and below them the nodes without edges. One object a picture; not thread-safe.
 */
final class FullPicture {
  private static final int MARGIN = 24;
  private static final int GAP = 26;
  private static final int SUB = 26;
  private static final int ROW_WIDTH = 1_000;

  /** So many edges are told in words, too. */
  private static final int TOLD = 20;

  /** Of so many pipelines a heading gives the numbers. */
  private static final int NUMBERED = 6;

  private final Scene scene;
  private final Deadline deadline;
  private final Parts parts;
  private final List<Card> cards;
  private final int[] heights;

  FullPicture(Scene scene, Deadline deadline) {
    this.scene = scene;
    this.deadline = deadline;
    parts = Parts.of(scene);
    cards = scene.stages().stream().map(Card::of).toList();
    int[] begins = new int[cards.size()];
    int[] ends = new int[cards.size()];
    for (Flow flow : scene.flows()) {
      begins[flow.source()]++;
      ends[flow.target()]++;
    }
    heights = new int[cards.size()];
    Arrays.setAll(heights, i -> cards.get(i).height(Math.max(begins[i], ends[i])));
  }

  /** How much there is to lay out; see {@link LayeredLayout#passes}. */
  long passes() {
    return parts.connected().stream()
        .mapToLong(part -> LayeredLayout.passes(part.stages().size(), part.edges()))
        .sum();
  }

  /** Draws it. */
  CappedBuffer draw(int cap) {
    List<Placement> placements = new ArrayList<>();
    for (Part part : parts.connected()) {
      int[] widths = part.stages().stream().mapToInt(i -> cards.get(i).width).toArray();
      int[] partHeights = part.stages().stream().mapToInt(i -> heights[i]).toArray();
      placements.add(LayeredLayout.place(widths, partHeights, part.edges(), deadline));
    }
    Heading heading = new Heading(scene, List.of());
    int widest = placements.stream().mapToInt(Placement::width).max().orElse(0);
    Placement loners = rows(Math.max(widest, ROW_WIDTH));
    int width = Math.max(heading.width(), Math.max(widest, loners.width())) + 2 * MARGIN;
    int height = heading.height() + MARGIN;
    for (Placement placement : placements) {
      height += SUB + placement.height() + GAP;
    }
    height += parts.loners().isEmpty() ? 0 : SUB + loners.height() + GAP;
    Svg svg = new Svg(cap, width, height, heading.title(), heading.description() + told());
    svg.leaf("rect", "width", width, "height", height, "fill", Palette.BACKGROUND);
    heading.draw(svg, MARGIN);
    int y = heading.height() + SUB;
    for (int i = 0; i < placements.size(); i++) {
      draw(svg, parts.connected().get(i), placements.get(i), y);
      y += placements.get(i).height() + GAP + SUB;
    }
    if (!parts.loners().isEmpty()) {
      Heading.sub(svg, MARGIN, y - 10, "Without edges");
      boxes(svg, parts.loners(), loners, y);
    }
    return svg.end();
  }

  /** Places the nodes without edges side by side, in as many rows as they need. */
  private Placement rows(int most) {
    List<Integer> loners = parts.loners();
    int[] x = new int[loners.size()];
    int[] y = new int[loners.size()];
    int right = 0;
    int top = 0;
    int bottom = 0;
    int widest = 0;
    for (int i = 0; i < x.length; i++) {
      int width = cards.get(loners.get(i)).width;
      if (right > 0 && right + width > most) {
        right = 0;
        top = bottom + GAP;
      }
      x[i] = right;
      y[i] = top;
      widest = Math.max(widest, right + width);
      right += width + GAP;
      bottom = Math.max(bottom, top + heights[loners.get(i)]);
    }
    return new Placement(x, y, List.of(), widest, bottom);
  }

  private void draw(Svg svg, Part part, Placement placement, int y) {
    int[] pipelines = part.pipelines();
    if (scene.ofJob()) {
      Heading.sub(svg, MARGIN, y - 10, heading(pipelines));
    }
    for (int i = 0; i < part.flows().size(); i++) {
      Flow flow = part.flows().get(i);
      int rank = Arrays.binarySearch(pipelines, flow.pipeline());
      if (scene.ofJob()) {
        svg.open("g", "data-pipeline", flow.pipeline());
      } else {
        svg.open("g");
      }
      svg.text("title", between(flow) + (flow.side() ? " (side input)" : ""));
      Palette.arrow(svg, placement.routes().get(i), MARGIN, y, Palette.line(rank), flow.side());
      svg.close();
    }
    boxes(svg, part.stages(), placement, y);
  }

  private static String heading(int[] pipelines) {
    String numbers =
        Arrays.stream(pipelines)
            .limit(NUMBERED)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    if (pipelines.length == 1) {
      return "Pipeline " + numbers;
    }
    return "Pipelines " + numbers + (pipelines.length > NUMBERED ? ", \u2026" : "");
  }

  private void boxes(Svg svg, List<Integer> stages, Placement placement, int y) {
    for (int i = 0; i < stages.size(); i++) {
      int stage = stages.get(i);
      cards
          .get(stage)
          .draw(
              svg,
              scene.stages().get(stage).id(),
              MARGIN + placement.x()[i],
              y + placement.y()[i],
              heights[stage]);
    }
  }

  private String told() {
    if (scene.flows().isEmpty()) {
      return "";
    }
    String told =
        scene.flows().stream().limit(TOLD).map(this::between).collect(Collectors.joining("; "));
    int more = scene.flows().size() - TOLD;
    return " Edges: " + told + (more > 0 ? "; and " + more + " more." : ".");
  }

  private String between(Flow flow) {
    return named(scene.stages().get(flow.source()))
        + " to "
        + named(scene.stages().get(flow.target()));
  }

  private static String named(Stage stage) {
    return stage.name().isEmpty() ? stage.id() : stage.name() + " (" + stage.id() + ")";
  }
}
