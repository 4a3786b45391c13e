package io.headgate.fn;

/** Why something that came on a stream is dropped: a closed set, for metrics. */
public enum Drop {
  /** Data for an instruction that is not active at this harness. */
  INACTIVE_DATA,
  /** A message that is no message of its kind. */
  MALFORMED,
  /** A message past the limit. */
  OVERSIZE,
  /** Log entries past the rate. */
  LOG_FLOOD
}
