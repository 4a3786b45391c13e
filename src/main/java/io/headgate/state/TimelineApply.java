package io.headgate.state;

import com.hazelcast.map.EntryProcessor;
import io.headgate.timeline.Applied;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLimits;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies a change to the timeline of its job where that is owned, in one step. May run twice.
 *
 * <p>The copy gets the change and applies it for itself: the same to the same gives the same, and a
 * change is small where a timeline may have megabytes. If the owner finds nothing to change, the
 * change may have come before and have been lost on its way to the copy; then the copy gets the
 * timeline, so that what is answered for is never in one place only.
 */
final class TimelineApply implements EntryProcessor<Long, Timeline, byte[]> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient TimelineChange change;
  private final transient long nowMillis;
  private final transient TimelineLimits limits;

  private transient @Nullable EntryProcessor<Long, Timeline, ?> copy;

  /**
   * @param nowMillis the asking gateway's clock
   */
  TimelineApply(TimelineChange change, long nowMillis, TimelineLimits limits) {
    this.change = change;
    this.nowMillis = nowMillis;
    this.limits = limits;
  }

  /** The receipt. */
  @Override
  public byte[] process(Map.Entry<Long, Timeline> entry) {
    Timeline known = entry.getValue();
    Applied applied = Timeline.apply(known, change, nowMillis, limits);
    Timeline next = applied.timeline();
    copy = null;
    if (next != null) {
      TimelineSet set = new TimelineSet(next, ttlMillis(next));
      copy = set;
      if (next != known) {
        set.process(entry);
        copy = new TimelineApply(change, nowMillis, limits);
      }
    }
    return applied.receipt().toBytes();
  }

  private long ttlMillis(Timeline timeline) {
    long expiresAt = timeline.expiresAt(limits);
    return expiresAt == Timeline.NEVER ? 0 : Math.max(1, expiresAt - nowMillis);
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public @Nullable EntryProcessor<Long, Timeline, byte[]> getBackupProcessor() {
    return (EntryProcessor) copy;
  }

  byte[] toBytes() {
    byte[] said = change.toBytes();
    PackedWriter out = new PackedWriter(64 + said.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(said);
    out.number(nowMillis);
    out.number(limits.records());
    out.number(limits.targets());
    out.number(limits.attempts());
    out.number(limits.jobBytes());
    out.number(limits.retentionMillis());
    return out.toByteArray();
  }

  static TimelineApply fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    TimelineChange change = TimelineChange.fromBytes(in.bytes());
    return new TimelineApply(change, in.number(), limits(in));
  }

  private static TimelineLimits limits(PackedReader in) {
    try {
      return new TimelineLimits(
          (int) in.number(), (int) in.number(), (int) in.number(), (int) in.number(), in.number());
    } catch (IllegalArgumentException e) {
      throw in.unreadable();
    }
  }
}
