package io.headgate.state;

import com.hazelcast.map.EntryProcessor;
import java.util.Map;

/**
 * Removes an entry, and says whether there was one. May run twice; the copy is told also if there
 * was none, as a removal before may have been lost on its way to it.
 */
final class RemoveEntry implements EntryProcessor<String, byte[], Boolean> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final SetEntry REMOVED = new SetEntry(null, 0);

  @Override
  public Boolean process(Map.Entry<String, byte[]> entry) {
    boolean there = entry.getValue() != null;
    if (there) {
      REMOVED.apply(entry);
    }
    return there;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public EntryProcessor<String, byte[], Boolean> getBackupProcessor() {
    return (EntryProcessor) REMOVED;
  }

  byte[] toBytes() {
    return new byte[] {VERSION};
  }

  static RemoveEntry fromBytes(byte[] bytes) {
    return new RemoveEntry();
  }
}
