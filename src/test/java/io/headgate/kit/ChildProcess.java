package io.headgate.kit;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A process that a test may kill, freeze and thaw. Closing it kills it; should the test's JVM die,
 * however hard, a watchdog process does. Needs the signals and the {@code /proc} of Linux. For one
 * thread at a time.
 */
public final class ChildProcess implements AutoCloseable {
  /** A signal or an exit that takes longer than this is a fault of the machine. */
  private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(10);

  private final Process process;
  // Held, because a collected Process would close the pipe that keeps the watchdog waiting.
  private final Process watchdog;
  private boolean frozen;

  private ChildProcess(Process process, Process watchdog) {
    this.process = process;
    this.watchdog = watchdog;
  }

  public static ChildProcess start(ProcessBuilder builder) {
    try {
      Process process = builder.start();
      return new ChildProcess(process, watch(process));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads from a pipe that only this JVM holds open, so it wakes when this JVM is gone. */
  private static Process watch(Process child) throws IOException {
    Process watchdog =
        new ProcessBuilder("sh", "-c", "read line; kill -KILL " + child.pid())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    var unused = child.onExit().thenRun(watchdog::destroyForcibly);
    return watchdog;
  }

  public long pid() {
    return process.pid();
  }

  /** It exists, even if it is frozen. */
  public boolean running() {
    return process.isAlive();
  }

  /** It exists and is not frozen. */
  public boolean responsive() {
    return running() && !frozen;
  }

  /** SIGSTOP; returns when it has stopped. Its ports still accept connections. */
  public void freeze() {
    signal("STOP");
    frozen = true;
    await("stopped: " + pid())
        .atMost(SIGNAL_LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(this::stopped);
  }

  /** SIGCONT. */
  public void thaw() {
    signal("CONT");
    frozen = false;
  }

  /** SIGTERM, without waiting. */
  public void terminate() {
    process.destroy();
  }

  /**
   * Waits until it has ended by itself.
   *
   * @return its exit code
   */
  public int awaitExit(Duration limit) {
    return process.onExit().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join().exitValue();
  }

  /** SIGKILL, frozen or not, without waiting. */
  public void sendKill() {
    process.destroyForcibly();
  }

  /** SIGKILL, frozen or not; returns when it is gone, its watchdog too. */
  @Override
  public void close() {
    end(process);
    end(watchdog);
  }

  private static void end(Process process) {
    process.destroyForcibly();
    process.onExit().orTimeout(SIGNAL_LIMIT.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  private void signal(String name) {
    try {
      int code = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("SIG" + name + " not sent: " + pid());
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
}
