package io.headgate.picture;

import io.headgate.graph.Deadline;
import java.time.Duration;

/**
 * Draws the picture of a lineage answer.
 *
 * <p>A picture is a function of the answer's bytes and of the configuration and nothing else: the
 * same bytes give the same picture, on every gateway and JVM. So its entity tag can be told before
 * it is drawn. Safe on any thread.
 */
public interface Painter {
  /** How long a request waits for a picture. */
  Duration deadline();

  /**
   * The strong entity tag of the picture of an answer.
   *
   * @param lineageTag the answer's own, which no answer with other bytes has
   */
  String tag(String lineageTag);

  /**
   * Draws; takes from less than a millisecond to seconds.
   *
   * @param lineage the bytes of a lineage answer of this gateway, a job's or a descriptor's
   * @param deadline what can still be left undone once it passes, is
   * @throws io.headgate.wire.CapExceededException if the picture has too many bytes
   * @throws java.util.concurrent.CancellationException if the deadline passes
   */
  Painting paint(byte[] lineage, Deadline deadline);
}
