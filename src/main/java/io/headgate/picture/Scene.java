package io.headgate.picture;

import io.headgate.graph.NodeKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a lineage answer tells, as far as a picture shows it; every text is a {@linkplain Labels
 * label} already. Immutable, in the order of the answer.
 *
 * @param subject what it is the lineage of, for a heading
 * @param origin which route has all of it
 * @param ofJob whether it is a job's graph, which has pipelines and data sets; else a bundle
 *     descriptor's
 * @param stages the nodes
 * @param flows the edges
 */
record Scene(String subject, String origin, boolean ofJob, List<Stage> stages, List<Flow> flows) {

  /**
   * A node.
   *
   * @param id as it is told; within a scene it names one node
   * @param name what people call it, perhaps nothing
   * @param details what else is known of it: the first paths, or the function's URN
   * @param further how many paths there are besides
   * @param notice what is missing, or null
   */
  record Stage(
      String id,
      NodeKind kind,
      String name,
      List<String> details,
      int further,
      @Nullable String notice) {}

  /**
   * An edge.
   *
   * @param pipeline the engine's number of its pipeline; 0 for a descriptor
   * @param source index of the stage where it begins
   * @param target index of the stage where it ends
   * @param side whether it is a side input
   */
  record Flow(int pipeline, int source, int target, boolean side) {}

  /** How many stages there are of {@code kind}. */
  int count(NodeKind kind) {
    return (int) stages.stream().filter(stage -> stage.kind() == kind).count();
  }

  /** How many stages miss something. */
  int notices() {
    return (int) stages.stream().filter(stage -> stage.notice() != null).count();
  }

  /** The pipelines that have edges, each once, in order. */
  int[] pipelines() {
    return pipelines(flows);
  }

  /** The pipelines of these edges, each once, in order. */
  static int[] pipelines(List<Flow> flows) {
    return flows.stream().mapToInt(Flow::pipeline).sorted().distinct().toArray();
  }
}
