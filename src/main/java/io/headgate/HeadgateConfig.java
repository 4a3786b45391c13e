package io.headgate;

import io.headgate.admission.AdmissionConfig;
import io.headgate.edge.HttpConfig;
import io.headgate.fn.FnConfig;
import io.headgate.graph.GraphLimits;
import io.headgate.observe.access.AccessLogConfig;
import io.headgate.observe.trace.TracesConfig;
import io.headgate.picture.PictureConfig;
import io.headgate.state.ClusterConfig;
import io.headgate.state.FenceConfig;
import io.headgate.timeline.TimelineConfig;
import io.headgate.upstream.zeta.ZetaConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of one gateway. Immutable; {@code docs/configuration.md} explains each
 * key.
 *
 * @param http the listener
 * @param sources where graphs come from
 * @param limits how large a graph may be
 * @param upstreamBytes how large an upstream body may be
 * @param admission how much may be under way at once
 * @param fence bounds of the execution fence
 * @param cluster what is shared with other gateways
 * @param timeline what is kept of schema changes; has no effect without a cluster
 * @param picture how much a picture of a graph may cost
 * @param fn the port that SDK harnesses connect to
 * @param accessLog whether and where there is a line for each request
 * @param traces whether and where traces go
 */
public record HeadgateConfig(
    HttpConfig http,
    SourcesConfig sources,
    GraphLimits limits,
    int upstreamBytes,
    AdmissionConfig admission,
    FenceConfig fence,
    ClusterConfig cluster,
    TimelineConfig timeline,
    PictureConfig picture,
    FnConfig fn,
    AccessLogConfig accessLog,
    TracesConfig traces) {
  /** Loopback, and the recorded jobs. */
  public static final HeadgateConfig DEFAULT =
      new HeadgateConfig(
          HttpConfig.DEFAULT,
          SourcesConfig.DEFAULT,
          GraphLimits.DEFAULT,
          ZetaConfig.DEFAULT_MAX_BODY_BYTES,
          AdmissionConfig.DEFAULT,
          FenceConfig.DEFAULT,
          ClusterConfig.DEFAULT,
          TimelineConfig.DEFAULT,
          PictureConfig.DEFAULT,
          FnConfig.DEFAULT,
          AccessLogConfig.DEFAULT,
          TracesConfig.DEFAULT);

  /**
   * Reads a YAML (or JSON) file and the {@code HEADGATE_*} variables that override it. Blocks on
   * the file; not for an event loop.
   *
   * @param file the file, or null for defaults and variables alone
   * @param environment the variables, usually {@link System#getenv()}
   * @throws ConfigException listing every fault
   * @throws IOException if the file can't be read
   */
  public static HeadgateConfig load(@Nullable Path file, Map<String, String> environment)
      throws ConfigException, IOException {
    return new ConfigLoader(file, environment).load();
  }

  /** The same with another listener. */
  public HeadgateConfig withHttp(HttpConfig other) {
    return new HeadgateConfig(
        other,
        sources,
        limits,
        upstreamBytes,
        admission,
        fence,
        cluster,
        timeline,
        picture,
        fn,
        accessLog,
        traces);
  }
}
