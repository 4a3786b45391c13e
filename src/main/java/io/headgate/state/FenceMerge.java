package io.headgate.state;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.merge.MergingEntry;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import io.headgate.wire.UnreadableBytesException;
import org.jspecify.annotations.Nullable;

/** Puts together what two halves of a cluster remember of one job; Hazelcast makes it by name. */
public final class FenceMerge
    implements SplitBrainMergePolicy<byte[], MergingEntry<Long, byte[]>, byte[]> {
  @Override
  public byte[] merge(
      MergingEntry<Long, byte[]> merging, @Nullable MergingEntry<Long, byte[]> existing) {
    byte[] theirs = merging.getValue();
    if (existing == null) {
      return theirs;
    }
    byte[] ours = existing.getValue();
    try {
      return ServedJob.merge(ServedJob.fromBytes(ours), ServedJob.fromBytes(theirs)).toBytes();
    } catch (UnreadableBytesException e) {
      return ours;
    }
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}
}
