package io.headgate.state;

import com.hazelcast.aggregation.Aggregator;
import io.headgate.timeline.Timeline;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;

/**
 * Adds up what timelines take. Hazelcast does not tell the bytes of what it keeps as objects, but
 * each timeline knows its own.
 */
final class TimelineSizes implements Aggregator<Map.Entry<Long, Timeline>, Long> {
  private static final long serialVersionUID = 1L;

  private static final int VERSION = 1;

  private long bytes;

  TimelineSizes() {
    this(0);
  }

  private TimelineSizes(long bytes) {
    this.bytes = bytes;
  }

  @Override
  public void accumulate(Map.Entry<Long, Timeline> entry) {
    bytes += entry.getValue().bytes();
  }

  @Override
  @SuppressWarnings("rawtypes") // as Hazelcast declares it
  public void combine(Aggregator other) {
    bytes += ((TimelineSizes) other).bytes;
  }

  @Override
  public Long aggregate() {
    return bytes;
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(16, 16);
    out.octet(VERSION);
    out.number(bytes);
    return out.toByteArray();
  }

  static TimelineSizes fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new TimelineSizes(in.number());
  }
}
