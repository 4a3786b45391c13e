package io.headgate.fn;

/** Why a runner's wish is not carried out: a closed set. Nothing has happened. */
public enum Refusal {
  /** No harness of this id has a Control stream. */
  NO_HARNESS,
  /** There is no descriptor of this id. */
  NO_DESCRIPTOR,
  /** There is no bundle of this id, or it ended too long ago. */
  NO_BUNDLE,
  /** The bundle has no such data port. */
  NO_PORT,
  /** The data port is in use, or has been. */
  PORT_TAKEN,
  /** The bundle is not at work: it has not begun, has been processed, or is over. */
  NOT_AT_WORK,
  /** The harness has no free place or does not read, or no worker is free. */
  BUSY,
  /** The harness answered with an error, with something else, or not in time. */
  HARNESS_FAILED,
  /** The store can't say. */
  UNAVAILABLE
}
