package io.headgate.timeline;

import org.jspecify.annotations.Nullable;

/** How a decision event says which change it belongs to (T2). */
public sealed interface ChangeReference {
  /** By the id that an earlier answer gave. */
  record ById(SchemaChangeId id) implements ChangeReference {}

  /**
   * By the place in the job's history.
   *
   * @param history which history the reporter means, or null for the present one, whichever it is
   */
  record BySequence(long sequence, @Nullable Long history) implements ChangeReference {}

  /**
   * By a key that the reporter has chosen for a change it is the first to see. Only the digest is
   * kept.
   */
  record ByKey(EventDigest key) implements ChangeReference {}
}
