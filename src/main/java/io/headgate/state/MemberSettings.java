package io.headgate.state;

import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;

/**
 * How the embedded member is set up: what a gateway needs of Hazelcast, and nothing that listens,
 * calls out or runs foreign code besides.
 *
 * <p>The times are for calls that answer within a lookup: a member that does not answer counts as
 * gone after five seconds instead of a minute, and a backup that does not confirm is an error after
 * one second instead of nothing after five.
 */
final class MemberSettings {
  /** The guard that maps refer to, where more than one member is demanded. */
  static final String MINIMUM = "minimum-members";

  /** How many parts maps are cut into; every member of a cluster must have the same number. */
  static final int PARTITIONS = 271;

  /** Copies of each entry besides the owner's; written before a change counts as done. */
  static final int BACKUPS = 1;

  /** How long a leaving member hands its entries over before it leaves without. */
  static final int LEAVE_SECONDS = 8;

  /** How many ports are tried where any will do. */
  private static final int PORTS = 100;

  private static final int CONNECT_SECONDS = 2;

  private MemberSettings() {}

  static Config of(ClusterConfig cluster) {
    Config config = new Config().setClusterName(cluster.clusterName());
    config.setClassLoader(MemberSettings.class.getClassLoader());
    setProperties(config);
    setNetwork(config.getAdvancedNetworkConfig(), cluster);
    config.getMetricsConfig().setEnabled(false);
    config.getJetConfig().setEnabled(false);
    config.getUserCodeDeploymentConfig().setEnabled(false);
    config
        .getManagementCenterConfig()
        .setScriptingEnabled(false)
        .setConsoleEnabled(false)
        .setDataAccessEnabled(false);
    config.getSerializationConfig().setJavaSerializationFilterConfig(JavaObjects.filter());
    if (cluster.minimumMembers() > 1) {
      config.addSplitBrainProtectionConfig(
          new SplitBrainProtectionConfig(MINIMUM, true, cluster.minimumMembers())
              .setProtectOn(SplitBrainProtectionOn.READ_WRITE));
    }
    return config;
  }

  /**
   * Only the member protocol is spoken: with endpoints named one by one, those for clients, REST
   * and memcache don't exist unless they are asked for.
   */
  private static void setNetwork(AdvancedNetworkConfig network, ClusterConfig cluster) {
    ServerSocketEndpointConfig members =
        new ServerSocketEndpointConfig()
            .setPort(cluster.port())
            .setPortCount(PORTS)
            .setPortAutoIncrement(cluster.members().isEmpty() && cluster.port() != 0);
    members.setSocketConnectTimeoutSeconds(CONNECT_SECONDS);
    members.getInterfaces().setEnabled(true).addInterface(cluster.interfaceAddress());
    network.setEnabled(true).setMemberEndpointConfig(members);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig()
        .setEnabled(true)
        .setConnectionTimeoutSeconds(CONNECT_SECONDS)
        .setMembers(cluster.members());
  }

  private static void setProperties(Config config) {
    set(config, ClusterProperty.LOGGING_TYPE, "slf4j");
    set(config, ClusterProperty.MOBY_NAMING_ENABLED, false);
    set(config, ClusterProperty.PHONE_HOME_ENABLED, false);
    set(config, ClusterProperty.SHUTDOWNHOOK_ENABLED, false);
    set(config, ClusterProperty.HEALTH_MONITORING_LEVEL, "OFF");
    set(config, ClusterProperty.SOCKET_BIND_ANY, false);
    set(config, ClusterProperty.PARTITION_COUNT, PARTITIONS);
    // Finding each other, and noticing who is gone.
    set(config, ClusterProperty.WAIT_SECONDS_BEFORE_JOIN, 0);
    set(config, ClusterProperty.MAX_JOIN_SECONDS, 60);
    set(config, ClusterProperty.CONNECT_ALL_WAIT_SECONDS, 10);
    set(config, ClusterProperty.HEARTBEAT_INTERVAL_SECONDS, 1);
    set(config, ClusterProperty.MAX_NO_HEARTBEAT_SECONDS, 5);
    // Hazelcast takes these seconds for a number of tries, and makes the first ones at once. Too
    // few, and whoever notices the master's death a moment later than others is shut out by them.
    set(config, ClusterProperty.MASTERSHIP_CLAIM_TIMEOUT_SECONDS, 120);
    set(config, ClusterProperty.MERGE_FIRST_RUN_DELAY_SECONDS, 5);
    set(config, ClusterProperty.MERGE_NEXT_RUN_DELAY_SECONDS, 5);
    set(config, ClusterProperty.GRACEFUL_SHUTDOWN_MAX_WAIT, LEAVE_SECONDS);
    // Calls.
    set(config, ClusterProperty.OPERATION_CALL_TIMEOUT_MILLIS, 3_000);
    set(config, ClusterProperty.OPERATION_BACKUP_TIMEOUT_MILLIS, 1_000);
    set(config, ClusterProperty.FAIL_ON_INDETERMINATE_OPERATION_STATE, true);
    set(config, ClusterProperty.INVOCATION_RETRY_PAUSE, 100);
    set(config, ClusterProperty.DISABLE_STALE_READ_ON_PARTITION_MIGRATION, true);
    set(config, ClusterProperty.SLOW_OPERATION_DETECTOR_THRESHOLD_MILLIS, 1_000);
    // Threads: the calls of one gateway don't fill more.
    set(config, ClusterProperty.PARTITION_OPERATION_THREAD_COUNT, 2);
    set(config, ClusterProperty.GENERIC_OPERATION_THREAD_COUNT, 2);
    set(config, ClusterProperty.RESPONSE_THREAD_COUNT, 1);
    set(config, ClusterProperty.IO_THREAD_COUNT, 1);
    set(config, ClusterProperty.EVENT_THREAD_COUNT, 1);
  }

  private static void set(
      Config config, com.hazelcast.spi.properties.HazelcastProperty property, Object value) {
    config.setProperty(property.getName(), value.toString());
  }
}
