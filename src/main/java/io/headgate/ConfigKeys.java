package io.headgate;

import static io.headgate.ConfigKey.Kind.BYTES;
import static io.headgate.ConfigKey.Kind.COUNT;
import static io.headgate.ConfigKey.Kind.DURATION;
import static io.headgate.ConfigKey.Kind.FLAG;
import static io.headgate.ConfigKey.Kind.LIST;
import static io.headgate.ConfigKey.Kind.SECRET;
import static io.headgate.ConfigKey.Kind.TEXT;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All keys there are, in the order of the documentation. */
final class ConfigKeys {
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long MIB = 1L << 20;

  /** What Beam's own harness called its data ports at the time of this protocol. */
  private static final String FN_INPUTS = "urn:org.apache.beam:source:runner:0.1";

  private static final String FN_OUTPUTS = "urn:org.apache.beam:sink:runner:0.1";

  static final Map<String, ConfigKey> ALL = new LinkedHashMap<>();

  static {
    key("http.host", TEXT, "127.0.0.1", 0, 0, "Address to listen on.");
    key("http.port", COUNT, "8077", 0, 65_535, "Port to listen on; 0 lets the system choose.");
    key("http.basePath", TEXT, "", 0, 0, "Stands in front of every route but health and metrics.");
    key(
        "http.instances",
        COUNT,
        Integer.toString(Runtime.getRuntime().availableProcessors()),
        1,
        256,
        "Event loops that serve connections.");
    key("http.maxConnections", COUNT, "4096", 1, 65_536, "Connections at once.");
    key("http.headerDeadline", DURATION, "5s", 100, MINUTE, "Time for a request head to arrive.");
    key("http.requestDeadline", DURATION, "10s", 200, HOUR, "Time for a whole request to arrive.");
    key("http.writeDeadline", DURATION, "60s", 500, HOUR, "Time for a response to be written.");
    key("http.idleTimeout", DURATION, "15s", 500, HOUR, "Time a connection may stay unused.");
    key("http.auth.basic.usersFile", TEXT, null, 0, 0, "File of users; switches Basic Auth on.");
    key("http.metrics.auth", FLAG, "true", 0, 0, "Whether metrics need a user too.");
    key("http.allowedHosts", LIST, null, 1, 64, "Host values that write routes accept.");
    key("http.tls.certificate", TEXT, null, 0, 0, "PEM file of the certificate chain.");
    key("http.tls.key", TEXT, null, 0, 0, "PEM file of the private key.");
    key("source.order", LIST, null, 1, 4, "Which sources are asked, in which order.");
    key("source.zeta.members", LIST, null, 1, 64, "Base URLs of the engine's members.");
    key("source.zeta.username", SECRET, null, 0, 0, "User for Basic Auth towards the engine.");
    key("source.zeta.password", SECRET, null, 0, 0, "Its password, or file:PATH to read it from.");
    key("source.zeta.attemptTimeout", DURATION, "1.5s", 10, MINUTE, "Time for one member.");
    key("source.zeta.abandonAfter", DURATION, "15s", 100, HOUR, "Time until a late call is cut.");
    key(
        "source.zeta.tls.trustCertificate",
        TEXT,
        null,
        0,
        0,
        "PEM file of the authority to trust.");
    key("source.zeta.tls.verifyHost", FLAG, "true", 0, 0, "Whether the host name must match.");
    key("source.directory.enabled", FLAG, "false", 0, 0, "Whether published graphs are served.");
    key("source.directory.history", DURATION, "24h", SECOND, 720 * HOUR, "Time a record is kept.");
    key("source.directory.jobs", COUNT, "200000", 1_000, 10_000_000, "Jobs in the directory.");
    key("source.directory.bytes", BYTES, "512MiB", MIB, 64L << 30, "Bytes of a member's records.");
    key("source.directory.bodyBytes", BYTES, "16MiB", 1 << 10, 64 * MIB, "Bytes of a publication.");
    key("source.directory.permits", COUNT, "2", 1, 64, "Publications at once over HTTP.");
    key("limits.nodes", COUNT, "10000", 1, 100_000, "Nodes of a graph.");
    key("limits.edges", COUNT, "50000", 1, 500_000, "Edges of a graph, as reported.");
    key("limits.paths", COUNT, "50000", 1, 500_000, "Path entries of a graph, as reported.");
    key("limits.stringBytes", BYTES, "4096", 1, 64 << 10, "UTF-8 bytes of one name or path.");
    key("limits.responseBytes", BYTES, "8MiB", 1 << 10, 64 * MIB, "Bytes of a response.");
    key("limits.upstreamBytes", BYTES, "64MiB", 1 << 10, 512 * MIB, "Bytes of an upstream body.");
    key("admission.permits", COUNT, "4", 1, 64, "Lookups at once in this process.");
    key("admission.deadline", DURATION, "5s", 50, 5 * MINUTE, "Time for a lookup.");
    key("admission.maxWaiters", COUNT, "10000", 1, 100_000, "Requests waiting for one lookup.");
    key("admission.freshness", DURATION, "1s", 0, MINUTE, "Age up to which an answer is reused.");
    key("admission.retainedBytes", BYTES, "64MiB", 0, 1 << 30, "Bytes of answers kept for reuse.");
    key("admission.unwrittenBytes", BYTES, "64MiB", MIB, 1 << 30, "Bytes not yet written.");
    key("fence.jobs", COUNT, "100000", 1, 1_000_000, "Jobs whose execution is remembered.");
    key("fence.skew", DURATION, "2h", 0, 48 * HOUR, "Difference from which a time is older.");
    key("fence.hold", DURATION, "5m", 0, 24 * HOUR, "Time an older execution is refused.");
    key("timeline.enabled", FLAG, "true", 0, 0, "Whether schema changes are recorded and shown.");
    key("timeline.errorSummaries", FLAG, "false", 0, 0, "Whether error texts of sinks are shown.");
    key("timeline.jobs", COUNT, "10000", 1_000, 1_000_000, "Jobs with a timeline.");
    key("timeline.jobBytes", BYTES, "4MiB", MIB / 2, 64 * MIB, "Bytes of one job's timeline.");
    key("timeline.bytes", BYTES, "256MiB", MIB, 64L << 30, "Bytes of a member's timelines.");
    key("timeline.retention", DURATION, "24h", SECOND, 720 * HOUR, "Time kept after a job's end.");
    key("timeline.bodyBytes", BYTES, "8MiB", 1 << 10, 64 * MIB, "Bytes of a report.");
    key("timeline.permits", COUNT, "4", 1, 64, "Reports at once over HTTP.");
    key("timeline.queryPermits", COUNT, "4", 1, 64, "Questions for a timeline at once.");
    key("picture.nodes", COUNT, "300", 1, 2_000, "Nodes that a picture shows one by one.");
    key("picture.edges", COUNT, "1000", 1, 10_000, "Edges that a picture shows one by one.");
    key("picture.permits", COUNT, "1", 1, 64, "Pictures drawn at once.");
    key("picture.deadline", DURATION, "10s", 10, 5 * MINUTE, "Time for a picture to be drawn.");
    key("hazelcast.enabled", FLAG, "true", 0, 0, "Whether this gateway is a cluster member.");
    key("hazelcast.clusterName", TEXT, "headgate", 0, 0, "Gateways of one name form a cluster.");
    key("hazelcast.interface", TEXT, "127.0.0.1", 0, 0, "Address of the member port.");
    key("hazelcast.port", COUNT, "5710", 0, 65_535, "The member port.");
    key("hazelcast.members", LIST, null, 1, 64, "Addresses of the cluster's members.");
    key("hazelcast.minimumMembers", COUNT, "1", 1, 64, "Members needed to read and write state.");
    key("fn.enabled", FLAG, "false", 0, 0, "Whether SDK harnesses may connect.");
    key("fn.host", TEXT, "127.0.0.1", 0, 0, "Address that the Fn port is bound to.");
    key("fn.port", COUNT, "8078", 0, 65_535, "The Fn port; 0 lets the system choose.");
    key("fn.advertisedUrl", TEXT, null, 0, 0, "Where harnesses reach the Fn port.");
    key("fn.maxConnections", COUNT, "1024", 1, 65_536, "Connections to the Fn port at once.");
    key("fn.http.enabled", FLAG, "false", 0, 0, "Whether runners may ask over HTTP.");
    key("fn.http.permits", COUNT, "2", 1, 64, "Their questions at once.");
    key("fn.readIdle", DURATION, "30s", SECOND, HOUR, "Time a reader may let output wait.");
    key("fn.bundleDeadline", DURATION, "1h", SECOND, 48 * HOUR, "Time for a bundle.");
    key("fn.descriptorBytes", BYTES, "2MiB", 1 << 10, 2 * MIB, "Bytes of a bundle descriptor.");
    key("fn.stateBytes", BYTES, "256MiB", MIB, 64L << 30, "Bytes of a member's bundle state.");
    key("fn.ports.inputs", LIST, FN_INPUTS, 1, 64, "URNs of data ports that bring inputs.");
    key("fn.ports.outputs", LIST, FN_OUTPUTS, 1, 64, "URNs of data ports that take outputs.");
    key("fn.auth.keySet", TEXT, null, 0, 0, "File of keys that tokens are signed with.");
    key("fn.auth.issuer", TEXT, null, 0, 0, "Who must have issued a token.");
    key("fn.auth.audience", TEXT, null, 0, 0, "Whom a token must be meant for.");
    key("fn.auth.tokenUrl", TEXT, null, 0, 0, "Where harnesses get tokens.");
    key("fn.tls.certificate", TEXT, null, 0, 0, "PEM file of the Fn port's certificate chain.");
    key("fn.tls.key", TEXT, null, 0, 0, "PEM file of its private key.");
    key("accessLog.enabled", FLAG, "true", 0, 0, "Whether there is a line for each request.");
    key("accessLog.file", TEXT, null, 0, 0, "File for the lines, instead of standard output.");
    key("accessLog.fileBytes", BYTES, "64MiB", MIB, 1L << 40, "Bytes of it, then a new one.");
    key("accessLog.files", COUNT, "4", 1, 1_000, "Files kept, the one being written included.");
    key("traces.enabled", FLAG, "false", 0, 0, "Whether traces are sent to a collector.");
    key("traces.endpoint", TEXT, null, 0, 0, "Base URL of the collector.");
    key("traces.perMille", COUNT, "10", 0, 1_000, "Of a thousand requests, those traced.");
  }

  private ConfigKeys() {}

  private static void key(
      String path,
      ConfigKey.Kind kind,
      @Nullable String defaultText,
      long least,
      long most,
      String meaning) {
    ALL.put(path, new ConfigKey(path, kind, defaultText, least, most, meaning));
  }
}
