package io.headgate.timeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A timeline while a change is applied to it: what {@link Timeline#apply} works on. Confined to one
 * call.
 */
final class TimelineUpdate {
  private final Timeline before;
  private final long now;
  private final TimelineLimits limits;

  private final RecordRoom room;
  private ArrivalLog arrivals;
  private KeyLog keys;
  private long lastSequence;
  private long endedAt;
  private int dropped;
  private int recorded;
  private int replayed;

  private TimelineUpdate(Timeline before, long now, TimelineLimits limits) {
    this.before = before;
    this.now = now;
    this.limits = limits;
    this.room = new RecordRoom(before, limits);
    this.arrivals = before.arrivals();
    this.keys = before.keys();
    this.lastSequence = before.head().lastSequence();
    this.endedAt = before.endedAt();
  }

  static Applied apply(
      @Nullable Timeline current, TimelineChange change, long now, TimelineLimits limits) {
    Timeline begun = current;
    if (begun == null) {
      begun = begun(change, now);
      if (begun == null) {
        return new Applied(null, nothingKnown(change));
      }
    }
    TimelineUpdate update = new TimelineUpdate(begun, now, limits);
    List<DecisionResult> results = update.take(change);
    Timeline after = update.after();
    return new Applied(after == begun ? current : after, update.receipt(results));
  }

  /** An empty timeline, if the change is one that may begin a history. */
  private static @Nullable Timeline begun(TimelineChange change, long now) {
    if (change instanceof TimelineChange.Observed observed) {
      return observed.observations().isEmpty()
          ? null
          : Timeline.begun(change.jobId(), observed.freshHistory(), now);
    }
    if (change instanceof TimelineChange.Decided decided) {
      boolean first =
          decided.events().stream().anyMatch(e -> e.change() instanceof ChangeReference.ByKey);
      return first ? Timeline.begun(change.jobId(), decided.freshHistory(), now) : null;
    }
    return null;
  }

  private static Receipt nothingKnown(TimelineChange change) {
    if (!(change instanceof TimelineChange.Decided decided)) {
      return Receipt.NOTHING;
    }
    List<DecisionResult> results =
        decided.events().stream().map(e -> DecisionResult.of(Fault.UNKNOWN_CHANGE)).toList();
    return new Receipt(0, 0, 0, 0, 0, results);
  }

  private List<DecisionResult> take(TimelineChange change) {
    List<DecisionResult> results = new ArrayList<>();
    if (change instanceof TimelineChange.Observed observed) {
      observe(observed.observations());
    } else if (change instanceof TimelineChange.Decided decided) {
      for (DecisionEvent event : decided.events()) {
        results.add(decide(event));
      }
    } else if (change instanceof TimelineChange.Ended) {
      end();
    } else {
      endedAt = Timeline.NEVER;
    }
    return results;
  }

  private void observe(List<Observation> observations) {
    List<EventDigest> batch = observations.stream().map(Observation::digest).toList();
    ArrivalLog.Replay replay = arrivals.replayIn(batch);
    replayed = replay.length();
    arrivals = arrivals.with(batch, replay);
    for (Observation each : observations.subList(replay.length(), observations.size())) {
      // One that finds no room is in the log all the same: the run goes on behind it.
      add(SchemaChangeRecord.observed(lastSequence + 1, each, now, limits));
    }
  }

  private boolean add(SchemaChangeRecord record) {
    if (!room.add(record)) {
      dropped++;
      return false;
    }
    lastSequence++;
    recorded++;
    return true;
  }

  private DecisionResult decide(DecisionEvent event) {
    ChangeReference change = event.change();
    if (change instanceof ChangeReference.ByKey byKey) {
      long known = keys.find(byKey.key());
      return known == 0 ? begin(event, byKey.key()) : decide(event, known);
    }
    if (change instanceof ChangeReference.ById byId) {
      return decide(event, byId.id().sequence(), byId.id().history());
    }
    ChangeReference.BySequence bySequence = (ChangeReference.BySequence) change;
    Long history = bySequence.history();
    long meant = history == null ? before.head().history() : history;
    return decide(event, bySequence.sequence(), meant);
  }

  private DecisionResult begin(DecisionEvent event, EventDigest key) {
    long sequence = lastSequence + 1;
    SchemaChangeRecord begun = SchemaChangeRecord.begun(sequence, key, now);
    if (!add(begun.with(event, limits))) {
      return DecisionResult.of(Fault.HISTORY_FULL);
    }
    keys = keys.with(key, sequence);
    return DecisionResult.of(id(sequence));
  }

  private DecisionResult decide(DecisionEvent event, long sequence, long history) {
    return history == before.head().history() && sequence <= lastSequence
        ? decide(event, sequence)
        : DecisionResult.of(Fault.UNKNOWN_CHANGE);
  }

  private DecisionResult decide(DecisionEvent event, long sequence) {
    SchemaChangeRecord record = room.find(sequence);
    if (record == null) {
      dropped++;
      return DecisionResult.of(Fault.EVICTED_CHANGE);
    }
    if (!room.replace(record, record.with(event, limits))) {
      dropped++;
      return DecisionResult.of(Fault.HISTORY_FULL);
    }
    return DecisionResult.of(id(sequence));
  }

  private SchemaChangeId id(long sequence) {
    return new SchemaChangeId(before.jobId(), sequence, before.head().history());
  }

  private void end() {
    if (endedAt == Timeline.NEVER) {
      endedAt = now;
    }
    room.endAll(now);
  }

  private Timeline after() {
    Timeline.Head head = before.head();
    boolean same =
        !room.changed()
            && arrivals == before.arrivals()
            && endedAt == before.endedAt()
            && dropped == 0;
    if (same) {
      return before;
    }
    Timeline.Head next =
        new Timeline.Head(
            head.jobId(),
            head.history(),
            lastSequence,
            head.evicted() + room.evicted(),
            head.evictedUnresolved() + room.evictedUnresolved(),
            head.dropped() + dropped,
            endedAt,
            now);
    return room.timeline(next, arrivals, keys);
  }

  private Receipt receipt(List<DecisionResult> results) {
    return new Receipt(
        recorded, replayed, dropped, room.evicted(), room.evictedUnresolved(), results);
  }
}
