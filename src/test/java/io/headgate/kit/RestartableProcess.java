package io.headgate.kit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A process that tests may kill, freeze, thaw and start again; closing it kills it, and should the
 * test's JVM die, however hard, a watchdog does. For one thread at a time.
 */
public abstract class RestartableProcess implements AutoCloseable {
  private @Nullable ChildProcess process;

  /** Starts it, or starts it again. Does not wait. */
  protected final void start(ProcessBuilder builder) {
    if (running()) {
      throw new IllegalStateException("already running: " + this);
    }
    process = ChildProcess.start(builder);
  }

  /** SIGKILL, frozen or not; returns when the process is gone, its watchdog too. */
  public final void kill() {
    if (process != null) {
      process.close();
    }
  }

  /** As {@link #kill}, but does not wait. */
  public final void sendKill() {
    if (process != null) {
      process.sendKill();
    }
  }

  /** SIGTERM; returns its exit code when it has ended. */
  protected final int stop(Duration limit) {
    process().terminate();
    return process().awaitExit(limit);
  }

  /** SIGSTOP; returns when the process has stopped. Its ports still accept connections. */
  public final void freeze() {
    process().freeze();
  }

  /** SIGCONT. */
  public final void thaw() {
    process().thaw();
  }

  /** A process exists, even a frozen one. */
  public final boolean running() {
    return process != null && process.running();
  }

  /** A process exists and is not frozen. */
  public final boolean responsive() {
    return process != null && process.responsive();
  }

  public final long pid() {
    return process().pid();
  }

  private ChildProcess process() {
    if (process == null) {
      throw new IllegalStateException("never started: " + this);
    }
    return process;
  }

  @Override
  public final void close() {
    kill();
  }
}
