package io.headgate.picture;

import io.headgate.graph.Deadline;
import io.headgate.wire.Digests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The painter that there is: every node and edge where they are few enough, groups else. */
public final class SvgPainter implements Painter {
  /**
   * Which way of drawing this is. A change that makes other bytes of the same answer needs another
   * number, or clients would keep the old picture; a test reminds of it.
   */
  static final int EDITION = 2;

  private final PictureConfig config;
  private final int cap;

  /**
   * @param cap the most bytes a picture may have
   */
  public SvgPainter(PictureConfig config, int cap) {
    this.config = config;
    this.cap = cap;
  }

  @Override
  public Duration deadline() {
    return config.deadline();
  }

  @Override
  public String tag(String lineageTag) {
    String text = EDITION + " " + config.nodes() + " " + config.edges() + " " + lineageTag;
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return Digests.etag(bytes, bytes.length);
  }

  @Override
  public Painting paint(byte[] lineage, Deadline deadline) {
    Scene scene = LineageReader.read(lineage);
    if (scene.stages().size() > config.nodes() || scene.flows().size() > config.edges()) {
      return grouped(
          scene,
          "Drawn in groups: one by one, at most "
              + config.nodes()
              + " nodes and "
              + config.edges()
              + " edges are drawn");
    }
    FullPicture picture = new FullPicture(scene, deadline);
    if (picture.passes() <= LayeredLayout.MOST_PASSES) {
      try {
        return new Painting(picture.draw(cap), false);
      } catch (StackOverflowError e) {
        // The layout recurses; a graph that is too deep for it is no reason to end the JVM.
      }
    }
    return grouped(scene, "Drawn in groups: its edges are too long to be drawn one by one");
  }

  private Painting grouped(Scene scene, String remark) {
    return new Painting(GroupedPicture.draw(scene, remark, cap), true);
  }
}
