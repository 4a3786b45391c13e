package io.headgate.timeline.live;

import io.headgate.observe.Meters;
import io.headgate.timeline.DecisionResult;
import io.headgate.timeline.EventType;
import io.headgate.timeline.Fault;
import io.headgate.timeline.Observation;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.ingest.DecisionReport;
import io.headgate.timeline.ingest.EngineReport;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What became of the events of reports. Safe on any thread. */
final class ReportMeters {
  private final LongAdder recorded = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder others = new LongAdder();
  private final LongAdder unreadable = new LongAdder();
  private final LongAdder overBound = new LongAdder();
  private final LongAdder cut = new LongAdder();
  private final LongAdder unknownTypes = new LongAdder();
  private final LongAdder taken = new LongAdder();
  private final LongAdder unknownReasons = new LongAdder();
  private final Map<Fault, LongAdder> faults = new EnumMap<>(Fault.class);
  private final LongAdder evicted = new LongAdder();
  private final LongAdder evictedUnresolved = new LongAdder();

  ReportMeters() {
    for (Fault fault : Fault.values()) {
      faults.put(fault, new LongAdder());
    }
  }

  /** A batch of an engine was read. */
  void read(EngineReport report, boolean bodyCut) {
    others.add(report.otherEvents());
    unreadable.add(report.unreadable());
    overBound.add(report.overBound());
    unknownTypes.add(unknown(report.jobs().values()));
    if (bodyCut) {
      cut.increment();
    }
  }

  private static long unknown(Collection<List<Observation>> jobs) {
    return jobs.stream()
        .flatMap(List::stream)
        .filter(event -> event.type() == EventType.UNKNOWN)
        .count();
  }

  /** One job's events of an engine's batch were stored. */
  void observed(Receipt receipt) {
    recorded.add(receipt.recorded());
    replayed.add(receipt.replayed());
    dropped.add(receipt.dropped());
    evictions(receipt);
  }

  /** A batch of decisions was read. */
  void read(DecisionReport report) {
    unknownReasons.add(report.unknownReasons());
  }

  /** A decision was taken, or not. */
  void decided(DecisionResult result) {
    LongAdder fault = result.fault() == null ? null : faults.get(result.fault());
    (fault == null ? taken : fault).increment();
  }

  /** What one job's events have driven out. */
  void evictions(Receipt receipt) {
    evicted.add(receipt.evicted());
    evictedUnresolved.add(receipt.evictedUnresolved());
  }

  void observe(Meters meters) {
    event(meters, "recorded", recorded);
    event(meters, "replayed", replayed);
    event(meters, "dropped", dropped);
    event(meters, "other-kind", others);
    event(meters, "unreadable", unreadable);
    event(meters, "over-bound", overBound);
    meters.counter("headgate.report.cut", "Bodies of engines longer than are read.", cut::sum);
    meters.counter(
        "headgate.report.unknown.types", "Schema events of no known kind.", unknownTypes::sum);
    decision(meters, "taken", taken);
    faults.forEach((fault, count) -> decision(meters, Meters.label(fault), count));
    meters.counter(
        "headgate.decision.unknown.reasons", "Reasons of no known code.", unknownReasons::sum);
    meters.counter("headgate.timeline.evicted", "Records that made room.", evicted::sum);
    meters.counter(
        "headgate.timeline.evicted.unresolved",
        "Those of them without an outcome.",
        evictedUnresolved::sum);
  }

  private static void event(Meters meters, String became, LongAdder count) {
    meters.counter(
        "headgate.report.events",
        "Events of engines, by what became of them.",
        count::sum,
        "became",
        became);
  }

  private static void decision(Meters meters, String became, LongAdder count) {
    meters.counter(
        "headgate.decision.events",
        "Decisions of reporters, by what became of them.",
        count::sum,
        "became",
        became);
  }
}
