package io.headgate.state;

import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import io.headgate.wire.UnreadableBytesException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cell of bundle state as the cluster keeps it: its pieces, and the bundle that has claimed it.
 * Immutable.
 *
 * @param commits how often bundles changed it; of two halves of a cluster the one with more stays
 * @param bundle the bundle that has it, or empty
 * @param member the member of that bundle's gateway, or empty
 * @param pieces one for each append
 */
record KeptCell(long commits, String bundle, String member, List<byte[]> pieces) {
  private static final int VERSION = 1;

  /** What is not kept. */
  static final KeptCell NOTHING = new KeptCell(0, "", "", List.of());

  boolean isFree() {
    return bundle.isEmpty();
  }

  /** Whether there is nothing that would have to be kept. */
  boolean isNothing() {
    return isFree() && pieces.isEmpty();
  }

  KeptCell claimed(String byBundle, String ofMember) {
    return new KeptCell(commits, byBundle, ofMember, pieces);
  }

  /** As it is after a bundle's changes, which end the claim. */
  KeptCell changed(boolean cleared, List<byte[]> appended) {
    if (!cleared && appended.isEmpty()) {
      return new KeptCell(commits, "", "", pieces);
    }
    List<byte[]> next = new ArrayList<>(cleared ? List.of() : pieces);
    next.addAll(appended);
    return new KeptCell(commits + 1, "", "", next);
  }

  /** How many bytes its pieces have. */
  long bytes() {
    return bytes(pieces);
  }

  static long bytes(List<byte[]> pieces) {
    return pieces.stream().mapToLong(piece -> piece.length).sum();
  }

  /** The pieces from this index on, as long as they fit; one in any case. */
  BundleStateStore.Page page(int from, int most) {
    List<byte[]> page = new ArrayList<>();
    long length = 0;
    int next = Math.max(0, from);
    while (next < pieces.size() && (page.isEmpty() || length + pieces.get(next).length <= most)) {
      length += pieces.get(next).length;
      page.add(pieces.get(next++));
    }
    return new BundleStateStore.Page(page, next < pieces.size());
  }

  byte[] toBytes() {
    int size = (int) Math.min(Integer.MAX_VALUE - 64, bytes() + 128);
    PackedWriter out = new PackedWriter(size, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.number(commits);
    out.text(bundle);
    out.text(member);
    write(pieces, out);
    return out.toByteArray();
  }

  static void write(List<byte[]> pieces, PackedWriter out) {
    out.number(pieces.size());
    pieces.forEach(out::bytes);
  }

  static List<byte[]> readPieces(PackedReader in) {
    int count = in.count(1);
    List<byte[]> pieces = new ArrayList<>(Math.min(count, 1_024));
    for (int i = 0; i < count; i++) {
      pieces.add(in.bytes());
    }
    return pieces;
  }

  private static KeptCell fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new KeptCell(in.number(), in.text(), in.text(), readPieces(in));
  }

  /** A cell is never taken for empty because it can't be read. */
  static KeptCell read(byte @Nullable [] stored) {
    try {
      return stored == null ? NOTHING : fromBytes(stored);
    } catch (UnreadableBytesException e) {
      throw new HazelcastSerializationException("unreadable cell");
    }
  }
}
