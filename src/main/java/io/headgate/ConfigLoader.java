package io.headgate;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.headgate.admission.AdmissionConfig;
import io.headgate.directory.DirectoryConfig;
import io.headgate.edge.HttpConfig;
import io.headgate.fn.FnAuth;
import io.headgate.fn.FnConfig;
import io.headgate.fn.FnLimits;
import io.headgate.graph.GraphLimits;
import io.headgate.observe.access.AccessLogConfig;
import io.headgate.observe.trace.TracesConfig;
import io.headgate.picture.PictureConfig;
import io.headgate.state.ClusterConfig;
import io.headgate.state.FenceConfig;
import io.headgate.timeline.TimelineConfig;
import io.headgate.timeline.TimelineLimits;
import io.headgate.upstream.zeta.ZetaConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a configuration: file, then variables, then every value by itself, then all together.
 * Faults are collected, so that an operator sees them all at once. Used once.
 */
final class ConfigLoader {
  private static final Logger log = LoggerFactory.getLogger(ConfigLoader.class);
  private static final ObjectMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final String FILE_PREFIX = "file:";

  private final @Nullable Path file;
  private final Map<String, String> environment;
  private int variables;
  private final List<String> faults = new ArrayList<>();
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final ConfigChecks checks = new ConfigChecks(texts, faults);

  ConfigLoader(@Nullable Path file, Map<String, String> environment) {
    this.file = file;
    this.environment = environment;
  }

  HeadgateConfig load() throws ConfigException, IOException {
    if (file != null) {
      readFile(file);
    }
    readVariables();
    HeadgateConfig config = build();
    if (!faults.isEmpty()) {
      throw new ConfigException(faults);
    }
    return config;
  }

  /** The effective configuration in the words of the file, on one line and without secrets. */
  String summary() {
    List<String> settings = new ArrayList<>();
    for (ConfigKey key : ConfigKeys.ALL.values()) {
      String value = texts.getOrDefault(key.path(), key.defaultText());
      if (value != null) {
        boolean secret = key.kind() == ConfigKey.Kind.SECRET;
        settings.add(key.path() + '=' + (secret ? "(secret)" : value));
      }
    }
    return String.join(" ", settings);
  }

  /** Where it came from: {@code conf/headgate.yaml and 2 variables}. */
  String origin() {
    String from = file == null ? "no file" : file.toString();
    return from + " and " + variables + (variables == 1 ? " variable" : " variables");
  }

  private void readFile(Path from) throws IOException {
    JsonNode root;
    try {
      root = YAML.readTree(Files.readAllBytes(from));
    } catch (JacksonException e) {
      String line = e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
      // The parser's message quotes the text around the fault, which may be a secret.
      faults.add(from.getFileName() + line + ": not readable (expected: YAML, each key once)");
      return;
    }
    if (root == null || root.isMissingNode() || root.isNull()) {
      return;
    }
    if (!root.isObject()) {
      faults.add(from.getFileName() + ": no keys (expected: a mapping)");
      return;
    }
    flatten("", root);
  }

  private void flatten(String path, JsonNode node) {
    ConfigKey key = ConfigKeys.ALL.get(path);
    if (key != null) {
      readNode(key, node);
    } else if (node.isObject()) {
      node.properties()
          .forEach(
              e -> flatten(path.isEmpty() ? e.getKey() : path + '.' + e.getKey(), e.getValue()));
    } else if (!node.isNull() || !isPrefix(path)) {
      String nearest = NearestKey.of(path);
      faults.add(path + ": unknown key" + (nearest == null ? "" : " (nearest: " + nearest + ")"));
    }
  }

  private static boolean isPrefix(String path) {
    return ConfigKeys.ALL.keySet().stream().anyMatch(key -> key.startsWith(path + '.'));
  }

  private void readNode(ConfigKey key, JsonNode node) {
    if (node.isNull()) {
      return;
    }
    if (texts.containsKey(key.path())) {
      faults.add(key.path() + ": given twice (expected: once, with dots or nested)");
    }
    boolean list = node.isArray() && key.kind() == ConfigKey.Kind.LIST;
    if (list && StreamSupport.stream(node.spliterator(), false).allMatch(JsonNode::isValueNode)) {
      List<String> items = new ArrayList<>();
      node.forEach(item -> items.add(item.asText()));
      texts.put(key.path(), String.join(",", items));
    } else if (node.isValueNode()) {
      texts.put(key.path(), node.asText());
    } else {
      faults.add(key.path() + ": nested value (expected: " + key.expected() + ")");
    }
  }

  private void readVariables() {
    Map<String, ConfigKey> byVariable = new LinkedHashMap<>();
    ConfigKeys.ALL.values().forEach(key -> byVariable.put(key.variable(), key));
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              // Kubernetes describes a service named headgate… by variables of this form.
              if (!name.startsWith("HEADGATE_") || value.matches("(tcp|udp|sctp)://.*")) {
                return;
              }
              ConfigKey key = byVariable.get(name);
              if (key == null) {
                log.warn("unknown variable {} is ignored", name);
              } else {
                texts.put(key.path(), value);
                variables++;
              }
            });
  }

  private HeadgateConfig build() {
    texts.forEach(this::refuseEmpty);
    int upstreamBytes = count("limits.upstreamBytes");
    GraphLimits limits =
        new GraphLimits(
            count("limits.nodes"),
            count("limits.edges"),
            count("limits.paths"),
            count("limits.stringBytes"),
            count("limits.responseBytes"));
    AdmissionConfig admission =
        new AdmissionConfig(
            count("admission.permits"),
            count("source.directory.permits"),
            count("timeline.permits"),
            count("timeline.queryPermits"),
            count("fn.http.permits"),
            count("picture.permits"),
            duration("admission.deadline"),
            count("admission.maxWaiters"),
            duration("admission.freshness"),
            number("admission.retainedBytes"),
            number("admission.unwrittenBytes"));
    HttpConfig http =
        new HttpConfig(
            text("http.host", "127.0.0.1"),
            count("http.port"),
            text("http.basePath", ""),
            count("http.instances"),
            count("http.maxConnections"),
            duration("http.headerDeadline"),
            duration("http.requestDeadline"),
            duration("http.writeDeadline"),
            duration("http.idleTimeout"),
            optional("http.auth.basic.usersFile"),
            flag("http.metrics.auth"),
            list("http.allowedHosts"),
            optional("http.tls.certificate"),
            optional("http.tls.key"));
    FenceConfig fence =
        new FenceConfig(count("fence.jobs"), duration("fence.skew"), duration("fence.hold"));
    ClusterConfig cluster =
        new ClusterConfig(
            flag("hazelcast.enabled"),
            text("hazelcast.clusterName", ClusterConfig.DEFAULT.clusterName()),
            text("hazelcast.interface", ClusterConfig.DEFAULT.interfaceAddress()),
            count("hazelcast.port"),
            list("hazelcast.members"),
            count("hazelcast.minimumMembers"));
    SourcesConfig sources = sources(admission, upstreamBytes);
    checks.check(http, admission, limits);
    checks.check(cluster, sources, http);
    return new HeadgateConfig(
        http,
        sources,
        limits,
        upstreamBytes,
        admission,
        fence,
        cluster,
        timeline(),
        picture(),
        fn(),
        accessLog(),
        traces());
  }

  /** A variable that a template left empty must not switch users or TLS off. */
  private void refuseEmpty(String path, String text) {
    boolean texty =
        switch (key(path).kind()) {
          case TEXT, SECRET -> true;
          default -> false;
        };
    if (texty && text.isBlank() && !path.equals("http.basePath")) {
      faults.add(path + ": empty (expected: a value, or the key left out)");
    }
  }

  private TimelineConfig timeline() {
    TimelineLimits fixed = TimelineLimits.DEFAULT;
    return new TimelineConfig(
        flag("timeline.enabled"),
        flag("timeline.errorSummaries"),
        count("timeline.jobs"),
        new TimelineLimits(
            fixed.records(),
            fixed.targets(),
            fixed.attempts(),
            count("timeline.jobBytes"),
            number("timeline.retention")),
        number("timeline.bytes"),
        count("timeline.bodyBytes"));
  }

  private PictureConfig picture() {
    return new PictureConfig(
        count("picture.nodes"), count("picture.edges"), duration("picture.deadline"));
  }

  private FnConfig fn() {
    FnConfig config =
        new FnConfig(
            flag("fn.enabled"),
            text("fn.host", FnConfig.DEFAULT.host()),
            count("fn.port"),
            optional("fn.advertisedUrl"),
            count("fn.maxConnections"),
            optional("fn.tls.certificate"),
            optional("fn.tls.key"),
            fnAuth(),
            flag("fn.http.enabled"),
            list("fn.ports.inputs"),
            list("fn.ports.outputs"),
            count("fn.descriptorBytes"),
            number("fn.stateBytes"),
            FnLimits.DEFAULT.withTimes(duration("fn.bundleDeadline"), duration("fn.readIdle")));
    checks.check(config);
    return config;
  }

  private AccessLogConfig accessLog() {
    return new AccessLogConfig(
        flag("accessLog.enabled"),
        checks.writable("accessLog.file"),
        number("accessLog.fileBytes"),
        count("accessLog.files"));
  }

  private TracesConfig traces() {
    return new TracesConfig(
        flag("traces.enabled"), checks.url("traces.endpoint"), count("traces.perMille"));
  }

  private @Nullable FnAuth fnAuth() {
    String keySet = checks.readable("fn.auth.keySet");
    String issuer = optional("fn.auth.issuer");
    String audience = optional("fn.auth.audience");
    checks.both("fn.auth.keySet", "fn.auth.issuer");
    checks.both("fn.auth.keySet", "fn.auth.audience");
    String tokenUrl = optional("fn.auth.tokenUrl");
    if (tokenUrl != null && keySet == null) {
      faults.add("fn.auth.keySet: none (expected: a value, since fn.auth.tokenUrl is set)");
    }
    return keySet == null || issuer == null || audience == null
        ? null
        : new FnAuth(keySet, issuer, audience, tokenUrl);
  }

  private SourcesConfig sources(AdmissionConfig admission, int maxBodyBytes) {
    DirectoryConfig directory =
        new DirectoryConfig(
            duration("source.directory.history"),
            count("source.directory.jobs"),
            number("source.directory.bytes"),
            count("source.directory.bodyBytes"));
    boolean published = flag("source.directory.enabled");
    List<SourcesConfig.Kind> order = order();
    return new SourcesConfig(
        order, zeta(admission, maxBodyBytes, published, order), published ? directory : null);
  }

  private List<SourcesConfig.Kind> order() {
    List<SourcesConfig.Kind> order = new ArrayList<>();
    for (String name : list("source.order")) {
      try {
        SourcesConfig.Kind kind = SourcesConfig.Kind.valueOf(name.toUpperCase(Locale.ROOT));
        if (!order.contains(kind)) {
          order.add(kind);
          continue;
        }
      } catch (IllegalArgumentException e) {
        // Said below, as for a repeated one.
      }
      faults.add(
          "source.order: " + name + " (expected: embedded, zeta, directory, recorded, each once)");
    }
    return order;
  }

  private @Nullable ZetaConfig zeta(
      AdmissionConfig admission,
      int maxBodyBytes,
      boolean published,
      List<SourcesConfig.Kind> order) {
    List<String> given = texts.keySet().stream().filter(k -> k.startsWith("source.")).toList();
    boolean none = given.stream().noneMatch(k -> k.startsWith("source.zeta."));
    boolean other = published || !order.isEmpty() && !order.contains(SourcesConfig.Kind.ZETA);
    if (given.isEmpty() || none && other) {
      return null;
    }
    List<URI> members = new ArrayList<>();
    String[] urls = text("source.zeta.members", "").split(",");
    for (int i = 0; i < urls.length; i++) {
      if (!urls[i].isBlank()) {
        member(i + 1, urls[i].trim(), members);
      }
    }
    if (members.isEmpty() && faults.stream().noneMatch(f -> f.startsWith("source.zeta.members:"))) {
      String reason =
          given.stream().filter(k -> !k.equals("source.zeta.members")).findFirst().orElse("");
      faults.add(
          "source.zeta.members: none (expected: a base URL"
              + (reason.isEmpty() ? ")" : ", since " + reason + " is set)"));
    }
    long most = key("source.zeta.members").most();
    if (members.size() > most) {
      faults.add("source.zeta.members: " + members.size() + " (expected: at most " + most + ")");
    }
    Duration attempt = duration("source.zeta.attemptTimeout");
    Duration abandon = duration("source.zeta.abandonAfter");
    checks.before(
        "admission.deadline", admission.deadline(), "source.zeta.abandonAfter", abandon, true);
    checks.both("source.zeta.username", "source.zeta.password");
    return new ZetaConfig(
        members,
        optional("source.zeta.username"),
        secret("source.zeta.password"),
        attempt,
        abandon,
        admission.lookups(),
        maxBodyBytes,
        checks.readable("source.zeta.tls.trustCertificate"),
        flag("source.zeta.tls.verifyHost"));
  }

  private void member(int entry, String url, List<URI> members) {
    URI uri = null;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException e) {
      // Said below, without the text: it may hold credentials.
    }
    boolean usable =
        uri != null
            && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
            && uri.getHost() != null
            && uri.getRawUserInfo() == null
            && uri.getRawQuery() == null
            && uri.getRawFragment() == null;
    if (usable && uri != null) {
      members.add(uri);
    } else {
      faults.add(
          "source.zeta.members: entry "
              + entry
              + " is no base URL (expected: http://host:port/path without user, query or fragment)");
    }
  }

  private @Nullable String secret(String key) {
    String value = optional(key);
    if (value == null || !value.startsWith(FILE_PREFIX)) {
      return value;
    }
    try {
      Path from = Path.of(value.substring(FILE_PREFIX.length()));
      return Files.readString(from, StandardCharsets.UTF_8).strip();
    } catch (IOException | java.nio.file.InvalidPathException e) {
      faults.add(key + ": can't be read (expected: a readable file after file:)");
      return null;
    }
  }

  private int count(String key) {
    return (int) number(key);
  }

  private Duration duration(String key) {
    return Duration.ofMillis(number(key));
  }

  private long number(String path) {
    ConfigKey key = key(path);
    String defaultText = Objects.requireNonNull(key.defaultText());
    String text = text(path, defaultText);
    try {
      long value = key.number(text);
      if (value >= key.least() && value <= key.most()) {
        return value;
      }
      fault(key, text);
    } catch (ArithmeticException | NumberFormatException e) {
      fault(key, text);
    }
    return key.number(defaultText);
  }

  /** The entries of a list, white space cut and empty ones left out. */
  private List<String> list(String path) {
    List<String> entries =
        Arrays.stream(
                text(path, Objects.requireNonNullElse(key(path).defaultText(), "")).split(","))
            .map(String::strip)
            .filter(entry -> !entry.isEmpty())
            .toList();
    long most = key(path).most();
    if (entries.size() > most) {
      faults.add(path + ": " + entries.size() + " (expected: at most " + most + ")");
    }
    return entries;
  }

  private boolean flag(String path) {
    String text = text(path, Objects.requireNonNull(key(path).defaultText()));
    if (!text.equals("true") && !text.equals("false")) {
      fault(key(path), text);
    }
    return text.equals("true");
  }

  private void fault(ConfigKey key, String text) {
    faults.add(key.path() + ": " + text + " (expected: " + key.expected() + ")");
  }

  private static ConfigKey key(String path) {
    return Objects.requireNonNull(ConfigKeys.ALL.get(path), path);
  }

  private String text(String key, String otherwise) {
    return texts.getOrDefault(key, otherwise);
  }

  private @Nullable String optional(String key) {
    String text = texts.get(key);
    return text == null || text.isEmpty() ? null : text;
  }
}
