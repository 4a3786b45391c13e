package io.headgate.state;

import com.hazelcast.core.ReadOnly;
import com.hazelcast.map.EntryProcessor;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineLook;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks at a timeline where it is owned: a few bytes come back, and nothing changes. */
record TimelineGlance() implements EntryProcessor<Long, Timeline, byte[]>, ReadOnly {
  private static final int VERSION = 1;

  @Override
  public byte @Nullable [] process(Map.Entry<Long, Timeline> entry) {
    Timeline timeline = entry.getValue();
    return timeline == null ? null : TimelineLook.of(timeline).toBytes();
  }

  @Override
  public @Nullable EntryProcessor<Long, Timeline, byte[]> getBackupProcessor() {
    return null; // there is nothing to copy
  }

  byte[] toBytes() {
    return new byte[] {VERSION};
  }

  static TimelineGlance fromBytes(byte[] bytes) {
    return new TimelineGlance();
  }
}
