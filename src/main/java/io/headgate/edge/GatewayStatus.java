package io.headgate.edge;

import io.headgate.admission.Permits;
import io.headgate.admission.Pool;
import io.headgate.observe.Health;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * What the start page shows of this gateway, made from the counters that the meters read: a few
 * numbers under names from closed sets, no address and no job. Safe on any thread.
 */
final class GatewayStatus {
  private final Edge edge;
  private final Health health;
  private final BooleanSupplier fn;

  /**
   * @param fn whether the Fn API can be asked over HTTP
   */
  GatewayStatus(Edge edge, Health health, BooleanSupplier fn) {
    this.edge = edge;
    this.health = health;
    this.fn = fn;
  }

  /** The text of {@code GET {basePath}/ui/state}, in ASCII. */
  String json() {
    var flights = edge.lineage;
    return "{\"schemaVersion\":1,\"health\":"
        + health.readiness()
        + ",\"shows\":{\"timeline\":"
        + (edge.timelines != null)
        + ",\"fn\":"
        + fn.getAsBoolean()
        + "},\"connections\":"
        + edge.connections.open()
        + ",\"pools\":["
        + Arrays.stream(Pool.values()).map(this::pool).collect(Collectors.joining(","))
        + "],\"flights\":{\"underWay\":"
        + flights.underWay()
        + ",\"waiting\":"
        + flights.waiting()
        + ",\"begun\":"
        + flights.begun()
        + ",\"joined\":"
        + flights.joined()
        + ",\"reused\":"
        + flights.reused()
        + ",\"crowded\":"
        + flights.crowded()
        + ",\"overdue\":"
        + flights.overdue()
        + "},\"lineage\":"
        + edge.edgeMeters.lineageOutcomes()
        + "}";
  }

  private String pool(Pool pool) {
    Permits permits = edge.permits(pool);
    return "{\"pool\":\""
        + pool.label()
        + "\",\"used\":"
        + permits.inUse()
        + ",\"limit\":"
        + permits.limit()
        + ",\"granted\":"
        + permits.granted()
        + ",\"refused\":"
        + permits.refused()
        + "}";
  }
}
