package io.headgate.directory;

/** What became of a publication at the job's owner. */
public enum PublishOutcome {
  /** It is the job's record now, or part of it. */
  PUBLISHED,
  /** All of it was known already. */
  UNCHANGED,
  /** A later execution of the job is known. */
  STALE_EPOCH,
  /** The execution has ended, and the publication says that it has not. */
  ENDED,
  /** The directory has no room for it; nothing was changed. */
  FULL
}
