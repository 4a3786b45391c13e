package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Three gateways in three processes that form one cluster over a {@link MemberNetwork}, with the
 * directory switched on and a minimum of two members. Whoever starts it closes it, which kills all
 * three. For one thread at a time, but for requests.
 */
public final class GatewayCluster implements AutoCloseable {
  private static final int SIZE = 3;

  /** A start of three takes about 10 s on two cores; the rest is for a busy machine. */
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  private static final Duration POLL = Duration.ofMillis(50);

  private static final Path TARGET =
      Path.of(System.getProperty("headgate.target", "target")).toAbsolutePath();

  private final MemberNetwork network;
  private final List<GatewayProcess> members = new ArrayList<>();

  private GatewayCluster(Map<String, String> settings, List<String> jvmOptions) {
    String name = "gateways-" + UUID.randomUUID();
    List<Integer> ports = FreePorts.pick(2 * SIZE);
    network = new MemberNetwork(ports.subList(0, SIZE));
    Map<String, String> common = new LinkedHashMap<>();
    common.put("source.directory.enabled", "true");
    common.put("hazelcast.clusterName", name);
    common.put("hazelcast.minimumMembers", "2");
    common.put(
        "hazelcast.members",
        String.join(",", IntStream.range(0, SIZE).mapToObj(network::address).toList()));
    common.putAll(settings);
    for (int i = 0; i < SIZE; i++) {
      Map<String, String> own = new LinkedHashMap<>(common);
      own.put("hazelcast.port", ports.get(i).toString());
      List<String> options = new ArrayList<>(network.jvmOptions(i));
      options.addAll(jvmOptions);
      Path log = TARGET.resolve("gateways").resolve(name).resolve("gateway-" + i + ".log");
      members.add(new GatewayProcess(ports.get(SIZE + i), log, own, options));
    }
  }

  /** Starts small and quick ones, for tests. Returns when they are one cluster. */
  public static GatewayCluster start(String... settings) {
    return start(
        List.of(
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dio.netty.leakDetection.level=paranoid",
            "-Dio.netty.leakDetection.acquireAndReleaseOnly=true"),
        settings);
  }

  /**
   * Returns when they are one cluster.
   *
   * @param settings configuration keys and values, in turn
   */
  public static GatewayCluster start(List<String> jvmOptions, String... settings) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      map.put(settings[i], settings[i + 1]);
    }
    GatewayCluster cluster = new GatewayCluster(map, jvmOptions);
    try {
      cluster.makeWhole();
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  public List<GatewayProcess> members() {
    return members;
  }

  public GatewayProcess member(int index) {
    return members.get(index);
  }

  /** All but one. */
  public List<GatewayProcess> others(int index) {
    return members.stream().filter(member -> member != members.get(index)).toList();
  }

  public MemberNetwork network() {
    return network;
  }

  /** SIGKILL; its ports refuse connections from then on. */
  public void kill(int index) {
    members.get(index).kill();
    network.unplug(index);
  }

  /**
   * SIGTERM.
   *
   * @return its exit code
   */
  public int stop(int index) {
    int code = members.get(index).stop();
    network.unplug(index);
    return code;
  }

  /** Starts those that don't run, and waits until all are ready and see each other. */
  public void makeWhole() {
    network.heal();
    for (int i = 0; i < SIZE; i++) {
      if (!members.get(i).running()) {
        network.plug(i);
        members.get(i).start();
      }
    }
    members.forEach(member -> member.awaitReady(START_LIMIT));
    members.forEach(member -> awaitSize(member, SIZE, START_LIMIT));
  }

  /** Waits until a member counts so many in its cluster. */
  public void awaitSize(GatewayProcess member, int size, Duration limit) {
    await(size + " members: " + member)
        .atMost(limit)
        .pollInterval(POLL)
        .failFast("ended early: " + member, () -> !member.running())
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(member.metric("headgate_cluster_members")).isEqualTo(size));
  }

  @Override
  public void close() {
    // All at once, so that none takes over from another.
    members.forEach(GatewayProcess::sendKill);
    members.forEach(GatewayProcess::close);
    network.close();
  }
}
