package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes of a bundle to a cell that it has, and ends its claim; without changes it only
 * does that. A cell that the bundle does not have stays as it is, so it may run any number of
 * times, at any time: whoever ends a claim otherwise has seen to it that the bundle changes nothing
 * any more.
 */
final class CellApply implements EntryProcessor<byte[], byte[], Boolean>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient String bundle;
  private final transient boolean cleared;
  private final transient List<byte[]> appended;
  private transient @Nullable MapFill fill;
  private transient @Nullable SetEntry change;

  CellApply(String bundle, boolean cleared, List<byte[]> appended) {
    this.bundle = bundle;
    this.cleared = cleared;
    this.appended = appended;
  }

  /** Ends the claim. */
  static CellApply release(String bundle) {
    return new CellApply(bundle, false, List.of());
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = MapFill.of(member, StoreMaps.CELLS);
  }

  /** Whether the bundle had the cell. */
  @Override
  public Boolean process(Map.Entry<byte[], byte[]> entry) {
    byte[] stored = entry.getValue();
    KeptCell cell = KeptCell.read(stored);
    if (!cell.bundle().equals(bundle)) {
      change = new SetEntry(stored, 0); // the copy may have missed what came before
      return false;
    }
    KeptCell next = cell.changed(cleared, appended);
    byte[] bytes = next.isNothing() ? null : next.toBytes();
    change = new SetEntry(bytes, 0).apply(entry);
    if (fill != null) {
      fill.changedBy((bytes == null ? 0 : bytes.length) - (stored == null ? 0 : stored.length));
    }
    return true;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public @Nullable EntryProcessor<byte[], byte[], Boolean> getBackupProcessor() {
    return (EntryProcessor) change;
  }

  byte[] toBytes() {
    int size = (int) Math.min(Integer.MAX_VALUE - 64, KeptCell.bytes(appended) + 128);
    PackedWriter out = new PackedWriter(size, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.text(bundle);
    out.octet(cleared ? 1 : 0);
    KeptCell.write(appended, out);
    return out.toByteArray();
  }

  static CellApply fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new CellApply(in.text(), in.octet() != 0, KeptCell.readPieces(in));
  }
}
