package io.headgate.graph;

/**
 * How large a graph may be (the limits table of the lineage contract). All are inclusive: exactly
 * at a limit is accepted, one over is not (L12).
 *
 * @param nodes stages in the job
 * @param edges edges as reported, before repeated ones are dropped
 * @param paths path entries over the whole graph as reported: null, default, repeated and
 *     transforms' entries included
 * @param stringBytes UTF-8 bytes of one name or one path
 * @param responseBytes UTF-8 bytes of the JSON response
 */
public record GraphLimits(int nodes, int edges, int paths, int stringBytes, int responseBytes) {
  /** The requirement's review values; {@code docs/benchmarks.md} argues them from measurements. */
  public static final GraphLimits DEFAULT =
      new GraphLimits(10_000, 50_000, 50_000, 4_096, 8 * 1024 * 1024);
}
