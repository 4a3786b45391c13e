package io.headgate.fn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a bundle is, at one moment.
 *
 * @param id the bundle's id, which is its instruction's
 * @param harness the harness that runs it
 * @param descriptor the descriptor that it runs through
 * @param phase where in its life it is
 * @param failure why it failed, if it did
 */
public record BundleStatus(
    String id,
    String harness,
    String descriptor,
    Phase phase,
    @Nullable BundleFailure failure,
    List<Input> inputs,
    List<Output> outputs) {
  /** Where in its life a bundle is. */
  public enum Phase {
    /** Its harness is being given the descriptor. */
    REGISTERING,
    /** Its harness is at work, or its outputs are being read. */
    RUNNING,
    /** Everything has come and was read; its state is being made visible. */
    COMMITTING,
    /** It is over, and everything that it wrote counts. */
    SUCCEEDED,
    /** It is over, and nothing that it wrote counts. */
    FAILED;

    /** Whether it is over. */
    public boolean isEnd() {
      return this == SUCCEEDED || this == FAILED;
    }
  }

  /**
   * An input.
   *
   * @param bytes what its writer has given
   * @param ended whether that is all
   */
  public record Input(PortId port, long bytes, boolean ended) {}

  /**
   * An output.
   *
   * @param bytes what has come from the harness
   * @param opened whether it has a reader
   * @param ended whether that is all
   */
  public record Output(PortId port, long bytes, boolean opened, boolean ended) {}

  public BundleStatus {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }
}
