package io.headgate.fn;

import java.time.Duration;

/**
 * How much harnesses and bundles may take.
 *
 * @param harnesses harnesses remembered, those that have left among them
 * @param outstanding instructions of one harness that await their answer
 * @param instructionDeadline time for an answer to register, progress and split
 * @param bundleDeadline time for a bundle, from its start to its last output taken
 * @param openWait time from a bundle's start until all of its outputs are open
 * @param readIdle time for which a reader may let bytes wait
 * @param inputBytes bytes of one input that wait for the Data stream before its writer is told to
 *     wait; and all that is taken before every output is open
 * @param streamBytes bytes of outputs of one harness that are held before its Data stream is paused
 * @param heldBytes bytes of outputs of all harnesses; past it a stream is paused while it has any
 * @param stagedBytes bytes of state that one bundle may write
 * @param allStagedBytes bytes of state that all open bundles may have written
 * @param logBytes bytes of log entries kept for one harness
 * @param logRate log entries of one harness a second; more are dropped
 * @param logKept how long a harness and its log are remembered after it has left
 */
public record FnLimits(
    int harnesses,
    int outstanding,
    Duration instructionDeadline,
    Duration bundleDeadline,
    Duration openWait,
    Duration readIdle,
    int inputBytes,
    int streamBytes,
    long heldBytes,
    int stagedBytes,
    long allStagedBytes,
    int logBytes,
    int logRate,
    Duration logKept) {
  /**
   * The contract's values where it gives one. Four megabytes a stream is one message of the largest
   * size, so pausing for it costs no speed; the rest keeps a gateway of 256 harnesses within a few
   * hundred megabytes.
   */
  public static final FnLimits DEFAULT =
      new FnLimits(
          256,
          64,
          Duration.ofSeconds(10),
          Duration.ofHours(1),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          256 << 10,
          4 << 20,
          ofHeap(64L << 20),
          16 << 20,
          ofHeap(64L << 20),
          256 << 10,
          1_000,
          Duration.ofMinutes(10));

  /** What all harnesses hold together is never more than an eighth of the heap. */
  private static long ofHeap(long most) {
    return Math.min(most, Runtime.getRuntime().maxMemory() / 8);
  }

  /** The same with other times. */
  public FnLimits withTimes(Duration otherBundleDeadline, Duration otherReadIdle) {
    return new FnLimits(
        harnesses,
        outstanding,
        instructionDeadline,
        otherBundleDeadline,
        openWait,
        otherReadIdle,
        inputBytes,
        streamBytes,
        heldBytes,
        stagedBytes,
        allStagedBytes,
        logBytes,
        logRate,
        logKept);
  }
}
