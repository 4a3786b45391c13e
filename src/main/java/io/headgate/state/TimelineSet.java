package io.headgate.state;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.ExtendedMapEntry;
import io.headgate.timeline.Timeline;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a copy of a timeline what its owner has.
 *
 * @param ttlMillis how long it stays, or 0 for ever
 */
record TimelineSet(Timeline value, long ttlMillis)
    implements EntryProcessor<Long, Timeline, Boolean> {
  private static final int VERSION = 1;

  @Override
  public Boolean process(Map.Entry<Long, Timeline> entry) {
    if (entry instanceof ExtendedMapEntry<Long, Timeline> timed) {
      timed.setValue(value, ttlMillis, TimeUnit.MILLISECONDS);
    } else {
      entry.setValue(value);
    }
    return true;
  }

  @Override
  public @Nullable EntryProcessor<Long, Timeline, Boolean> getBackupProcessor() {
    return null; // it is one
  }

  byte[] toBytes() {
    byte[] stored = value.toBytes();
    PackedWriter out = new PackedWriter(16 + stored.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(stored);
    out.number(ttlMillis);
    return out.toByteArray();
  }

  static TimelineSet fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new TimelineSet(Timeline.fromBytes(in.bytes()), in.number());
  }
}
