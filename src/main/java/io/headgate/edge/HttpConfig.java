package io.headgate.edge;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where HTTP listens and what guards its connections.
 *
 * @param host address to bind
 * @param port port to bind; 0 lets the system choose
 * @param basePath stands in front of every route but health and metrics; empty or {@code /…}
 * @param instances event loops that serve connections
 * @param maxConnections connections at once over all instances; one more is closed at once
 * @param headerDeadline how long a request head may take to arrive
 * @param requestDeadline how long a whole request may take to arrive
 * @param writeDeadline how long a response may take to be written
 * @param idleTimeout how long a connection without a request is kept
 * @param usersFile file of users, or null for no authentication
 * @param metricsAuth whether metrics need a user too, where there are users
 * @param allowedHosts {@code Host} values that write routes accept besides the names of loopback,
 *     with or without a port
 * @param certificate PEM file of the certificate chain, or null for plain text
 * @param key PEM file of its private key, or null for plain text
 */
public record HttpConfig(
    String host,
    int port,
    String basePath,
    int instances,
    int maxConnections,
    Duration headerDeadline,
    Duration requestDeadline,
    Duration writeDeadline,
    Duration idleTimeout,
    @Nullable String usersFile,
    boolean metricsAuth,
    List<String> allowedHosts,
    @Nullable String certificate,
    @Nullable String key) {
  /** Loopback, plain text, no users; the guards are the starting values of the design. */
  public static final HttpConfig DEFAULT =
      new HttpConfig(
          "127.0.0.1",
          8077,
          "",
          Runtime.getRuntime().availableProcessors(),
          4096,
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(15),
          null,
          true,
          List.of(),
          null,
          null);

  public HttpConfig {
    allowedHosts = List.copyOf(allowedHosts);
  }

  /** Whether this listens with TLS. */
  public boolean tls() {
    return certificate != null && key != null;
  }

  /** Whether only this machine can reach it. */
  public boolean isLoopback() {
    return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
  }

  /** The same on another port. */
  public HttpConfig withPort(int other) {
    return new HttpConfig(
        host,
        other,
        basePath,
        instances,
        maxConnections,
        headerDeadline,
        requestDeadline,
        writeDeadline,
        idleTimeout,
        usersFile,
        metricsAuth,
        allowedHosts,
        certificate,
        key);
  }
}
