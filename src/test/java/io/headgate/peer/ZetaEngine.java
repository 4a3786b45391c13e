package io.headgate.peer;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One member of a {@link ZetaCluster}: a SeaTunnel process on a loopback port that tests may kill,
 * freeze, thaw and start again. For one thread at a time. Its cluster closes it; should the test's
 * JVM die, however hard, a watchdog process kills it.
 */
public final class ZetaEngine implements AutoCloseable {

  private static final String MAIN = "org.apache.seatunnel.engine.server.SeaTunnelServerStarter";
  private static final Duration POLL = Duration.ofMillis(50);

  /** A signal or an exit that takes longer than this is a fault of the machine. */
  private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(10);

  private final int port;
  private final ZetaHome home;
  private final ZetaConfig config;
  private final ZetaJobs jobs;
  private @Nullable Process process;
  // Held, because a collected Process would close the pipe that keeps the watchdog waiting.
  private @Nullable Process watchdog;
  private boolean frozen;

  ZetaEngine(int port, ZetaHome home, ZetaConfig config) {
    this.port = port;
    this.home = home;
    this.config = config;
    this.jobs = new ZetaJobs(uri());
  }

  /** Starts the process, or starts it again after a kill, on the same port. Does not wait. */
  public void start() {
    if (running()) {
      throw new IllegalStateException("already running: " + this);
    }
    try {
      Process started =
          new ProcessBuilder(command())
              .directory(home.directory().toFile())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(log().toFile()))
              .start();
      process = started;
      frozen = false;
      watchdog = watch(started);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  /** Reads from a pipe that only this JVM holds open, so it wakes when this JVM is gone. */
  private static Process watch(Process member) throws IOException {
    Process watchdog =
        new ProcessBuilder("sh", "-c", "read line; kill -KILL " + member.pid())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    var unused = member.onExit().thenRun(watchdog::destroyForcibly);
    return watchdog;
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

  /** SIGKILL, frozen or not; returns when the process is gone, its watchdog too. */
  public void kill() {
    end(process);
    end(watchdog);
  }

  /** As {@link #kill}, but does not wait. */
  void sendKill() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  private static void end(@Nullable Process process) {
    if (process != null) {
      process.destroyForcibly();
      process.onExit().orTimeout(SIGNAL_LIMIT.toMillis(), TimeUnit.MILLISECONDS).join();
    }
  }

  /** SIGSTOP; returns when the process has stopped. Its port still accepts connections. */
  public void freeze() {
    signal("STOP");
    frozen = true;
    await("stopped: " + this)
        .atMost(SIGNAL_LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(this::stopped);
  }

  /** SIGCONT. */
  public void thaw() {
    signal("CONT");
    frozen = false;
  }

  private void signal(String name) {
    try {
      int code = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("SIG" + name + " not sent: " + this);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private boolean stopped() throws IOException {
    Path status = Path.of("/proc", String.valueOf(pid()), "stat");
    return !Files.exists(status) || Files.readString(status).contains(") T ");
  }

  /** A process exists, even a frozen one. */
  public boolean running() {
    return process != null && process.isAlive();
  }

  /** A process exists and is not frozen. */
  public boolean responsive() {
    return running() && !frozen;
  }

  public long pid() {
    if (process == null) {
      throw new IllegalStateException("never started: " + this);
    }
    return process.pid();
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
  public void close() {
    kill();
  }

  @Override
  public String toString() {
    return "Zeta member on port " + port + ", log " + log();
  }
}
