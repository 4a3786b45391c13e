package io.headgate.state;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.merge.MapMergingEntryImpl;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import com.hazelcast.spi.merge.SplitBrainMergeTypes.MapMergeTypes;
import io.headgate.directory.JobRecord;
import io.headgate.wire.UnreadableBytesException;
import org.jspecify.annotations.Nullable;

/** Puts together what two halves of a cluster know of one job; Hazelcast makes it by name. */
public final class DirectoryMerge
    implements SplitBrainMergePolicy<byte[], MapMergeTypes<Long, byte[]>, byte[]> {
  @Override
  public byte[] merge(
      MapMergeTypes<Long, byte[]> merging, @Nullable MapMergeTypes<Long, byte[]> existing) {
    byte[] theirs = merging.getValue();
    if (existing == null) {
      return theirs;
    }
    byte[] ours = existing.getValue();
    try {
      JobRecord merged = JobRecord.merge(JobRecord.fromBytes(ours), JobRecord.fromBytes(theirs));
      setExpiry(merging, merged.expiresAtMillis());
      return merged.toBytes();
    } catch (UnreadableBytesException e) {
      return ours;
    }
  }

  /**
   * Whatever a policy decides, Hazelcast 5.3 gives the result the expiry of the merging entry. An
   * active record that met an ended one would vanish with it.
   */
  static <K, V> void setExpiry(MapMergeTypes<K, V> merging, long expiresAtMillis) {
    if (merging instanceof MapMergingEntryImpl<K, V> entry) {
      entry.setExpirationTime(Math.max(1, expiresAtMillis));
    }
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}
}
