package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives a free cell to a bundle where the cell is owned, and tells who has it. May run twice; the
 * second time the copy is told again.
 */
final class CellClaim implements EntryProcessor<byte[], byte[], byte[]>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient String bundle;
  private final transient String gateway;
  private transient @Nullable MapFill fill;
  private transient @Nullable SetEntry change;

  /**
   * Who has the cell now.
   *
   * @param bytes what its pieces have
   * @param hasRoom whether its owner may keep more
   */
  record Answer(String bundle, String member, long bytes, boolean hasRoom) {
    byte[] toBytes() {
      PackedWriter out = new PackedWriter(128, Integer.MAX_VALUE);
      out.octet(VERSION);
      out.text(bundle);
      out.text(member);
      out.number(bytes);
      out.octet(hasRoom ? 1 : 0);
      return out.toByteArray();
    }

    static Answer fromBytes(byte[] bytes) {
      PackedReader in = new PackedReader(bytes);
      in.octet(); // so far there is nothing that the version would have to tell
      return new Answer(in.text(), in.text(), in.number(), in.octet() != 0);
    }
  }

  /**
   * @param gateway the member of the bundle's gateway
   */
  CellClaim(String bundle, String gateway) {
    this.bundle = bundle;
    this.gateway = gateway;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = MapFill.of(member, StoreMaps.CELLS);
  }

  /** The {@link Answer}. */
  @Override
  public byte[] process(Map.Entry<byte[], byte[]> entry) {
    byte[] stored = entry.getValue();
    KeptCell cell = KeptCell.read(stored);
    change = null;
    if (cell.isFree()) {
      cell = cell.claimed(bundle, gateway);
      byte[] next = cell.toBytes();
      change = new SetEntry(next, 0).apply(entry);
      if (fill != null) {
        fill.changedBy(next.length - (stored == null ? 0 : stored.length));
      }
    } else if (cell.bundle().equals(bundle)) {
      change = new SetEntry(stored, 0);
    }
    boolean room = fill == null || fill.hasRoomFor(1);
    return new Answer(cell.bundle(), cell.member(), cell.bytes(), room).toBytes();
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public @Nullable EntryProcessor<byte[], byte[], byte[]> getBackupProcessor() {
    return (EntryProcessor) change;
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(128, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.text(bundle);
    out.text(gateway);
    return out.toByteArray();
  }

  static CellClaim fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new CellClaim(in.text(), in.text());
  }
}
