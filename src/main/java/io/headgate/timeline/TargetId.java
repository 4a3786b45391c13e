package io.headgate.timeline;

import io.headgate.wire.Digests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Which target of a change a decision is about (T7). What a reporter does not say is null and part
 * of the identity as such. Ordered by table, sink and sub-writer, null before text.
 */
public record TargetId(@Nullable String table, @Nullable String sink, @Nullable String subWriter)
    implements Comparable<TargetId> {
  /** The one target of a report that names none. */
  static final TargetId UNNAMED = new TargetId(null, null, null);

  private static final Comparator<@Nullable String> NULL_FIRST =
      Comparator.nullsFirst(Comparator.naturalOrder());

  @Override
  public int compareTo(TargetId other) {
    int order = NULL_FIRST.compare(table, other.table);
    if (order == 0) {
      order = NULL_FIRST.compare(sink, other.sink);
    }
    return order == 0 ? NULL_FIRST.compare(subWriter, other.subWriter) : order;
  }

  /** 64 bits of a SHA-256, to count targets past those that are kept by name. */
  long digest() {
    MessageDigest sha256 = Digests.sha256();
    part(table, sha256);
    part(sink, sha256);
    part(subWriter, sha256);
    return ByteBuffer.wrap(sha256.digest()).getLong();
  }

  private static void part(@Nullable String part, MessageDigest into) {
    if (part != null) {
      into.update(part.getBytes(StandardCharsets.UTF_8));
    }
    into.update((byte) (part == null ? 0xFE : 0xFF)); // neither is a byte of UTF-8
  }

  int cost() {
    return 40 + Cost.of(table) + Cost.of(sink) + Cost.of(subWriter);
  }
}
