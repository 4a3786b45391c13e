package io.headgate.timeline;

/**
 * Why a decision event was not taken: a closed set, told by its index in the batch (T2). Stored and
 * sent by name and ordinal, so a new one goes to the end.
 */
public enum Fault {
  /** It is no object, or a member has the wrong type or a value that is not among those allowed. */
  INVALID_EVENT,
  /** The job id is missing, or no positive 64-bit number. */
  INVALID_JOB_ID,
  /** It names no change, more than one, or an id that can't be one of this job. */
  INVALID_REFERENCE,
  /** A name is longer than 1,024 bytes, or a number out of its range. */
  OVER_BOUND,
  /** The job has no such change, or not in its present history. */
  UNKNOWN_CHANGE,
  /** The change was recorded and has made room for newer ones since (T10). */
  EVICTED_CHANGE,
  /** There is no room, and nothing that may go (T10). */
  HISTORY_FULL,
  /** One more job would pass the bound on jobs, and none may go (T4). */
  TOO_MANY_JOBS
}
