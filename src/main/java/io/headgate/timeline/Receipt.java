package io.headgate.timeline;

import java.util.Collections;
import java.util.List;

/**
 * What a change of a timeline did: for the answer and for metrics. It travels back from the owner
 * as {@link #toBytes}.
 *
 * @param recorded new records
 * @param replayed events of the engine that had come before
 * @param dropped events that were not kept, because nothing may go for them or their record is gone
 * @param evicted records that made room
 * @param evictedUnresolved those of them of which no outcome was known
 * @param results of decision events, in their order
 */
public record Receipt(
    int recorded,
    int replayed,
    int dropped,
    int evicted,
    int evictedUnresolved,
    List<DecisionResult> results) {
  /** Nothing was done. */
  public static final Receipt NOTHING = new Receipt(0, 0, 0, 0, 0, List.of());

  public Receipt {
    results = List.copyOf(results);
  }

  /**
   * Nothing of {@code change} was taken, because the store has no room (T4).
   *
   * @param fault what is said of each decision
   */
  public static Receipt noRoomFor(TimelineChange change, Fault fault) {
    if (change instanceof TimelineChange.Observed observed) {
      return new Receipt(0, 0, observed.observations().size(), 0, 0, List.of());
    }
    if (change instanceof TimelineChange.Decided decided) {
      int events = decided.events().size();
      DecisionResult none = DecisionResult.of(fault);
      return new Receipt(0, 0, events, 0, 0, Collections.nCopies(events, none));
    }
    return NOTHING;
  }

  /** Its form on the way to the caller. */
  public byte[] toBytes() {
    return ReceiptBytes.write(this);
  }

  /**
   * Reads what {@link #toBytes} has written.
   *
   * @throws io.headgate.wire.UnreadableBytesException if the bytes are something else
   */
  public static Receipt fromBytes(byte[] bytes) {
    return ReceiptBytes.read(bytes);
  }
}
