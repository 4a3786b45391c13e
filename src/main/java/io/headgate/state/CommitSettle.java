package io.headgate.state;

import com.hazelcast.map.EntryProcessor;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a bundle committed that nobody works on any more, and decides that it never will
 * if it has not. May run twice.
 */
final class CommitSettle implements EntryProcessor<String, byte[], byte[]> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient long keptMillis;
  private transient @Nullable SetEntry change;

  /**
   * @param keptMillis how long it is remembered that it never will; longer than a bundle may take
   */
  CommitSettle(long keptMillis) {
    this.keptMillis = keptMillis;
  }

  /** The {@link StagedCommit}, or {@link StagedCommit#NEVER}. */
  @Override
  public byte[] process(Map.Entry<String, byte[]> entry) {
    byte[] stored = entry.getValue();
    if (stored != null && StagedCommit.isDecided(stored)) {
      change = new SetEntry(stored, 0);
      return stored;
    }
    change = new SetEntry(StagedCommit.NEVER, keptMillis);
    change.apply(entry);
    return StagedCommit.NEVER;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public @Nullable EntryProcessor<String, byte[], byte[]> getBackupProcessor() {
    return (EntryProcessor) change;
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(16, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.number(keptMillis);
    return out.toByteArray();
  }

  static CommitSettle fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new CommitSettle(in.number());
  }
}
