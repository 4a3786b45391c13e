package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Removes a job's record where it is owned, and says whether there was one. May run twice. */
final class DirectoryRemove
    implements EntryProcessor<Long, byte[], Boolean>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private transient @Nullable MapFill fill;
  private transient @Nullable SetEntry change;

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = MapFill.of(member, StoreMaps.DIRECTORY);
  }

  @Override
  public Boolean process(Map.Entry<Long, byte[]> entry) {
    byte[] stored = entry.getValue();
    change = null;
    if (stored == null) {
      return false;
    }
    change = new SetEntry(null, 0).apply(entry);
    if (fill != null) {
      fill.changedBy(-stored.length);
    }
    return true;
  }

  @Override
  public @Nullable EntryProcessor<Long, byte[], Boolean> getBackupProcessor() {
    return change;
  }

  byte[] toBytes() {
    return new byte[] {VERSION};
  }

  static DirectoryRemove fromBytes(byte[] bytes) {
    return new DirectoryRemove();
  }
}
