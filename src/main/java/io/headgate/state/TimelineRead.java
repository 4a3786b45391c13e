package io.headgate.state;

import com.hazelcast.core.ReadOnly;
import com.hazelcast.map.EntryProcessor;
import io.headgate.timeline.Outcome;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelinePage;
import io.headgate.timeline.TimelineQuery;
import io.headgate.wire.CapExceededException;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a page of a job's timeline where that is owned, so that a page travels and not all of it.
 * Changes nothing.
 *
 * @param errorSummaries whether error texts may be told
 * @param cap the most bytes of the page
 * @param expiredUpTo the timeline of a job that ended then, or before, counts as gone
 */
record TimelineRead(TimelineQuery query, boolean errorSummaries, int cap, long expiredUpTo)
    implements EntryProcessor<Long, Timeline, byte[]>, ReadOnly {
  private static final int VERSION = 1;
  private static final byte[] NO_ROOM = {};

  /** The page, null if there is no timeline, empty if the cap holds no page. */
  @Override
  public byte @Nullable [] process(Map.Entry<Long, Timeline> entry) {
    Timeline timeline = entry.getValue();
    if (timeline == null || timeline.endedAt() <= expiredUpTo) {
      return null;
    }
    try {
      return TimelinePage.write(timeline, query, errorSummaries, cap).toByteArray();
    } catch (CapExceededException e) {
      return NO_ROOM;
    }
  }

  @Override
  public @Nullable EntryProcessor<Long, Timeline, byte[]> getBackupProcessor() {
    return null; // there is nothing to copy
  }

  byte[] toBytes() {
    String table = query.table();
    Outcome outcome = query.outcome();
    PackedWriter out = new PackedWriter(64, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.number(query.limit());
    out.number(query.beforeSequence());
    out.text(table == null ? "" : table);
    out.text(outcome == null ? "" : outcome.name());
    out.octet(errorSummaries ? 1 : 0);
    out.number(cap);
    out.signed(expiredUpTo);
    return out.toByteArray();
  }

  static TimelineRead fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    long limit = in.number();
    long before = in.number();
    String table = in.text();
    Outcome outcome = outcome(in);
    boolean errorSummaries = in.octet() != 0;
    long cap = in.number();
    long expiredUpTo = in.hasMore() ? in.signed() : Long.MIN_VALUE;
    if (limit < 1 || limit > TimelineQuery.MAX_LIMIT || cap < 0 || cap > Integer.MAX_VALUE) {
      throw in.unreadable();
    }
    TimelineQuery query =
        new TimelineQuery((int) limit, before, table.isEmpty() ? null : table, outcome);
    return new TimelineRead(query, errorSummaries, (int) cap, expiredUpTo);
  }

  private static @Nullable Outcome outcome(PackedReader in) {
    String name = in.text();
    try {
      return name.isEmpty() ? null : Outcome.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw in.unreadable();
    }
  }
}
