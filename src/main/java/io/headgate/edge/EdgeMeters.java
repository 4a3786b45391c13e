package io.headgate.edge;

import io.headgate.edge.guard.ConnectionGate;
import io.headgate.observe.Meters;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the edge counts. Safe on any thread; counting is one addition. */
final class EdgeMeters {
  private final Meters meters;
  private final LongAdder lineageFresh = new LongAdder();
  private final LongAdder lineageRecent = new LongAdder();
  private final LongAdder notModified = new LongAdder();
  private final LongAdder left = new LongAdder();
  private final OutcomeCounts lineage;
  private final OutcomeCounts publications;
  private final OutcomeCounts reports;
  private final OutcomeCounts decisions;
  private final OutcomeCounts timelines;
  private final OutcomeCounts fn;
  private final OutcomeCounts pictures;
  private final ConcurrentHashMap<Integer, LongAdder> others = new ConcurrentHashMap<>();

  EdgeMeters(Meters meters, ConnectionGate connections) {
    this.meters = meters;
    lineage =
        new OutcomeCounts(
            meters, "headgate.lineage.outcomes", "Lineage answers by status and reason.");
    publications =
        new OutcomeCounts(
            meters, "headgate.publication.outcomes", "Publications by status and reason.");
    reports =
        new OutcomeCounts(
            meters, "headgate.report.outcomes", "Batches of engines by status and reason.");
    decisions =
        new OutcomeCounts(
            meters, "headgate.decision.outcomes", "Batches of decisions by status and reason.");
    timelines =
        new OutcomeCounts(
            meters, "headgate.timeline.outcomes", "Timelines asked for, by status and reason.");
    fn =
        new OutcomeCounts(
            meters, "headgate.fn.http.outcomes", "Questions of the Fn API by status and reason.");
    pictures =
        new OutcomeCounts(meters, "headgate.picture.outcomes", "Pictures by status and reason.");
    meters.gauge("headgate.connections", "Connections open now.", connections::open);
    meters.counter(
        "headgate.connections.refused",
        "Connections closed at once because there were too many.",
        connections::refused);
    meters.counter(
        "headgate.lineage.requests",
        "Lineage requests by how their answer came about.",
        lineageFresh::sum,
        "answer",
        "flight");
    meters.counter(
        "headgate.lineage.requests",
        "Lineage requests by how their answer came about.",
        lineageRecent::sum,
        "answer",
        "at-once");
    meters.counter("headgate.lineage.not.modified", "Answers that were 304.", notModified::sum);
    meters.counter(
        "headgate.clients.left", "Requests whose client left before its answer.", left::sum);
  }

  void flight(Reply reply) {
    lineageFresh.increment();
    lineage.count(reply);
  }

  void atOnce(Reply reply) {
    lineageRecent.increment();
    lineage.count(reply);
  }

  void published(Reply reply) {
    publications.count(reply);
  }

  void reported(Reply reply) {
    reports.count(reply);
  }

  void decided(Reply reply) {
    decisions.count(reply);
  }

  void timelineShown(Reply reply) {
    timelines.count(reply);
  }

  void fnAnswered(Reply reply) {
    fn.count(reply);
  }

  /** What lineage was answered, as {@link OutcomeCounts#json} writes it. */
  String lineageOutcomes() {
    return lineage.json();
  }

  void pictureShown(Reply reply) {
    pictures.count(reply);
  }

  void notModified() {
    notModified.increment();
  }

  void clientLeft() {
    left.increment();
  }

  /** An answer of any other route. */
  void other(int status) {
    LongAdder count = others.get(status);
    if (count == null) {
      count = others.computeIfAbsent(status, this::otherCount);
    }
    count.increment();
  }

  private LongAdder otherCount(int status) {
    LongAdder count = new LongAdder();
    meters.counter(
        "headgate.other.responses",
        "Answers of all other routes, and of requests refused before a route was known.",
        count::sum,
        "status",
        Integer.toString(status));
    return count;
  }
}
