package io.headgate.timeline;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The records of one job while they are changed, and the room that they have (T10).
 *
 * <h2>What goes when there are too many</h2>
 *
 * The oldest that is terminal; then the oldest of which nothing but its observation is known.
 * Others stay, and what would be new is not taken.
 *
 * <h2>What goes when they are too large</h2>
 *
 * Error texts, then names of targets, from the oldest record on; then records as above. If that is
 * not enough, what would be new is not taken.
 */
final class RecordRoom {
  /** What a timeline has besides records once its logs are full; kept free from the beginning. */
  static final int LOG_BYTES = Timeline.COST + ArrivalLog.MAX_COST + KeyLog.MAX_COST;

  private final TimelineLimits limits;

  private final RecordList records;
  private long recordBytes;
  private boolean changed;
  private int evicted;
  private int evictedUnresolved;

  RecordRoom(Timeline before, TimelineLimits limits) {
    this.limits = limits;
    this.records = new RecordList(before.records(), before.kinds());
    this.recordBytes = before.recordBytes();
  }

  /** The same timeline within its bounds; what is newest and can't stay counts as dropped. */
  static Timeline within(Timeline timeline, TimelineLimits limits) {
    RecordRoom room = new RecordRoom(timeline, limits);
    int dropped = 0;
    while (room.isFull() && room.records.size() > 0) {
      if (!room.evictOldest(0)) {
        room.remove(room.records.size() - 1);
        dropped++;
      }
    }
    Timeline.Head head = timeline.head();
    Timeline.Head counted =
        new Timeline.Head(
            head.jobId(),
            head.history(),
            head.lastSequence(),
            head.evicted() + room.evicted,
            head.evictedUnresolved() + room.evictedUnresolved,
            head.dropped() + dropped,
            head.endedAt(),
            head.changedAt());
    return room.timeline(counted, timeline.arrivals(), timeline.keys());
  }

  /** A timeline with what is here. */
  Timeline timeline(Timeline.Head head, ArrivalLog arrivals, KeyLog keys) {
    return new Timeline(head, records.toArray(), records.kinds(), recordBytes, arrivals, keys);
  }

  private boolean isFull() {
    return records.size() > limits.records() || !fit(0);
  }

  @Nullable SchemaChangeRecord find(long sequence) {
    int at = records.indexOf(sequence);
    return at < 0 ? null : records.get(at);
  }

  /** Adds one that is newer than all others; false if there is no room for it. */
  boolean add(SchemaChangeRecord record) {
    if (records.size() >= limits.records() && !evictOldest(0)) {
      return false;
    }
    records.add(record);
    recordBytes += record.cost();
    changed = true;
    if (fit(record.sequence())) {
      return true;
    }
    remove(records.size() - 1);
    return false;
  }

  /** Puts {@code next} in the place of {@code record}; false if there is no room for it. */
  boolean replace(SchemaChangeRecord record, SchemaChangeRecord next) {
    if (next == record) {
      return true;
    }
    set(records.indexOf(record.sequence()), next);
    if (fit(record.sequence())) {
      return true;
    }
    // It has been bared of what it could do without, and so is what it was before.
    set(records.indexOf(record.sequence()), bare(record));
    return false;
  }

  private static SchemaChangeRecord bare(SchemaChangeRecord record) {
    SchemaChangeRecord quiet = record.decisions().hasErrors() ? record.withoutErrors() : record;
    return quiet.decisions().targets().length > 0 ? quiet.withoutTargets() : quiet;
  }

  /** Marks all that is unresolved: the job has ended. */
  void endAll(long at) {
    for (int i = 0; i < records.size(); i++) {
      SchemaChangeRecord ended = records.get(i).ended(at);
      if (ended != records.get(i)) {
        set(i, ended);
      }
    }
  }

  private void set(int index, SchemaChangeRecord next) {
    recordBytes += next.cost() - records.get(index).cost();
    records.set(index, next);
    changed = true;
  }

  private void remove(int index) {
    recordBytes -= records.remove(index).cost();
    changed = true;
  }

  /** The oldest of those that may go goes, but for {@code spared}; false if there is none. */
  private boolean evictOldest(long spared) {
    int at = records.oldest(RecordList.TERMINAL, spared);
    if (at < 0) {
      at = records.oldest(RecordList.ONLY_OBSERVED, spared);
    }
    if (at < 0) {
      return false;
    }
    evicted++;
    if (!records.get(at).verdict().terminal()) {
      evictedUnresolved++;
    }
    remove(at);
    return true;
  }

  /** Makes everything fit into the budget without losing the record {@code spared}. */
  private boolean fit(long spared) {
    if (fits()) {
      return true;
    }
    trim(RecordList.ERRORS, SchemaChangeRecord::withoutErrors);
    trim(RecordList.TARGETS, SchemaChangeRecord::withoutTargets);
    boolean more = true;
    while (!fits() && more) {
      more = evictOldest(spared);
    }
    return fits();
  }

  private boolean fits() {
    return recordBytes + LOG_BYTES <= limits.jobBytes();
  }

  private void trim(byte what, UnaryOperator<SchemaChangeRecord> without) {
    for (int at = 0; at >= 0 && !fits(); ) {
      at = records.oldest(what, 0);
      if (at >= 0) {
        set(at, without.apply(records.get(at)));
      }
    }
  }

  boolean changed() {
    return changed;
  }

  int evicted() {
    return evicted;
  }

  int evictedUnresolved() {
    return evictedUnresolved;
  }
}
