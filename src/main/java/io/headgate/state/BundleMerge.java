package io.headgate.state;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import com.hazelcast.spi.merge.SplitBrainMergeTypes.MapMergeTypes;
import io.headgate.wire.PackedReader;
import io.headgate.wire.UnreadableBytesException;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what two halves of a cluster know of a cell or of a commit: the cell that was
 * changed more often stays, and what is decided. Where they are alike, what is here already.
 * Hazelcast makes it by name.
 */
public final class BundleMerge
    implements SplitBrainMergePolicy<byte[], MapMergeTypes<Object, byte[]>, byte[]> {
  @Override
  public byte[] merge(
      MapMergeTypes<Object, byte[]> merging, @Nullable MapMergeTypes<Object, byte[]> existing) {
    byte[] theirs = merging.getValue();
    if (existing == null) {
      return theirs;
    }
    byte[] ours = existing.getValue();
    try {
      byte[] kept = rank(theirs) > rank(ours) ? theirs : ours;
      if (rank(kept) > 0) {
        DirectoryMerge.setExpiry(merging, Long.MAX_VALUE); // only a NEVER has one
      }
      return kept;
    } catch (UnreadableBytesException e) {
      return ours;
    }
  }

  /** What stands behind the version: how often it was changed, or whether it is decided. */
  private static long rank(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet();
    return in.number();
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}
}
