package io.headgate.timeline;

import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.nio.ByteBuffer;

/**
 * The stored form of a timeline, which members of different versions read.
 *
 * <pre>{@code
 * timeline: version, part(head), part(record)*, part(arrivals), part(keys)
 * head:     jobId, history, lastSequence, evicted, evictedUnresolved, dropped, endedAt, changedAt
 * arrivals: begin, bytes(digests), links*, events since the last one that came
 * keys:     begin, bytes(keys and sequences)
 * }</pre>
 *
 * <p>A part has its length before it. New fields only ever go to the end of a part or of the whole:
 * who does not know them passes over them, who misses them takes their default.
 */
final class TimelineBytes {
  /** More than a timeline within its limits takes, so that only a fault can pass it. */
  static final int CAP = 64 * 1024 * 1024;

  private static final int VERSION = 1;

  private TimelineBytes() {}

  static byte[] write(Timeline timeline) {
    PackedWriter out = new PackedWriter((int) Math.min(CAP, timeline.bytes()), CAP);
    out.octet(VERSION);
    out.bytes(head(timeline.head()));
    out.number(timeline.size());
    for (int i = 0; i < timeline.size(); i++) {
      out.bytes(RecordBytes.write(timeline.record(i)));
    }
    out.bytes(arrivals(timeline.arrivals()));
    out.bytes(keys(timeline.keys()));
    return out.toByteArray();
  }

  private static byte[] head(Timeline.Head head) {
    PackedWriter out = new PackedWriter(64, CAP);
    out.number(head.jobId());
    out.signed(head.history());
    out.number(head.lastSequence());
    out.number(head.evicted());
    out.number(head.evictedUnresolved());
    out.number(head.dropped());
    Codes.time(head.endedAt(), out);
    Codes.time(head.changedAt(), out);
    return out.toByteArray();
  }

  private static byte[] arrivals(ArrivalLog log) {
    PackedWriter out = new PackedWriter(log.cost(), CAP);
    tuples(log.digests(), 2, out);
    out.number(log.links().length);
    for (long link : log.links()) {
      out.number(link);
    }
    out.number(log.digests().end() - log.last());
    return out.toByteArray();
  }

  private static byte[] keys(KeyLog log) {
    PackedWriter out = new PackedWriter(log.cost(), CAP);
    tuples(log.keys(), 3, out);
    return out.toByteArray();
  }

  private static void tuples(Tuples tuples, int width, PackedWriter out) {
    out.number(tuples.begin());
    ByteBuffer longs = ByteBuffer.allocate(tuples.size() * width * Long.BYTES);
    for (long place = tuples.begin(); place < tuples.end(); place++) {
      for (int field = 0; field < width; field++) {
        longs.putLong(tuples.get(place, field));
      }
    }
    out.bytes(longs.array());
  }

  static Timeline read(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    Timeline.Head head = head(in.part());
    SchemaChangeRecord[] records = new SchemaChangeRecord[in.count(1)];
    for (int i = 0; i < records.length; i++) {
      records[i] = RecordBytes.read(in.part());
    }
    ArrivalLog arrivals = arrivals(in.part());
    KeyLog keys = new KeyLog(tuples(in.part(), 3));
    return new Timeline(head, records, arrivals, keys);
  }

  private static Timeline.Head head(PackedReader in) {
    long jobId = in.number();
    long history = in.signed();
    long lastSequence = in.number();
    long evicted = in.number();
    long evictedUnresolved = in.number();
    long dropped = in.number();
    long endedAt = Codes.time(in);
    long changedAt = in.hasMore() ? Codes.time(in) : 0;
    return new Timeline.Head(
        jobId,
        history,
        lastSequence,
        evicted,
        evictedUnresolved,
        dropped,
        endedAt == Times.NONE ? Timeline.NEVER : endedAt,
        changedAt);
  }

  private static ArrivalLog arrivals(PackedReader in) {
    Tuples digests = tuples(in, 2);
    long[] links = new long[in.hasMore() ? in.count(1) : 0];
    for (int i = 0; i < links.length; i++) {
      links[i] = in.number();
    }
    long last = digests.end() - (in.hasMore() ? in.number() : 1);
    return ArrivalLog.stored(digests, links.length % 2 == 0 ? links : new long[0], last);
  }

  private static Tuples tuples(PackedReader in, int width) {
    long begin = in.number();
    byte[] bytes = in.bytes();
    long[] longs = new long[bytes.length / Long.BYTES / width * width];
    ByteBuffer.wrap(bytes).asLongBuffer().get(longs);
    return Tuples.beginningAt(begin, width).with(longs);
  }
}
