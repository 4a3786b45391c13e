package io.headgate.timeline;

import io.headgate.wire.CapExceededException;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.JsonText;

/**
 * Writes one page of a job's timeline as JSON (T13, T14): newest records first, one shape whether
 * the job runs or has ended. Fields always come in the same order, and those that are not known are
 * null.
 */
public final class TimelinePage {
  /** What stands behind the records, with every number at its longest. */
  private static final int TAIL_BYTES = 320;

  private static final int EXPECTED_RECORD_BYTES = 1_024;

  private final Timeline timeline;
  private final TimelineQuery query;
  private final RecordWriter records;
  private final CappedBuffer out;
  private final int recordsCap;

  private TimelinePage(Timeline timeline, TimelineQuery query, boolean errorSummaries, int cap) {
    this.timeline = timeline;
    this.query = query;
    int expected = Math.min(query.limit(), timeline.size()) * EXPECTED_RECORD_BYTES;
    this.out = new CappedBuffer(expected + TAIL_BYTES, cap);
    this.records = new RecordWriter(timeline, errorSummaries, out);
    this.recordsCap = cap - TAIL_BYTES;
  }

  /**
   * The page that {@code query} asks for. It ends early where the next record would pass the cap.
   *
   * @param errorSummaries whether error texts may be told (T11)
   * @param cap the most bytes of the page
   * @throws CapExceededException if the cap does not even hold one record without its details
   */
  public static CappedBuffer write(
      Timeline timeline, TimelineQuery query, boolean errorSummaries, int cap) {
    TimelinePage page = new TimelinePage(timeline, query, errorSummaries, cap);
    page.write();
    return page.out;
  }

  /**
   * The page of a job that is known and has no timeline.
   *
   * @param historyId what stands for the id of a history that has not begun
   */
  public static CappedBuffer empty(long jobId, String historyId, int cap) {
    CappedBuffer out = new CappedBuffer(TAIL_BYTES, cap);
    begin(jobId, historyId, out);
    end(0, 0, 0, 0, false, out);
    return out;
  }

  private void write() {
    begin(timeline.jobId(), timeline.historyId(), out);
    int index = timeline.below(query.beforeSequence());
    int written = 0;
    long next = 0;
    long last = 0;
    while (--index >= 0) {
      SchemaChangeRecord record = timeline.record(index);
      if (!query.matches(record)) {
        continue;
      }
      if (written == query.limit() || !fits(record, written)) {
        next = last;
        break;
      }
      last = record.sequence();
      written++;
    }
    Timeline.Head head = timeline.head();
    boolean truncated = timeline.incomplete() || records.anyCut();
    end(next, head.evicted(), head.evictedUnresolved(), head.dropped(), truncated, out);
  }

  /** Writes one record if there is room; the first one of a page at least without its details. */
  private boolean fits(SchemaChangeRecord record, int written) {
    int before = out.length();
    if (written > 0) {
      return put(record, true, before);
    }
    if (put(record, false, before)) {
      return true;
    }
    SchemaChangeRecord bare = record.withoutErrors().withoutTargets();
    if (put(bare, false, before)) {
      return true;
    }
    throw new CapExceededException(recordsCap);
  }

  private boolean put(SchemaChangeRecord record, boolean comma, int before) {
    try {
      if (comma) {
        out.put((byte) ',');
      }
      records.write(record);
      if (out.length() <= recordsCap) {
        records.keep();
        return true;
      }
    } catch (CapExceededException e) {
      // It is taken out below.
    }
    out.cutTo(before);
    return false;
  }

  private static void begin(long jobId, String historyId, CappedBuffer out) {
    out.putAscii("{\"schemaVersion\":1,\"jobId\":\"");
    out.putDecimal(jobId);
    out.putAscii("\",\"historyId\":");
    JsonText.writeQuoted(historyId, false, out);
    out.putAscii(",\"records\":[");
  }

  private static void end(
      long next, long evicted, long unresolved, long dropped, boolean truncated, CappedBuffer out) {
    out.putAscii("],\"nextBeforeSequence\":");
    if (next == 0) {
      out.putAscii("null");
    } else {
      out.putDecimal(next);
    }
    out.putAscii(",\"evictedRecords\":");
    out.putDecimal(evicted);
    out.putAscii(",\"evictedUnresolved\":");
    out.putDecimal(unresolved);
    out.putAscii(",\"droppedEvents\":");
    out.putDecimal(dropped);
    out.putAscii(",\"truncated\":");
    out.putAscii(truncated ? "true}" : "false}");
  }
}
