package io.headgate.state;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The embedded Hazelcast member of one gateway.
 *
 * @param enabled whether there is one; without it nothing is shared between gateways
 * @param clusterName gateways of one name form one cluster
 * @param interfaceAddress address to bind the member port to
 * @param port the member port. Without {@code members} the next free one is taken, since nobody
 *     needs to find it; 0 lets the system choose
 * @param members addresses of the cluster's members, {@code host} or {@code host:port}; empty for a
 *     gateway alone
 * @param minimumMembers with fewer members, what is kept in the cluster is neither read nor written
 */
public record ClusterConfig(
    boolean enabled,
    String clusterName,
    String interfaceAddress,
    int port,
    List<String> members,
    int minimumMembers) {
  /** A member alone, on loopback. */
  public static final ClusterConfig DEFAULT =
      new ClusterConfig(true, "headgate", "127.0.0.1", 5710, List.of(), 1);

  private static final Pattern MEMBER =
      Pattern.compile("(?:[A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+])(?::([1-9]\\d{0,4}))?");

  public ClusterConfig {
    members = List.copyOf(members);
  }

  /** Whether {@code text} is a name or an address, IPv6 in brackets, with a port or without. */
  public static boolean isMember(String text) {
    Matcher member = MEMBER.matcher(text);
    return member.matches()
        && (member.group(1) == null || Integer.parseInt(member.group(1)) <= 0xFFFF);
  }
}
