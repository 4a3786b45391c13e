package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import io.headgate.timeline.Applied;
import io.headgate.timeline.Fault;
import io.headgate.timeline.Receipt;
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
 *
 * <p>Where this member owns all that it may, no timeline begins, and one that is there makes room
 * in itself for what comes. The copy is told the limits under which that was done.
 */
final class TimelineApply
    implements EntryProcessor<Long, Timeline, byte[]>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient TimelineChange change;

  /** Its stored form, which goes to the owner and from there to the copy. */
  private final transient byte[] said;

  private final transient long nowMillis;
  private final transient TimelineLimits limits;
  private final transient boolean ofOwner;

  private transient @Nullable MapFill fill;
  private transient @Nullable EntryProcessor<Long, Timeline, ?> copy;

  /**
   * @param nowMillis the asking gateway's clock
   */
  TimelineApply(TimelineChange change, long nowMillis, TimelineLimits limits) {
    this(change, change.toBytes(), nowMillis, limits, true);
  }

  /**
   * @param ofOwner false if it follows what the owner has done
   */
  private TimelineApply(
      TimelineChange change, byte[] said, long nowMillis, TimelineLimits limits, boolean ofOwner) {
    this.change = change;
    this.said = said;
    this.nowMillis = nowMillis;
    this.limits = limits;
    this.ofOwner = ofOwner;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = ofOwner ? MapFill.of(member, StoreMaps.TIMELINES) : null;
  }

  /** The receipt. */
  @Override
  public byte[] process(Map.Entry<Long, Timeline> entry) {
    Timeline known = entry.getValue();
    TimelineLimits bounds = limits;
    Applied applied = Timeline.apply(known, change, nowMillis, bounds);
    copy = null;
    if (fill != null && !fill.hasRoomFor(growth(known, applied))) {
      fill.refuse();
      if (known == null) {
        return Receipt.noRoomFor(change, Fault.TOO_MANY_JOBS).toBytes();
      }
      bounds = known.limitsWithoutGrowth(limits);
      applied = Timeline.apply(known, change, nowMillis, bounds);
      if (!fill.hasReserveFor(growth(known, applied))) {
        return Receipt.noRoomFor(change, Fault.HISTORY_FULL).toBytes();
      }
    }
    Timeline next = applied.timeline();
    if (next != null) {
      TimelineSet set = new TimelineSet(next, ttlMillis(next));
      copy = set;
      if (next != known) {
        set.process(entry);
        copy = new TimelineApply(change, said, nowMillis, bounds, false);
        if (fill != null) {
          fill.changedBy(growth(known, applied));
        }
      }
    }
    return applied.receipt().toBytes();
  }

  private static long growth(@Nullable Timeline known, Applied applied) {
    Timeline next = applied.timeline();
    return next == null ? 0 : next.bytes() - (known == null ? 0 : known.bytes());
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
    PackedWriter out = new PackedWriter(64 + said.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(said);
    out.number(nowMillis);
    out.number(limits.records());
    out.number(limits.targets());
    out.number(limits.attempts());
    out.number(limits.jobBytes());
    out.number(limits.retentionMillis());
    if (!ofOwner) {
      out.octet(0);
    }
    return out.toByteArray();
  }

  static TimelineApply fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    byte[] said = in.bytes();
    TimelineChange change = TimelineChange.fromBytes(said);
    return new TimelineApply(
        change, said, in.number(), limits(in), !in.hasMore() || in.octet() != 0);
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
