package io.headgate.observe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether this deployment is ready for traffic. Safe on any thread. */
public final class Health {
  private enum Phase {
    STARTING,
    READY,
    STOPPING
  }

  private final boolean demo;
  private final @Nullable SourceHealth source;
  private final @Nullable ClusterHealth cluster;
  private volatile Phase phase = Phase.STARTING;

  /**
   * @param demo whether recorded jobs are served
   * @param source the source's members, or null if it has none to speak of
   * @param cluster the cluster that this gateway is a member of, or null
   */
  public Health(boolean demo, @Nullable SourceHealth source, @Nullable ClusterHealth cluster) {
    this.demo = demo;
    this.source = source;
    this.cluster = cluster;
  }

  /** It listens, and its cluster is joined. */
  public void ready() {
    phase = Phase.READY;
  }

  /** It is being stopped and should get no more traffic. */
  public void stopping() {
    phase = Phase.STOPPING;
  }

  /**
   * Whether it should get traffic: also not while it is joining its cluster anew. Sources don't
   * matter, they take no gateway out of rotation; nor does a cluster that is too small, or a member
   * that starts first would wait for ever for the next to be started.
   */
  public boolean isReady() {
    return phase == Phase.READY && (cluster == null || cluster.joined());
  }

  /**
   * The readiness body: {@code
   * {"status":"UP","demo":false,"sources":[{"member":0,"usable":true}]}}, and in a cluster behind
   * it {@code "cluster":{"members":3,"minimum":2,"joined":true}}; status is UP or DOWN.
   */
  public String readiness() {
    StringBuilder json = new StringBuilder("{\"status\":\"");
    json.append(isReady() ? "UP" : "DOWN").append("\",\"demo\":").append(demo);
    json.append(",\"sources\":[");
    List<SourceHealth.Status> members = source == null ? List.of() : source.members();
    for (int i = 0; i < members.size(); i++) {
      json.append(i == 0 ? "" : ",")
          .append("{\"member\":")
          .append(i)
          .append(",\"usable\":")
          .append(members.get(i) == SourceHealth.Status.USABLE)
          .append('}');
    }
    json.append(']');
    if (cluster != null) {
      json.append(",\"cluster\":{\"members\":")
          .append(cluster.members())
          .append(",\"minimum\":")
          .append(cluster.minimum())
          .append(",\"joined\":")
          .append(cluster.joined())
          .append('}');
    }
    return json.append('}').toString();
  }

  /**
   * The liveness body: {@code {"status":"UP","demo":false}}, as long as there is anybody to give
   * it.
   */
  public String liveness() {
    return "{\"status\":\"UP\",\"demo\":" + demo + "}";
  }
}
