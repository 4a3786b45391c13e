package io.headgate.timeline;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What two halves of a split cluster have of one job, put together again. */
final class TimelineUnion {
  private TimelineUnion() {}

  static Timeline of(Timeline survivor, Timeline other, TimelineLimits limits) {
    Timeline.Head one = survivor.head();
    Timeline.Head two = other.head();
    if (one.history() != two.history()) {
      return lost(survivor, other);
    }
    TreeMap<Long, SchemaChangeRecord> records = new TreeMap<>();
    for (int i = 0; i < survivor.size(); i++) {
      records.put(survivor.record(i).sequence(), survivor.record(i));
    }
    int lost = 0;
    for (int i = 0; i < other.size(); i++) {
      SchemaChangeRecord theirs = other.record(i);
      SchemaChangeRecord ours = records.get(theirs.sequence());
      if (ours != null && isSame(ours, theirs)) {
        records.put(theirs.sequence(), ours.and(theirs, limits));
      } else if (ours == null && theirs.sequence() > one.lastSequence()) {
        records.put(theirs.sequence(), theirs);
      } else if (ours != null) {
        lost++;
      }
    }
    KeyLog keys = keys(survivor, other, records);
    Timeline.Head head =
        new Timeline.Head(
            one.jobId(),
            one.history(),
            Math.max(one.lastSequence(), two.lastSequence()),
            Math.max(one.evicted(), two.evicted()),
            Math.max(one.evictedUnresolved(), two.evictedUnresolved()),
            Math.max(one.dropped(), two.dropped()) + lost,
            Math.max(one.endedAt(), two.endedAt()),
            Math.max(one.changedAt(), two.changedAt()));
    Timeline union =
        new Timeline(
            head,
            records.values().toArray(SchemaChangeRecord[]::new),
            survivor.arrivals().and(other.arrivals()),
            keys);
    return RecordRoom.within(union, limits);
  }

  /** The other half has begun a history of its own; all of it is dropped, and counted. */
  private static Timeline lost(Timeline survivor, Timeline other) {
    Timeline.Head head = survivor.head();
    Timeline.Head counted =
        new Timeline.Head(
            head.jobId(),
            head.history(),
            head.lastSequence(),
            head.evicted(),
            head.evictedUnresolved(),
            head.dropped() + other.size(),
            head.endedAt(),
            head.changedAt());
    return new Timeline(counted, survivor.records(), survivor.arrivals(), survivor.keys());
  }

  private static boolean isSame(SchemaChangeRecord one, SchemaChangeRecord other) {
    return one.facts().origin().equals(other.facts().origin());
  }

  /** A key of the other half counts only where its record does. */
  private static KeyLog keys(
      Timeline survivor, Timeline other, TreeMap<Long, SchemaChangeRecord> records) {
    KeyLog both = survivor.keys();
    Tuples theirs = other.keys().keys();
    for (long place = theirs.begin(); place < theirs.end(); place++) {
      EventDigest key = new EventDigest(theirs.get(place, 0), theirs.get(place, 1));
      @Nullable SchemaChangeRecord record = records.get(theirs.get(place, 2));
      if (record != null && record.facts().origin().equals(key) && both.find(key) == 0) {
        both = both.with(key, record.sequence());
      }
    }
    return both;
  }
}
