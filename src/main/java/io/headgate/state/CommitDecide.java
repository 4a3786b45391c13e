package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import io.headgate.state.BundleStateStore.Commit;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides a bundle's commit: from here on its changes are made, whoever makes them, unless somebody
 * has decided before that they never are. May run twice.
 */
final class CommitDecide implements EntryProcessor<String, byte[], String>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient byte[] commit;
  private transient @Nullable MapFill fill;
  private transient @Nullable SetEntry change;

  /**
   * @param commit a {@link StagedCommit}
   */
  CommitDecide(byte[] commit) {
    this.commit = commit;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = MapFill.of(member, StoreMaps.COMMITS);
  }

  /** For tests: the room that there is. */
  CommitDecide within(MapFill room) {
    fill = room;
    return this;
  }

  /** The name of a {@link Commit}. */
  @Override
  public String process(Map.Entry<String, byte[]> entry) {
    byte[] stored = entry.getValue();
    change = null;
    if (stored != null) {
      boolean decided = StagedCommit.isDecided(stored);
      change = decided ? new SetEntry(stored, 0) : null;
      return (decided ? Commit.DONE : Commit.CLAIM_LOST).name();
    }
    if (fill != null && !fill.hasRoomFor(commit.length)) {
      return Commit.FULL.name();
    }
    change = new SetEntry(commit, 0).apply(entry);
    if (fill != null) {
      fill.changedBy(commit.length);
    }
    return Commit.DONE.name();
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public @Nullable EntryProcessor<String, byte[], String> getBackupProcessor() {
    return (EntryProcessor) change;
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(16 + commit.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(commit);
    return out.toByteArray();
  }

  static CommitDecide fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new CommitDecide(in.bytes());
  }
}
