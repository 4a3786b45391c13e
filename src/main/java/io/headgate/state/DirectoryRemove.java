package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes a job's record where it is owned, and says whether there was one. May run twice.
 *
 * <p>The copy is told also if there was none: a removal before may have been lost on its way to it.
 */
final class DirectoryRemove
    implements EntryProcessor<Long, byte[], Boolean>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final SetEntry REMOVED = new SetEntry(null, 0);

  private transient @Nullable MapFill fill;

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = MapFill.of(member, StoreMaps.DIRECTORY);
  }

  @Override
  public Boolean process(Map.Entry<Long, byte[]> entry) {
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
  public EntryProcessor<Long, byte[], Boolean> getBackupProcessor() {
    return REMOVED;
  }

  byte[] toBytes() {
    return new byte[] {VERSION};
  }

  static DirectoryRemove fromBytes(byte[] bytes) {
    return new DirectoryRemove();
  }
}
