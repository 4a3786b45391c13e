package io.headgate.timeline;

import org.jspecify.annotations.Nullable;

/**
 * All that is remembered of the schema changes of one job: records, what has come before, numbering
 * and counts. One value, replaced as a whole by {@link #apply}, so that no reader sees half a
 * change. Immutable; safe on any thread.
 */
public final class Timeline {
  /** The job has not ended. */
  public static final long NEVER = Long.MAX_VALUE;

  static final SchemaChangeRecord[] NO_RECORDS = {};

  /** What counts for the head and the arrays. */
  static final int COST = 256;

  /** What some records may take where there is no room: a few, or the next would cost all. */
  private static final int FEW_BYTES = 4 << 10;

  private final Head head;
  private final SchemaChangeRecord[] records;
  private final byte[] kinds;
  private final ArrivalLog arrivals;
  private final KeyLog keys;
  private final long recordBytes;

  /**
   * What is not in records.
   *
   * @param history the id under which sequences count (T6)
   * @param lastSequence the sequence given last, 0 if none
   * @param evicted records that made room
   * @param evictedUnresolved those of them without an outcome
   * @param dropped events that were not kept
   * @param endedAt when the job ended, or {@link Timeline#NEVER}
   * @param changedAt when anything changed last
   */
  record Head(
      long jobId,
      long history,
      long lastSequence,
      long evicted,
      long evictedUnresolved,
      long dropped,
      long endedAt,
      long changedAt) {}

  /**
   * @param records in the order of their sequences; handed over
   */
  Timeline(Head head, SchemaChangeRecord[] records, ArrivalLog arrivals, KeyLog keys) {
    this(head, records, RecordList.kinds(records), cost(records), arrivals, keys);
  }

  /**
   * @param kinds those of the records, as {@link RecordList} has them; handed over
   * @param recordBytes what the records count for
   */
  Timeline(
      Head head,
      SchemaChangeRecord[] records,
      byte[] kinds,
      long recordBytes,
      ArrivalLog arrivals,
      KeyLog keys) {
    this.head = head;
    this.records = records;
    this.kinds = kinds;
    this.recordBytes = recordBytes;
    this.arrivals = arrivals;
    this.keys = keys;
  }

  private static long cost(SchemaChangeRecord[] records) {
    long sum = 0;
    for (SchemaChangeRecord each : records) {
      sum += each.cost();
    }
    return sum;
  }

  static Timeline begun(long jobId, long history, long now) {
    Head head = new Head(jobId, history, 0, 0, 0, 0, NEVER, now);
    return new Timeline(head, NO_RECORDS, ArrivalLog.EMPTY, KeyLog.EMPTY);
  }

  /**
   * The timeline of a job after {@code change}: the one way in which a timeline changes. The same
   * arguments always give the same result, so owner and backup may each apply it, and a change that
   * is applied again does nothing new.
   *
   * @param current null if the job has none
   * @param now the caller's clock, in milliseconds since 1970
   */
  public static Applied apply(
      @Nullable Timeline current, TimelineChange change, long now, TimelineLimits limits) {
    return TimelineUpdate.apply(current, change, now, limits);
  }

  /**
   * The timeline of a job after a split of the cluster has healed (T6): what the surviving side
   * has, with what the other side knows besides of the same records. A record that only the other
   * side has is kept unless the survivor has used its number or let it go.
   */
  public static Timeline merge(Timeline survivor, Timeline other, TimelineLimits limits) {
    return TimelineUnion.of(survivor, other, limits);
  }

  /** The engine's id of the job. */
  public long jobId() {
    return head.jobId;
  }

  /** The id under which sequences count (T6). */
  public String historyId() {
    return SchemaChangeId.historyText(head.history);
  }

  /** How many changes are recorded. */
  public int size() {
    return records.length;
  }

  /** Whether a record is unresolved, so that it is worth asking whether the job has ended (T12). */
  public boolean isActive() {
    for (byte each : kinds) {
      if ((each & RecordList.TERMINAL) == 0) {
        return true;
      }
    }
    return false;
  }

  /** When the job ended, or {@link #NEVER}. */
  public long endedAt() {
    return head.endedAt;
  }

  /** When it may be forgotten, or {@link #NEVER}. */
  public long expiresAt(TimelineLimits limits) {
    return head.endedAt == NEVER ? NEVER : head.endedAt + limits.retentionMillis();
  }

  /** When anything changed last, for finding the job that has been idle longest (T4). */
  public long changedAt() {
    return head.changedAt;
  }

  /** What it counts for against {@link TimelineLimits#jobBytes}; at least its stored bytes. */
  public long bytes() {
    return COST + arrivals.cost() + keys.cost() + recordBytes;
  }

  /**
   * Limits under which a change lets the records take no more than they do, or a few of them no
   * more than 4 KiB: what comes makes room in this timeline. Only what a replay is recognised by
   * may still grow.
   */
  public TimelineLimits limitsWithoutGrowth(TimelineLimits limits) {
    long bytes =
        Math.min(limits.jobBytes(), Math.max(recordBytes, FEW_BYTES) + RecordRoom.LOG_BYTES);
    return new TimelineLimits(
        limits.records(),
        limits.targets(),
        limits.attempts(),
        (int) bytes,
        limits.retentionMillis());
  }

  long recordBytes() {
    return recordBytes;
  }

  /** Whether anything that was reported is not in it, but for details that a record tells of. */
  boolean incomplete() {
    return head.evicted > 0 || head.dropped > 0;
  }

  Head head() {
    return head;
  }

  SchemaChangeRecord record(int index) {
    return records[index];
  }

  /** A copy that may be changed. */
  SchemaChangeRecord[] records() {
    return records.clone();
  }

  /** Their kinds, as {@link RecordList} has them; a copy that may be changed. */
  byte[] kinds() {
    return kinds.clone();
  }

  ArrivalLog arrivals() {
    return arrivals;
  }

  KeyLog keys() {
    return keys;
  }

  /** How many records have a sequence below {@code sequence}. */
  int below(long sequence) {
    int low = 0;
    int high = records.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (records[middle].sequence() < sequence) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  SchemaChangeId id(SchemaChangeRecord each) {
    return new SchemaChangeId(head.jobId, each.sequence(), head.history);
  }

  /** Its stored form, compact and versioned. */
  public byte[] toBytes() {
    return TimelineBytes.write(this);
  }

  /**
   * Reads what {@link #toBytes} has written, in this version or another.
   *
   * @throws io.headgate.wire.UnreadableBytesException if the bytes are something else
   */
  public static Timeline fromBytes(byte[] bytes) {
    return TimelineBytes.read(bytes);
  }
}
