package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes an entry, which makes room in its map, and says whether there was one. May run twice; the
 * copy is told also if there was none, as a removal before may have been lost on its way to it.
 */
final class RemoveEntry implements EntryProcessor<String, byte[], Boolean>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final SetEntry REMOVED = new SetEntry(null, 0);

  private final transient String map;
  private transient @Nullable MapFill fill;

  /**
   * @param map the name of the map that it is for
   */
  RemoveEntry(String map) {
    this.map = map;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = MapFill.of(member, map);
  }

  /** For tests: the room that is made. */
  RemoveEntry within(MapFill room) {
    fill = room;
    return this;
  }

  @Override
  public Boolean process(Map.Entry<String, byte[]> entry) {
    byte[] stored = entry.getValue();
    if (stored == null) {
      return false;
    }
    REMOVED.apply(entry);
    if (fill != null) {
      fill.changedBy(-stored.length);
    }
    return true;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public EntryProcessor<String, byte[], Boolean> getBackupProcessor() {
    return (EntryProcessor) REMOVED;
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(64, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.text(map);
    return out.toByteArray();
  }

  static RemoveEntry fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new RemoveEntry(in.text());
  }
}
