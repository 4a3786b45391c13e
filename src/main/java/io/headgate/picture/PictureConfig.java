package io.headgate.picture;

import java.time.Duration;

/**
 * How much a picture may cost. What is accepted as lineage and passes a cap is drawn in groups.
 *
 * @param nodes the most nodes that are drawn one by one
 * @param edges the most edges that are drawn one by one
 * @param deadline how long a request waits for its picture to be drawn
 */
public record PictureConfig(int nodes, int edges, Duration deadline) {
  /** {@code docs/benchmarks.md} has what a picture at these caps costs. */
  public static final PictureConfig DEFAULT = new PictureConfig(300, 1_000, Duration.ofSeconds(10));
}
