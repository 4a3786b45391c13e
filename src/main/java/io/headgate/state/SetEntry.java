package io.headgate.state;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.ExtendedMapEntry;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a copy of an entry what its owner has made of it. The owner decides once; a copy that
 * decided for itself could come to another result.
 *
 * @param value null to remove the entry
 * @param ttlMillis how long it stays, or 0 for ever
 */
record SetEntry(byte @Nullable [] value, long ttlMillis)
    implements EntryProcessor<Long, byte[], Boolean> {
  private static final int VERSION = 1;

  @Override
  public Boolean process(Map.Entry<Long, byte[]> entry) {
    apply(entry);
    return true;
  }

  /** Does it; on the owner, what is returned must then go to the copies. */
  SetEntry apply(Map.Entry<?, byte[]> entry) {
    if (value != null && entry instanceof ExtendedMapEntry<?, byte[]> timed) {
      timed.setValue(value, ttlMillis, TimeUnit.MILLISECONDS);
    } else {
      entry.setValue(value);
    }
    return this;
  }

  @Override
  public @Nullable EntryProcessor<Long, byte[], Boolean> getBackupProcessor() {
    return null; // it is one
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(16 + (value == null ? 0 : value.length), Integer.MAX_VALUE);
    out.octet(VERSION);
    out.octet(value == null ? 0 : 1);
    if (value != null) {
      out.bytes(value);
    }
    out.number(ttlMillis);
    return out.toByteArray();
  }

  static SetEntry fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    byte[] value = in.octet() == 0 ? null : in.bytes();
    return new SetEntry(value, in.number());
  }
}
