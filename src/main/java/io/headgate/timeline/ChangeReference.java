package io.headgate.timeline;

import io.headgate.wire.Digests;
import java.nio.charset.StandardCharsets;
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
  record ByKey(EventDigest key) implements ChangeReference {
    /** The same key as that of a report over HTTP whose {@code observationKey} is this text. */
    public static ByKey of(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new ByKey(EventDigest.of(Digests.sha256().digest(bytes)));
    }
  }
}
