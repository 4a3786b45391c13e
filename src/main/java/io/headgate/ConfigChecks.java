package io.headgate;

import io.headgate.admission.AdmissionConfig;
import io.headgate.directory.DirectoryConfig;
import io.headgate.edge.HttpConfig;
import io.headgate.fn.FnConfig;
import io.headgate.graph.GraphLimits;
import io.headgate.state.ClusterConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must hold between settings, each of which is right by itself, and between a setting and the
 * machine. Used once, by a {@link ConfigLoader}.
 */
final class ConfigChecks {
  private final Map<String, String> texts;
  private final List<String> faults;

  /**
   * @param texts what was given, by key
   * @param faults where faults go
   */
  ConfigChecks(Map<String, String> texts, List<String> faults) {
    this.texts = texts;
    this.faults = faults;
  }

  /** What is shared, and the names that listen and are asked. */
  void check(ClusterConfig cluster, SourcesConfig sources, HttpConfig http) {
    DirectoryConfig directory = sources.directory();
    if (directory != null && !cluster.enabled()) {
      faults.add(
          "source.directory.enabled: true (expected: false, since hazelcast.enabled is false)");
    }
    boolean ordered = sources.order().contains(SourcesConfig.Kind.DIRECTORY);
    if (ordered && directory == null) {
      faults.add(
          "source.order: directory (expected: none, since source.directory.enabled is false)");
    }
    int most = Math.max(1, cluster.members().size());
    if (cluster.minimumMembers() > most && most > 1) {
      faults.add(
          "hazelcast.minimumMembers: "
              + cluster.minimumMembers()
              + " (expected: at most the entries of hazelcast.members, "
              + most
              + ")");
    }
    if (cluster.minimumMembers() > 1 && cluster.members().isEmpty()) {
      faults.add(
          "hazelcast.minimumMembers: "
              + cluster.minimumMembers()
              + " (expected: 1, since hazelcast.members is not set)");
    }
    if (!cluster.members().isEmpty() && cluster.port() == 0) {
      faults.add("hazelcast.port: 0 (expected: a fixed port, since hazelcast.members is set)");
    }
    for (String member : cluster.members()) {
      if (!ClusterConfig.isMember(member)) {
        faults.add("hazelcast.members: " + member + " (expected: host or host:port)");
      }
    }
    for (String host : http.allowedHosts()) {
      if (!host.matches("[A-Za-z0-9.\\[\\]:_-]+")) {
        faults.add("http.allowedHosts: " + host + " (expected: host or host:port)");
      }
    }
  }

  /** The listener, its guards and its files. */
  void check(HttpConfig http, AdmissionConfig admission, GraphLimits limits) {
    before(
        "admission.deadline",
        admission.deadline(),
        "http.requestDeadline",
        http.requestDeadline(),
        false);
    before(
        "http.headerDeadline",
        http.headerDeadline(),
        "http.requestDeadline",
        http.requestDeadline(),
        true);
    before(
        "http.requestDeadline",
        http.requestDeadline(),
        "http.idleTimeout",
        http.idleTimeout(),
        false);
    before(
        "http.requestDeadline",
        http.requestDeadline(),
        "http.writeDeadline",
        http.writeDeadline(),
        true);
    if (!http.basePath().matches("(/[A-Za-z0-9._~-]+)*")) {
      faults.add(
          "http.basePath: "
              + http.basePath()
              + " (expected: empty, or /segments without a last slash)");
    }
    if (admission.unwrittenBytes() < limits.responseBytes()) {
      faults.add(
          "admission.unwrittenBytes: "
              + ConfigKey.Units.bytesText(admission.unwrittenBytes())
              + " (expected: at least limits.responseBytes, "
              + ConfigKey.Units.bytesText(limits.responseBytes())
              + ")");
    }
    both("http.tls.certificate", "http.tls.key");
    readable("http.tls.certificate");
    readable("http.tls.key");
    readable("http.auth.basic.usersFile");
  }

  /** The Fn port. */
  void check(FnConfig fn) {
    both("fn.tls.certificate", "fn.tls.key");
    readable("fn.tls.certificate");
    readable("fn.tls.key");
    if (fn.enabled() && !fn.isLoopback()) {
      for (String needed : List.of("fn.tls.certificate", "fn.auth.keySet")) {
        if (!texts.containsKey(needed)) {
          faults.add(
              needed
                  + ": none (expected: a value, since fn.host, "
                  + fn.host()
                  + ", is beyond loopback)");
        }
      }
    }
    String advertised = fn.advertisedUrl();
    if (advertised == null && fn.enabled() && fn.isWildcard()) {
      faults.add(
          "fn.advertisedUrl: none (expected: host:port, since fn.host, "
              + fn.host()
              + ", is no address that a harness can dial)");
    }
    if (advertised != null
        && !advertised.matches("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]):[0-9]{1,5}")) {
      faults.add("fn.advertisedUrl: " + advertised + " (expected: host:port)");
    }
    for (String key : List.of("fn.ports.inputs", "fn.ports.outputs")) {
      if ((key.endsWith("inputs") ? fn.inputUrns() : fn.outputUrns()).isEmpty()) {
        faults.add(key + ": empty (expected: a URN at least, or the key left out)");
      }
    }
    for (String urn : fn.inputUrns()) {
      if (fn.outputUrns().contains(urn)) {
        faults.add("fn.ports.outputs: " + urn + " (expected: none of fn.ports.inputs)");
      }
    }
  }

  /** {@code key} may be no more than {@code later}, or has to be less. */
  void before(String key, Duration value, String later, Duration bound, boolean orEqual) {
    if (value.compareTo(bound) > (orEqual ? 0 : -1)) {
      faults.add(
          String.format(
              "%s: %s (expected: %s %s, %s)",
              key,
              ConfigKey.Units.durationText(value.toMillis()),
              orEqual ? "at most" : "less than",
              later,
              ConfigKey.Units.durationText(bound.toMillis())));
    }
  }

  /** Both keys are set, or none. */
  void both(String one, String other) {
    if (texts.containsKey(one) != texts.containsKey(other)) {
      String missing = texts.containsKey(one) ? other : one;
      String given = texts.containsKey(one) ? one : other;
      faults.add(missing + ": none (expected: a value, since " + given + " is set)");
    }
  }

  /** The name of the file that {@code key} has, or null if it has none. */
  @Nullable String readable(String key) {
    String name = texts.get(key);
    if (name == null || name.isEmpty()) {
      return null;
    }
    if (!Files.isReadable(Path.of(name))) {
      faults.add(key + ": " + name + " can't be read (expected: a readable file)");
    }
    return name;
  }

  /** The file that a key names, if any; a fault if it could not be written. */
  @Nullable String writable(String key) {
    String name = texts.get(key);
    if (name == null || name.isEmpty()) {
      return null;
    }
    Path file = Path.of(name).toAbsolutePath();
    Path folder = file.getParent();
    boolean takes =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    if (!takes) {
      faults.add(key + ": " + name + " can't be written (expected: a file in a writable folder)");
    }
    return name;
  }

  /** The base URL that a key names, if any; a fault, without the text, if it is none. */
  @Nullable String url(String key) {
    String text = texts.get(key);
    if (text == null || text.isEmpty()) {
      return null;
    }
    try {
      URI uri = URI.create(text);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (http && uri.getHost() != null && uri.getRawUserInfo() == null) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    faults.add(key + ": no URL (expected: http://host:port without a user)");
    return null;
  }
}
