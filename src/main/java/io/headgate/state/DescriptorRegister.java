package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import io.headgate.state.DescriptorStore.Registration;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps a descriptor unless there is one of its id. May run twice. */
final class DescriptorRegister
    implements EntryProcessor<String, byte[], String>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient byte[] descriptor;
  private transient @Nullable MapFill fill;
  private transient @Nullable SetEntry change;

  DescriptorRegister(byte[] descriptor) {
    this.descriptor = descriptor;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = MapFill.of(member, StoreMaps.DESCRIPTORS);
  }

  /** The name of a {@link Registration}. */
  @Override
  public String process(Map.Entry<String, byte[]> entry) {
    byte[] stored = entry.getValue();
    change = null;
    if (stored != null) {
      boolean same = Arrays.equals(stored, descriptor);
      change = same ? new SetEntry(stored, 0) : null; // the copy may have missed it
      return (same ? Registration.UNCHANGED : Registration.CONFLICT).name();
    }
    if (fill != null && !fill.hasRoomFor(descriptor.length)) {
      return Registration.FULL.name();
    }
    change = new SetEntry(descriptor, 0).apply(entry);
    if (fill != null) {
      fill.changedBy(descriptor.length);
    }
    return Registration.REGISTERED.name();
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public @Nullable EntryProcessor<String, byte[], String> getBackupProcessor() {
    return (EntryProcessor) change;
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(16 + descriptor.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(descriptor);
    return out.toByteArray();
  }

  static DescriptorRegister fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new DescriptorRegister(in.bytes());
  }
}
