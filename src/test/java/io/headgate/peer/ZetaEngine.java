package io.headgate.peer;

import static org.awaitility.Awaitility.await;

import io.headgate.kit.RestartableProcess;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One member of a {@link ZetaCluster}: a SeaTunnel process on a loopback port. For one thread at a
 * time. Its cluster closes it.
 */
public final class ZetaEngine extends RestartableProcess {

  private static final String MAIN = "org.apache.seatunnel.engine.server.SeaTunnelServerStarter";
  private static final Duration POLL = Duration.ofMillis(50);

  private final int port;
  private final ZetaHome home;
  private final ZetaConfig config;
  private final ZetaJobs jobs;

  ZetaEngine(int port, ZetaHome home, ZetaConfig config) {
    this.port = port;
    this.home = home;
    this.config = config;
    this.jobs = new ZetaJobs(uri());
  }

  /** Starts the process, or starts it again after a kill, on the same port. Does not wait. */
  public void start() {
    start(
        new ProcessBuilder(command())
            .directory(home.directory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log().toFile())));
  }

  private List<String> command() {
    var command = new ArrayList<String>();
    command.add(config.javaHome().resolve("bin/java").toString());
    command.addAll(config.jvmOptions());
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Dseatunnel.config=" + home.seatunnel());
    command.add("-Dhazelcast.config=" + home.hazelcast(port));
    command.add("-Dlog4j2.configurationFile=" + home.log4j());
    command.add("-DSEATUNNEL_HOME=" + home.directory());
    command.add("-cp");
    command.add(ZetaHome.classPath());
    command.add(MAIN);
    return command;
  }

  /** Waits until this member answers its overview with 200: not joining, and knowing its master. */
  public void awaitUsable(Duration limit) {
    await("usable: " + this)
        .atMost(limit)
        .pollInterval(POLL)
        .failFast("exited early: " + this, () -> !running())
        .ignoreExceptions()
        .until(() -> jobs.get("overview").statusCode() == 200);
  }

  /** Waits until this member counts so many in its cluster, with every backup in place. */
  public void awaitMembers(int members, Duration limit) {
    await(members + " members: " + this)
        .atMost(limit)
        .pollInterval(POLL)
        .failFast("exited early: " + this, () -> !running())
        .ignoreExceptions()
        .until(
            () -> {
              String health = jobs.health().body();
              return health.contains("\"clusterSize\":" + members)
                  && health.contains("\"clusterSafe\":true");
            });
  }

  public int port() {
    return port;
  }

  /** Scheme, host and port. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Everything that the process printed, over all its starts. */
  public Path log() {
    return home.log(port);
  }

  /** The jobs of the cluster, asked through this member. */
  public ZetaJobs jobs() {
    return jobs;
  }

  @Override
  public String toString() {
    return "Zeta member on port " + port + ", log " + log();
  }
}
