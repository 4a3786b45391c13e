package io.headgate.peer;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link ZetaCluster} is set up. Immutable; begin with {@link #members} and derive.
 *
 * @param members how many, each a process
 * @param javaHome the Java that runs them
 * @param jvmOptions heap and the like
 * @param hazelcastProperties what is set in the members' {@code hazelcast.yaml}
 * @param eventReport where the engine posts its events, every 10 s; null for nowhere
 * @param eventReportHeaders sent with each event report
 */
public record ZetaConfig(
    int members,
    Path javaHome,
    List<String> jvmOptions,
    Map<String, String> hazelcastProperties,
    @Nullable URI eventReport,
    Map<String, String> eventReportHeaders) {

  /** Halves the CPU time of a start, as measured, but is no setting for a benchmark. */
  private static final List<String> QUICK_START =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  public ZetaConfig {
    if (members < 1) {
      throw new IllegalArgumentException("members: " + members + " (expected: at least 1)");
    }
    jvmOptions = List.copyOf(jvmOptions);
    hazelcastProperties = Map.copyOf(hazelcastProperties);
    eventReportHeaders = Map.copyOf(eventReportHeaders);
  }

  /** Members on this JVM's Java, which give up a silent member after 5 s instead of 180 s. */
  public static ZetaConfig members(int members) {
    Path java = Path.of(System.getProperty("java.home"));
    return new ZetaConfig(members, java, QUICK_START, Map.of(), null, Map.of())
        .heartbeat(Duration.ofSeconds(1), Duration.ofSeconds(5));
  }

  /** Whole seconds: how often members tell of themselves, and when one counts as gone. */
  public ZetaConfig heartbeat(Duration interval, Duration limit) {
    return hazelcastProperty(
            "hazelcast.heartbeat.interval.seconds", String.valueOf(interval.toSeconds()))
        .hazelcastProperty("hazelcast.max.no.heartbeat.seconds", String.valueOf(limit.toSeconds()));
  }

  public ZetaConfig hazelcastProperty(String name, String value) {
    var properties = new HashMap<>(hazelcastProperties);
    properties.put(name, value);
    return new ZetaConfig(
        members, javaHome, jvmOptions, properties, eventReport, eventReportHeaders);
  }

  public ZetaConfig javaHome(Path home) {
    return new ZetaConfig(
        members, home, jvmOptions, hazelcastProperties, eventReport, eventReportHeaders);
  }

  /** In place of the quick-start options. */
  public ZetaConfig jvmOptions(List<String> options) {
    return new ZetaConfig(
        members, javaHome, options, hazelcastProperties, eventReport, eventReportHeaders);
  }

  public ZetaConfig eventReport(URI url, Map<String, String> headers) {
    return new ZetaConfig(members, javaHome, jvmOptions, hazelcastProperties, url, headers);
  }
}
