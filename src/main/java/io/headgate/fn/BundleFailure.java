package io.headgate.fn;

import io.headgate.observe.Meters;

/** Why a bundle failed: a closed set, for results and metrics. */
public enum BundleFailure {
  /** The harness's Control stream ended, or broke. */
  HARNESS_LOST,
  /** The harness answered with an error; its log may say why. */
  HARNESS_ERROR,
  /** The harness answered with a response of another kind. */
  WRONG_RESPONSE,
  /** The harness did not take the descriptor, or not in time. */
  NOT_REGISTERED,
  /** The harness took too long. */
  DEADLINE,
  /** The Data stream ended, or broke, before every logical stream had. */
  DATA_LOST,
  /** Something came on a logical stream that had ended. */
  DATA_AFTER_END,
  /** Data came for a port that the descriptor does not have. */
  UNKNOWN_PORT,
  /** An output was not opened in time. */
  OUTPUT_NOT_OPENED,
  /** A reader took nothing for too long, although there was something. */
  READER_IDLE,
  /** A reader went away. */
  READER_LEFT,
  /** A writer went away, or did not end properly. */
  INPUT_BROKEN,
  /** A state write was answered with an error. */
  STATE_WRITE_REFUSED,
  /** The state that the bundle wrote could not be made visible. */
  STATE_NOT_COMMITTED,
  /** Nobody can say whether the state that the bundle wrote has become visible. */
  STATE_UNCERTAIN,
  /** A state request was lost, and nobody can say whose. */
  STATE_LOST,
  /** The runner cancelled it. */
  CANCELLED,
  /** The gateway is being stopped. */
  STOPPING;

  /** The word for metrics. */
  public String label() {
    return Meters.label(this);
  }
}
