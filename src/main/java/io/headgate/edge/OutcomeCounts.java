package io.headgate.edge;

import io.headgate.observe.Meters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Counts answers of one kind of route by status and reason; both are from closed sets. A series
 * begins with its first answer. Safe on any thread.
 */
final class OutcomeCounts {
  private final Meters meters;
  private final String name;
  private final String description;
  private final ConcurrentHashMap<String, Series> reasons = new ConcurrentHashMap<>();

  private record Series(int status, LongAdder count) {
    String json(String reason) {
      return "{\"status\":"
          + status
          + ",\"reason\":\""
          + reason
          + "\",\"count\":"
          + count.sum()
          + "}";
    }
  }

  OutcomeCounts(Meters meters, String name, String description) {
    this.meters = meters;
    this.name = name;
    this.description = description;
  }

  void count(Reply reply) {
    Series series = reasons.get(reply.reason());
    if (series == null) {
      series = reasons.computeIfAbsent(reply.reason(), reason -> begin(reply.status(), reason));
    }
    series.count.increment();
  }

  /** {@code [{"status":503,"reason":"busy","count":7}]}, in the order of the reasons. */
  String json() {
    return reasons.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(each -> each.getValue().json(each.getKey()))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private Series begin(int status, String reason) {
    LongAdder count = new LongAdder();
    meters.counter(
        name, description, count::sum, "status", Integer.toString(status), "reason", reason);
    return new Series(status, count);
  }
}
