package io.headgate.fn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Fn API's own port, and what it takes to be let in.
 *
 * @param enabled whether there is one
 * @param host address to bind
 * @param port port to bind; 0 lets the system choose
 * @param advertisedUrl where harnesses reach it, or null for host and port
 * @param maxConnections connections at once; one more is closed at once
 * @param certificate PEM file of the certificate chain, or null for plain text
 * @param key PEM file of its private key, or null for plain text
 * @param auth which bearer tokens harnesses have to show, or null for none
 * @param http whether runners may ask over HTTP, too
 * @param inputUrns URNs of transforms through which a bundle's inputs come
 * @param outputUrns URNs of transforms through which its outputs go
 * @param descriptorBytes how long a descriptor may be
 * @param stateBytes how much state a gateway keeps
 * @param limits what harnesses and bundles may take
 */
public record FnConfig(
    boolean enabled,
    String host,
    int port,
    @Nullable String advertisedUrl,
    int maxConnections,
    @Nullable String certificate,
    @Nullable String key,
    @Nullable FnAuth auth,
    boolean http,
    List<String> inputUrns,
    List<String> outputUrns,
    int descriptorBytes,
    long stateBytes,
    FnLimits limits) {
  /**
   * Off; loopback; the URNs that Beam's own harness had at the time of this protocol. Two megabytes
   * of descriptor leave room in a message of four for what the gateway adds to it.
   */
  public static final FnConfig DEFAULT =
      new FnConfig(
          false,
          "127.0.0.1",
          8078,
          null,
          1_024,
          null,
          null,
          null,
          false,
          List.of("urn:org.apache.beam:source:runner:0.1"),
          List.of("urn:org.apache.beam:sink:runner:0.1"),
          2 << 20,
          256L << 20,
          FnLimits.DEFAULT);

  public FnConfig {
    inputUrns = List.copyOf(inputUrns);
    outputUrns = List.copyOf(outputUrns);
  }

  /** Where harnesses reach it when it listens on {@code actualPort}. */
  public String advertisedUrl(int actualPort) {
    if (advertisedUrl != null) {
      return advertisedUrl;
    }
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + actualPort;
  }

  /** Whether only this machine can reach it. */
  public boolean isLoopback() {
    return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
  }

  /** Whether it listens on all addresses, and so has none to tell. */
  public boolean isWildcard() {
    return host.equals("0.0.0.0") || host.equals("::");
  }
}
