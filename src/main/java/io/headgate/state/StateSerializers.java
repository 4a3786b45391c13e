package io.headgate.state;

import com.hazelcast.config.SerializerConfig;
import com.hazelcast.nio.serialization.ByteArraySerializer;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.headgate.timeline.Timeline;
import io.headgate.wire.UnreadableBytesException;
import java.util.List;
import java.util.function.Function;

/**
 * How what is sent to other members becomes bytes. Keys of maps are numbers, texts or bytes to
 * Hazelcast and values are bytes; only timelines are ours, and what is to be run where entries are.
 *
 * <p>The numbers of types are part of the protocol between members of different versions: they
 * never change and are never used again.
 */
final class StateSerializers {
  static final List<SerializerConfig> ALL =
      List.of(
          config(5701, SetEntry.class, SetEntry::toBytes, SetEntry::fromBytes),
          config(5702, FencePass.class, FencePass::toBytes, FencePass::fromBytes),
          config(
              5703, DirectoryPublish.class, DirectoryPublish::toBytes, DirectoryPublish::fromBytes),
          config(5704, DirectoryRemove.class, DirectoryRemove::toBytes, DirectoryRemove::fromBytes),
          config(5705, DirectoryList.class, DirectoryList::toBytes, DirectoryList::fromBytes),
          config(5706, Timeline.class, Timeline::toBytes, Timeline::fromBytes),
          config(5707, TimelineApply.class, TimelineApply::toBytes, TimelineApply::fromBytes),
          config(5708, TimelineSet.class, TimelineSet::toBytes, TimelineSet::fromBytes),
          config(5709, TimelineRead.class, TimelineRead::toBytes, TimelineRead::fromBytes),
          config(5710, DrawOnce.class, DrawOnce::toBytes, DrawOnce::fromBytes),
          config(5711, TimelineGlance.class, TimelineGlance::toBytes, TimelineGlance::fromBytes),
          config(5712, TimelineSizes.class, TimelineSizes::toBytes, TimelineSizes::fromBytes),
          config(5721, CellClaim.class, CellClaim::toBytes, CellClaim::fromBytes),
          config(5722, CellApply.class, CellApply::toBytes, CellApply::fromBytes),
          config(5723, CellRead.class, CellRead::toBytes, CellRead::fromBytes),
          config(5724, CommitDecide.class, CommitDecide::toBytes, CommitDecide::fromBytes),
          config(5725, CommitSettle.class, CommitSettle::toBytes, CommitSettle::fromBytes),
          config(5726, RemoveEntry.class, RemoveEntry::toBytes, RemoveEntry::fromBytes),
          config(
              5727,
              DescriptorRegister.class,
              DescriptorRegister::toBytes,
              DescriptorRegister::fromBytes),
          config(5728, DescriptorIds.class, DescriptorIds::toBytes, DescriptorIds::fromBytes),
          config(5729, FreeCellsOf.class, FreeCellsOf::toBytes, FreeCellsOf::fromBytes));

  private StateSerializers() {}

  private static <T> SerializerConfig config(
      int number, Class<T> type, Function<T, byte[]> write, Function<byte[], T> read) {
    return new SerializerConfig()
        .setTypeClass(type)
        .setImplementation(new Bytes<>(number, write, read));
  }

  /** The serializer of one type. */
  private record Bytes<T>(int number, Function<T, byte[]> write, Function<byte[], T> read)
      implements ByteArraySerializer<T> {
    @Override
    public int getTypeId() {
      return number;
    }

    @Override
    public byte[] write(T object) {
      return write.apply(object);
    }

    @Override
    public T read(byte[] bytes) {
      try {
        return read.apply(bytes);
      } catch (UnreadableBytesException e) {
        // Of a type that may be sent back to whoever sent the bytes.
        throw new HazelcastSerializationException("unreadable bytes of type " + number);
      }
    }
  }
}
