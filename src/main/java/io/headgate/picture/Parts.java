package io.headgate.picture;

import io.headgate.picture.Scene.Flow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parts of a scene that are connected within themselves and not with each other. Each is placed
 * by itself, so that pipelines stand under each other in their order.
 *
 * @param connected by their lowest pipeline, then by their first stage
 * @param loners indexes of stages without any flow
 */
record Parts(List<Part> connected, List<Integer> loners) {

  /**
   * One part.
   *
   * @param stages indexes into the scene, in order
   * @param flows those of the part, in the order of the scene
   */
  record Part(List<Integer> stages, List<Flow> flows) {
    /** Its pipelines, in order. */
    int[] pipelines() {
      return Scene.pipelines(flows);
    }

    /** Its flows as pairs of places in {@link #stages}. */
    List<int[]> edges() {
      Map<Integer, Integer> places = new TreeMap<>();
      stages.forEach(stage -> places.put(stage, places.size()));
      return flows.stream()
          .map(flow -> new int[] {place(places, flow.source()), place(places, flow.target())})
          .toList();
    }

    private static int place(Map<Integer, Integer> places, int stage) {
      return java.util.Objects.requireNonNull(places.get(stage));
    }
  }

  static Parts of(Scene scene) {
    int[] roots = new int[scene.stages().size()];
    for (int i = 0; i < roots.length; i++) {
      roots[i] = i;
    }
    boolean[] busy = new boolean[roots.length];
    for (Flow flow : scene.flows()) {
      busy[flow.source()] = true;
      busy[flow.target()] = true;
      int one = root(roots, flow.source());
      int other = root(roots, flow.target());
      roots[Math.max(one, other)] = Math.min(one, other);
    }
    Map<Integer, Part> parts = new TreeMap<>();
    List<Integer> loners = new ArrayList<>();
    for (int i = 0; i < roots.length; i++) {
      if (busy[i]) {
        parts
            .computeIfAbsent(root(roots, i), r -> new Part(new ArrayList<>(), new ArrayList<>()))
            .stages()
            .add(i);
      } else {
        loners.add(i);
      }
    }
    for (Flow flow : scene.flows()) {
      java.util.Objects.requireNonNull(parts.get(root(roots, flow.source()))).flows().add(flow);
    }
    List<Part> ordered = new ArrayList<>(parts.values());
    ordered.sort(Comparator.comparingInt(part -> part.pipelines()[0])); // stable
    return new Parts(ordered, loners);
  }

  private static int root(int[] roots, int stage) {
    int root = stage;
    while (roots[root] != root) {
      roots[root] = roots[roots[root]];
      root = roots[root];
    }
    return root;
  }
}
