package io.headgate.fn;

import io.vertx.core.buffer.Buffer;
import java.util.function.IntConsumer;

/** Whoever reads an output of a bundle. Called on one context; must not throw. */
public interface OutputReader {
  /**
   * Some bytes.
   *
   * @param taken to be told, on any thread, of how many of them the reader has really let go, all
   *     at once or little by little; until then they count as held, and others wait
   */
  void piece(Buffer bytes, IntConsumer taken);

  /** That was all, and the bundle has succeeded. */
  void end();

  /** That was not all: the bundle failed. */
  void fail(BundleFailure reason);
}
