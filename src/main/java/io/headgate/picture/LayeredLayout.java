package io.headgate.picture;

import io.headgate.graph.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.eclipse.elk.alg.layered.LayeredLayoutProvider;
import org.eclipse.elk.alg.layered.options.FixedAlignment;
import org.eclipse.elk.alg.layered.options.LayeredMetaDataProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.alg.layered.options.OrderingStrategy;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.math.ElkPadding;
import org.eclipse.elk.core.options.CoreOptions;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.options.EdgeRouting;
import org.eclipse.elk.core.util.NullElkProgressMonitor;
import org.eclipse.elk.graph.ElkBendPoint;
import org.eclipse.elk.graph.ElkEdge;
import org.eclipse.elk.graph.ElkEdgeSection;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.util.ElkGraphUtil;

/**
 * Places the boxes of one connected graph in columns from left to right, and lines between them
 * with right angles, by ELK's layered algorithm. The same graph always gets the same places: the
 * algorithm draws its random numbers from a fixed seed.
 *
 * <p>It takes up to seconds and can't be interrupted; between two of its forty or so steps it looks
 * at the deadline. Stateless and safe on any thread.
 */
final class LayeredLayout {
  /** Lines that pass as many columns as this make the layout take longer than anybody waits. */
  static final int MOST_PASSES = 15_000;

  /** From so many passed columns on, fewer ways of untangling are tried. */
  private static final int MANY_PASSES = 500;

  private static final int USUAL_TRIES = 7;
  private static final int FEW_TRIES = 2;
  private static final int SEED = 1;
  private static final double BETWEEN_COLUMNS = 56;
  private static final double BETWEEN_BOXES = 22;
  private static final double BETWEEN_LINES = 10;

  static {
    // Tells ELK how values of its own options are copied; without it no layout runs.
    LayoutMetaDataService.getInstance()
        .registerLayoutMetaDataProviders(new LayeredMetaDataProvider());
  }

  private LayeredLayout() {}

  /**
   * How many columns lines pass on their way, over all of them: what a layout costs grows with it.
   *
   * @param edges two indexes of boxes each
   */
  static long passes(int boxes, List<int[]> edges) {
    int[] column = columns(boxes, edges);
    long passes = 0;
    for (int[] edge : edges) {
      passes += Math.max(0, Math.abs(column[edge[1]] - column[edge[0]]) - 1);
    }
    return passes;
  }

  /** Of each box how many others are on the longest way to it; boxes of a cycle have any. */
  private static int[] columns(int boxes, List<int[]> edges) {
    List<List<Integer>> targets = new ArrayList<>();
    for (int box = 0; box < boxes; box++) {
      targets.add(new ArrayList<>());
    }
    int[] open = new int[boxes];
    for (int[] edge : edges) {
      targets.get(edge[0]).add(edge[1]);
      open[edge[1]]++;
    }
    List<Integer> free = new ArrayList<>();
    for (int box = 0; box < boxes; box++) {
      if (open[box] == 0) {
        free.add(box);
      }
    }
    int[] column = new int[boxes];
    for (int taken = 0; taken < free.size(); taken++) {
      int source = free.get(taken);
      for (int target : targets.get(source)) {
        column[target] = Math.max(column[target], column[source] + 1);
        if (--open[target] == 0) {
          free.add(target);
        }
      }
    }
    return column;
  }

  /**
   * Places boxes of these sizes.
   *
   * @param edges two indexes of boxes each
   * @throws CancellationException if the deadline passes
   */
  static Placement place(int[] widths, int[] heights, List<int[]> edges, Deadline deadline) {
    ElkNode graph = ElkGraphUtil.createGraph();
    boolean many = passes(widths.length, edges) > MANY_PASSES;
    graph.setProperty(CoreOptions.DIRECTION, Direction.RIGHT);
    graph.setProperty(CoreOptions.EDGE_ROUTING, EdgeRouting.ORTHOGONAL);
    graph.setProperty(CoreOptions.SEPARATE_CONNECTED_COMPONENTS, false);
    graph.setProperty(CoreOptions.RANDOM_SEED, SEED);
    graph.setProperty(CoreOptions.PADDING, new ElkPadding(0));
    graph.setProperty(LayeredOptions.THOROUGHNESS, many ? FEW_TRIES : USUAL_TRIES);
    // Boxes stand in their order where lines don't mind, and in the middle of what they feed.
    graph.setProperty(
        LayeredOptions.CONSIDER_MODEL_ORDER_STRATEGY, OrderingStrategy.NODES_AND_EDGES);
    graph.setProperty(LayeredOptions.NODE_PLACEMENT_BK_FIXED_ALIGNMENT, FixedAlignment.BALANCED);
    graph.setProperty(CoreOptions.SPACING_NODE_NODE, BETWEEN_BOXES);
    graph.setProperty(CoreOptions.SPACING_EDGE_EDGE, BETWEEN_LINES);
    graph.setProperty(LayeredOptions.SPACING_NODE_NODE_BETWEEN_LAYERS, BETWEEN_COLUMNS);
    graph.setProperty(LayeredOptions.SPACING_EDGE_EDGE_BETWEEN_LAYERS, BETWEEN_LINES);
    List<ElkNode> boxes = new ArrayList<>(widths.length);
    for (int box = 0; box < widths.length; box++) {
      ElkNode node = ElkGraphUtil.createNode(graph);
      node.setDimensions(widths[box], heights[box]);
      boxes.add(node);
    }
    List<ElkEdge> lines = new ArrayList<>(edges.size());
    for (int[] edge : edges) {
      lines.add(ElkGraphUtil.createSimpleEdge(boxes.get(edge[0]), boxes.get(edge[1])));
    }
    new LayeredLayoutProvider().layout(graph, new Clock(deadline));
    if (deadline.passed()) {
      throw new CancellationException("the layout is late");
    }
    return new Placement(
        boxes.stream().mapToInt(box -> round(box.getX())).toArray(),
        boxes.stream().mapToInt(box -> round(box.getY())).toArray(),
        lines.stream().map(LayeredLayout::route).toList(),
        round(graph.getWidth()),
        round(graph.getHeight()));
  }

  /** Has the layout end at its next step once the deadline has passed. */
  private static final class Clock extends NullElkProgressMonitor {
    private final Deadline deadline;

    Clock(Deadline deadline) {
      this.deadline = deadline;
    }

    @Override
    public boolean isCanceled() {
      return deadline.passed();
    }
  }

  private static int[] route(ElkEdge line) {
    ElkEdgeSection section = line.getSections().get(0);
    List<ElkBendPoint> bends = section.getBendPoints();
    int[] points = new int[2 * bends.size() + 4];
    int at = 0;
    points[at++] = round(section.getStartX());
    points[at++] = round(section.getStartY());
    for (ElkBendPoint bend : bends) {
      points[at++] = round(bend.getX());
      points[at++] = round(bend.getY());
    }
    points[at++] = round(section.getEndX());
    points[at] = round(section.getEndY());
    return points;
  }

  private static int round(double pixels) {
    return (int) Math.round(pixels);
  }
}
