package io.headgate.state;

import io.headgate.state.BundleStateStore.Change;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What a bundle commits, from the moment that it is decided until every cell has it; or that it
 * never will. Stored under the bundle's id, where it is decided once and for all.
 */
final class StagedCommit {
  private static final int VERSION = 1;
  private static final int NEVER_RANK = 0;
  private static final int DECIDED_RANK = 1;

  /** The bundle changes nothing any more. */
  static final byte[] NEVER = {VERSION, NEVER_RANK};

  private StagedCommit() {}

  static byte[] toBytes(Collection<Change> changes) {
    long size = 64;
    for (Change change : changes) {
      size += change.cell().length() + KeptCell.bytes(change.appended()) + 32;
    }
    PackedWriter out =
        new PackedWriter((int) Math.min(size, Integer.MAX_VALUE - 64), Integer.MAX_VALUE);
    out.octet(VERSION);
    out.octet(DECIDED_RANK);
    out.number(changes.size());
    for (Change change : changes) {
      out.bytes(change.cell().toBytes());
      out.octet(change.cleared() ? 1 : 0);
      KeptCell.write(change.appended(), out);
    }
    return out.toByteArray();
  }

  /** Whether these are the bytes of a commit, and not {@link #NEVER}. */
  static boolean isDecided(byte[] bytes) {
    return bytes.length > 1 && bytes[1] == DECIDED_RANK;
  }

  static List<Change> fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    in.octet();
    int count = in.count(3);
    List<Change> changes = new ArrayList<>(Math.min(count, 1_024));
    for (int i = 0; i < count; i++) {
      StateCell cell = StateCell.fromBytes(in.bytes());
      changes.add(new Change(cell, in.octet() != 0, KeptCell.readPieces(in)));
    }
    return changes;
  }
}
