package io.headgate.fn;

import io.headgate.observe.Meters;
import java.util.concurrent.atomic.LongAdder;

/** What the Fn API counts. Counted on the loop, read on any thread. */
final class FnMeters {
  /** Why a response to an instruction is ignored. */
  enum Ignored {
    /** No such instruction was given out, or too long ago to remember. */
    UNKNOWN,
    /** Its deadline had passed, or its stream had been lost. */
    LATE,
    /** It had been answered. */
    REPEATED
  }

  /** Why a stream is refused. */
  enum Refused {
    /** The harness has such a stream. */
    DUPLICATE,
    /** Too many harnesses. */
    CROWDED,
    /** Another subject has this id. */
    FOREIGN
  }

  private final LongAdder[] ignored = adders(Ignored.values().length);
  private final LongAdder[] dropped = adders(Drop.values().length);
  private final LongAdder[] refusedStreams = adders(Refused.values().length);
  private final LongAdder[] refusedState = adders(StateRefusal.values().length);
  private final LongAdder[] failures = adders(BundleFailure.values().length);
  private final LongAdder busy = new LongAdder();
  private final LongAdder started = new LongAdder();
  private final LongAdder succeeded = new LongAdder();
  private final LongAdder pauses = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder logEntries = new LongAdder();

  private static LongAdder[] adders(int count) {
    LongAdder[] adders = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  void ignored(Ignored reason) {
    ignored[reason.ordinal()].increment();
  }

  void dropped(Drop what) {
    dropped(what, 1);
  }

  void dropped(Drop what, long count) {
    dropped[what.ordinal()].add(count);
  }

  void refused(Refused reason) {
    refusedStreams[reason.ordinal()].increment();
  }

  void refused(StateRefusal reason) {
    refusedState[reason.ordinal()].increment();
  }

  void busy() {
    busy.increment();
  }

  void started() {
    started.increment();
  }

  void succeeded() {
    succeeded.increment();
  }

  void failed(BundleFailure reason) {
    failures[reason.ordinal()].increment();
  }

  void paused() {
    pauses.increment();
  }

  void sent(int bytes) {
    bytesIn.add(bytes);
  }

  void received(int bytes) {
    bytesOut.add(bytes);
  }

  void logged(long entries) {
    logEntries.add(entries);
  }

  long count(Ignored reason) {
    return ignored[reason.ordinal()].sum();
  }

  long count(Drop what) {
    return dropped[what.ordinal()].sum();
  }

  long count(Refused reason) {
    return refusedStreams[reason.ordinal()].sum();
  }

  long count(BundleFailure reason) {
    return failures[reason.ordinal()].sum();
  }

  long count(StateRefusal reason) {
    return refusedState[reason.ordinal()].sum();
  }

  /** Shows all of them as metrics. */
  void observe(Meters meters) {
    meters.counter("headgate.fn.bundles.started", "Bundles started.", started::sum);
    meters.counter("headgate.fn.bundles.succeeded", "Bundles that succeeded.", succeeded::sum);
    meters.counter("headgate.fn.bundles.busy", "Instructions without a place.", busy::sum);
    meters.counter("headgate.fn.data.pauses", "Times a Data stream was paused.", pauses::sum);
    meters.counter("headgate.fn.data.sent.bytes", "Bytes sent to harnesses.", bytesIn::sum);
    meters.counter("headgate.fn.data.received.bytes", "Bytes from harnesses.", bytesOut::sum);
    meters.counter("headgate.fn.log.entries", "Log entries kept.", logEntries::sum);
    observe(
        meters, "headgate.fn.bundles.failed", "Failed bundles.", BundleFailure.values(), failures);
    observe(
        meters, "headgate.fn.responses.ignored", "Ignored responses.", Ignored.values(), ignored);
    observe(meters, "headgate.fn.dropped", "What came and was dropped.", Drop.values(), dropped);
    observe(
        meters,
        "headgate.fn.streams.refused",
        "Refused streams.",
        Refused.values(),
        refusedStreams);
    observe(
        meters,
        "headgate.fn.state.refused",
        "Refused requests.",
        StateRefusal.values(),
        refusedState);
  }

  private static void observe(
      Meters meters, String name, String description, Enum<?>[] reasons, LongAdder[] counts) {
    for (Enum<?> reason : reasons) {
      meters.counter(
          name, description, counts[reason.ordinal()]::sum, "reason", Meters.label(reason));
    }
  }
}
