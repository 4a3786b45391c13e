package io.headgate.edge;

import io.headgate.observe.Meters;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts answers of one kind of route by status and reason; both are from closed sets. A series
 * begins with its first answer. Safe on any thread.
 */
final class OutcomeCounts {
  private final Meters meters;
  private final String name;
  private final String description;
  private final ConcurrentHashMap<String, LongAdder> reasons = new ConcurrentHashMap<>();

  OutcomeCounts(Meters meters, String name, String description) {
    this.meters = meters;
    this.name = name;
    this.description = description;
  }

  void count(Reply reply) {
    LongAdder count = reasons.get(reply.reason());
    if (count == null) {
      count = reasons.computeIfAbsent(reply.reason(), reason -> begin(reply.status(), reason));
    }
    count.increment();
  }

  private LongAdder begin(int status, String reason) {
    LongAdder count = new LongAdder();
    meters.counter(
        name, description, count::sum, "status", Integer.toString(status), "reason", reason);
    return count;
  }
}
