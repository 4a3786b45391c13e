package io.headgate.peer;

import static org.awaitility.Awaitility.await;

import io.headgate.kit.FreePorts;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * A real SeaTunnel Zeta engine on loopback with a cluster name, ports and checkpoints of its own.
 * For one thread at a time. Whoever starts it closes it, which kills every member.
 */
public final class ZetaCluster implements AutoCloseable {

  /** A start of two takes 4 to 8 s on two cores; the rest is for a busy machine. */
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  private final List<ZetaEngine> members;

  private ZetaCluster(List<ZetaEngine> members) {
    this.members = members;
  }

  /** Returns when every member is usable, knows the others and has its backups in place. */
  public static ZetaCluster start(ZetaConfig config) {
    String name = "zeta-" + UUID.randomUUID();
    List<Integer> ports = FreePorts.pick(config.members());
    ZetaHome home = ZetaHome.create(name, ports, config);
    var cluster =
        new ZetaCluster(ports.stream().map(port -> new ZetaEngine(port, home, config)).toList());
    try {
      cluster.startMembers();
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** The first alone, so that it is the master and no two can each found a cluster. */
  private void startMembers() {
    ZetaEngine first = member(0);
    first.start();
    first.awaitMembers(1, START_LIMIT);
    members.stream().skip(1).forEach(ZetaEngine::start);
    members.forEach(member -> member.awaitMembers(members.size(), START_LIMIT));
    members.forEach(member -> member.awaitUsable(START_LIMIT));
  }

  public List<ZetaEngine> members() {
    return members;
  }

  public ZetaEngine member(int index) {
    return members.get(index);
  }

  public List<URI> uris() {
    return members.stream().map(ZetaEngine::uri).toList();
  }

  /** The master as a member that is neither dead nor frozen names it; waits for that answer. */
  public ZetaEngine master(Duration limit) {
    int port =
        await("a member names the master")
            .atMost(limit)
            .ignoreExceptions()
            .until(() -> responsive().jobs().masterPort(), master -> master > 0);
    return members.stream().filter(member -> member.port() == port).findFirst().orElseThrow();
  }

  /** A member that is not the master. */
  public ZetaEngine follower(Duration limit) {
    ZetaEngine master = master(limit);
    return members.stream().filter(member -> member != master).findFirst().orElseThrow();
  }

  private ZetaEngine responsive() {
    return members.stream().filter(ZetaEngine::responsive).findFirst().orElseThrow();
  }

  /**
   * Waits until so many members offer themselves for tasks. They do so every 5 s only, so a cluster
   * is usable before all its members get tasks.
   */
  public void awaitWorkers(int workers, Duration limit) {
    await(workers + " workers")
        .atMost(limit)
        .ignoreExceptions()
        .until(
            () ->
                responsive()
                    .jobs()
                    .get("overview")
                    .body()
                    .contains("\"workers\":\"" + workers + "\""));
  }

  @Override
  public void close() {
    // All at once, so that none takes over from another, and none is left if a wait fails.
    members.forEach(ZetaEngine::sendKill);
    members.forEach(ZetaEngine::close);
  }
}
