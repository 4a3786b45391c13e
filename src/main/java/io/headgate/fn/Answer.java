package io.headgate.fn;

import io.vertx.core.buffer.Buffer;

/** What came of an instruction. Of one, exactly one of these becomes known. */
public sealed interface Answer {
  /** The harness has the descriptor. */
  record Registered() implements Answer {}

  /** The harness is done with the bundle; its outputs may still be on their way. */
  record Processed() implements Answer {}

  /** How far a bundle is; see the protocol for the units. */
  record Progress(double finishedWork, double backlog) implements Answer {}

  /** The splits, as the harness sent them: the bytes of a {@code ProcessBundleSplitResponse}. */
  record Split(Buffer splits) implements Answer {}

  /**
   * The harness says that it failed.
   *
   * @param error why; foreign text
   */
  record Failed(String error) implements Answer {}

  /** A response that is neither an error nor of the kind asked for. */
  record Unfit() implements Answer {}

  /** It was not sent: no place was free, or the harness does not read. */
  record Busy() implements Answer {}

  /** None came in time. */
  record Overdue() implements Answer {}

  /** None can come: the stream is gone. */
  record Lost() implements Answer {}
}
