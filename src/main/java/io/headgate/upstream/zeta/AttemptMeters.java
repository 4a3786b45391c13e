package io.headgate.upstream.zeta;

import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What is counted of the calls to one member. Labels are the member's index and a closed set. */
final class AttemptMeters {
  /** How a call ended, as far as the lookup cares. */
  enum Outcome {
    ANSWERED,
    UNREACHABLE,
    STATUS,
    AUTH,
    BODY,
    BUSY,
    ABANDONED,
    STOPPED;

    static Outcome of(Unavailability reason) {
      return switch (reason) {
        case UPSTREAM_STATUS -> STATUS;
        case UPSTREAM_AUTH -> AUTH;
        case UPSTREAM_BODY -> BODY;
        case UPSTREAM_BUSY -> BUSY;
        case DEADLINE -> ABANDONED;
        case STOPPING -> STOPPED;
        default -> UNREACHABLE;
      };
    }
  }

  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder timeouts = new LongAdder();
  private final LongAdder abandoned = new LongAdder();
  private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);

  AttemptMeters(Meters meters, ZetaMember member) {
    String index = Integer.toString(member.index());
    meters.gauge("headgate.upstream.open", "Calls open to a member.", open::get, "member", index);
    meters.gauge(
        "headgate.upstream.breaker.open",
        "1 while the member's breaker is not closed.",
        () -> member.breakerState() == io.vertx.circuitbreaker.CircuitBreakerState.CLOSED ? 0 : 1,
        "member",
        index);
    meters.counter(
        "headgate.upstream.timeouts",
        "Calls that ran out of their attempt time.",
        timeouts::sum,
        "member",
        index);
    meters.counter(
        "headgate.upstream.abandoned",
        "Calls that were cut because the member never answered.",
        abandoned::sum,
        "member",
        index);
    for (Outcome outcome : Outcome.values()) {
      LongAdder count = new LongAdder();
      outcomes.put(outcome, count);
      meters.counter(
          "headgate.upstream.calls",
          "Calls to a member by how they ended.",
          count::sum,
          "member",
          index,
          "outcome",
          outcome.name().toLowerCase(java.util.Locale.ROOT));
    }
  }

  void opened() {
    open.incrementAndGet();
  }

  void closed() {
    open.decrementAndGet();
  }

  void timedOut() {
    timeouts.increment();
  }

  void abandoned() {
    abandoned.increment();
  }

  void ended(Outcome outcome) {
    LongAdder count = outcomes.get(outcome);
    if (count != null) {
      count.increment();
    }
  }

  int open() {
    return open.get();
  }
}
