package io.headgate.state;

import java.net.BindException;

/**
 * This gateway can't become a member of its cluster; the message says why, in one line that begins
 * with the configuration key where one is to blame.
 */
public final class ClusterStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private ClusterStartException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Says why a member of this configuration could not start. */
  static ClusterStartException of(Throwable failure, ClusterConfig config) {
    return new ClusterStartException(reason(failure, config), failure);
  }

  private static String reason(Throwable failure, ClusterConfig config) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return "hazelcast.port: " + config.port() + " can't be bound (is it taken?)";
      }
      // Hazelcast has no type for it.
      if (String.valueOf(cause.getMessage()).contains("No matching network interface")) {
        return "hazelcast.interface: "
            + config.interfaceAddress()
            + " (expected: an address of this machine)";
      }
    }
    return "hazelcast: can't join cluster " + config.clusterName() + " (the log says why)";
  }
}
