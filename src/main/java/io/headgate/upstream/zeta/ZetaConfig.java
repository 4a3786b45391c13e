package io.headgate.upstream.zeta;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which cluster to read, and how long to try.
 *
 * @param members base URLs, each with its context path, in the order in which they are tried first
 * @param username for Basic Auth towards the engine, or null
 * @param password its password, or null
 * @param attemptTimeout how long one member may take before the next is tried
 * @param abandonAfter how long a call that ran out of time is kept open before it is cut
 * @param connections calls open to one member at once, as many as there can be lookups
 * @param maxBodyBytes the most bytes of a body
 * @param trustCertificate PEM file of the certificate authority to trust, or null for the
 *     platform's
 * @param verifyHost whether the member's certificate must carry its host name
 */
public record ZetaConfig(
    List<URI> members,
    @Nullable String username,
    @Nullable String password,
    Duration attemptTimeout,
    Duration abandonAfter,
    int connections,
    int maxBodyBytes,
    @Nullable String trustCertificate,
    boolean verifyHost) {
  /** A rebuild took 90 ms at saturation in the peers' measurements; 1.5 s is an ailing member. */
  public static final Duration DEFAULT_ATTEMPT_TIMEOUT = Duration.ofMillis(1500);

  /** A frozen member's peers answered after 10.7 s; past 15 s nothing more is to be expected. */
  public static final Duration DEFAULT_ABANDON_AFTER = Duration.ofSeconds(15);

  /** The largest body any accepted graph needs is far below; metrics come on top. */
  public static final int DEFAULT_MAX_BODY_BYTES = 64 << 20;

  public ZetaConfig {
    members = List.copyOf(members);
  }

  /** Without the credentials and the hosts, since this may end up in a log line. */
  @Override
  public String toString() {
    return "ZetaConfig[members="
        + members.size()
        + ", attemptTimeout="
        + attemptTimeout
        + ", abandonAfter="
        + abandonAfter
        + "]";
  }
}
