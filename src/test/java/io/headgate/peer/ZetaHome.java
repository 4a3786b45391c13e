package io.headgate.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The folder of one cluster, under the build's target folder: configuration, logs and checkpoints.
 * It stays after the cluster is closed, for a look at the logs.
 */
record ZetaHome(Path directory) {

  private static final Path TARGET =
      Path.of(System.getProperty("headgate.target", "target")).toAbsolutePath();

  private static final String LOG4J =
      """
      status = warn
      appender.out.type = Console
      appender.out.name = out
      appender.out.layout.type = PatternLayout
      appender.out.layout.pattern = %d{ISO8601} %-5p [%t] %c{1.} - %m%n%xEx
      rootLogger.level = info
      rootLogger.appenderRef.out.ref = out
      """;

  static ZetaHome create(String clusterName, List<Integer> ports, ZetaConfig config) {
    var home = new ZetaHome(TARGET.resolve("zeta").resolve(clusterName));
    try {
      // Without this file the engine finds no connectors; empty, it finds those on the class path.
      Path mapping = home.directory.resolve("connectors/plugin-mapping.properties");
      Files.createDirectories(mapping.getParent());
      Files.writeString(mapping, "");
      Files.writeString(home.seatunnel(), home.seatunnelYaml(config));
      Files.writeString(home.log4j(), LOG4J);
      for (int port : ports) {
        Files.writeString(home.hazelcast(port), hazelcastYaml(clusterName, port, ports, config));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return home;
  }

  /** The engine's jars, as the build resolved them. */
  static String classPath() {
    Path file = TARGET.resolve("seatunnel.classpath");
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(file + " is written by mvn generate-test-resources", e);
    }
  }

  Path seatunnel() {
    return directory.resolve("seatunnel.yaml");
  }

  Path hazelcast(int port) {
    return directory.resolve("hazelcast-" + port + ".yaml");
  }

  Path log4j() {
    return directory.resolve("log4j2.properties");
  }

  Path log(int port) {
    return directory.resolve("member-" + port + ".log");
  }

  private String seatunnelYaml(ZetaConfig config) {
    URI report = config.eventReport();
    return """
        seatunnel:
          engine:
            backup-count: 1
            slot-service:
              dynamic-slot: true
            checkpoint:
              interval: 2000
              storage:
                type: localfile
                plugin-config:
                  namespace: "%s/"
        """
            .formatted(directory.resolve("checkpoints"))
        + (report == null ? "" : eventReportYaml(report, config.eventReportHeaders()));
  }

  private static String eventReportYaml(URI url, Map<String, String> headers) {
    String lines = lines("        ", headers);
    return """
            event-report-http:
              url: "%s"
        """
            .formatted(url)
        + (headers.isEmpty() ? "" : "      headers:\n" + lines);
  }

  private static String hazelcastYaml(
      String clusterName, int port, List<Integer> ports, ZetaConfig config) {
    String members =
        ports.stream().map(p -> "\"127.0.0.1:" + p + "\"").collect(Collectors.joining(", "));
    return """
        hazelcast:
          cluster-name: %s
          network:
            rest-api:
              enabled: true
              endpoint-groups:
                CLUSTER_READ:
                  enabled: true
                CLUSTER_WRITE:
                  enabled: true
                HEALTH_CHECK:
                  enabled: true
                DATA:
                  enabled: true
            port:
              port: %d
              auto-increment: false
            interfaces:
              enabled: true
              interfaces: ["127.0.0.1"]
            join:
              auto-detection:
                enabled: false
              multicast:
                enabled: false
              tcp-ip:
                enabled: true
                member-list: [%s]
          properties:
            hazelcast.logging.type: slf4j
            hazelcast.phone.home.enabled: false
            hazelcast.socket.bind.any: false
            hazelcast.wait.seconds.before.join: 0
        """
            .formatted(clusterName, port, members)
        + lines("    ", config.hazelcastProperties());
  }

  private static String lines(String indent, Map<String, String> map) {
    return new TreeMap<>(map)
        .entrySet().stream()
            .map(e -> indent + e.getKey() + ": \"" + e.getValue() + "\"\n")
            .collect(Collectors.joining());
  }
}
