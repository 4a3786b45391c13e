package io.headgate.observe;

import java.util.concurrent.CompletionException;
import org.slf4j.Logger;

/**
 * Says in the log that something failed that should not. The message of such a failure may hold
 * foreign text, so only its kind and where it arose are told. Safe on any thread.
 */
public final class UnexpectedFailure {
  private UnexpectedFailure() {}

  /** What made a stage fail: the failure itself, without what stages wrap around it. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /**
   * Writes the line. What breaks the JVM goes on to the thread's handler besides, since a stage
   * would swallow it; whoever runs this process decides what a broken JVM means.
   *
   * @param what failed, in our words
   */
  public static void report(Logger log, String what, Throwable cause) {
    StackTraceElement[] frames = cause.getStackTrace();
    log.error(
        "{} failed: {} at {}",
        what,
        cause.getClass().getName(),
        frames.length == 0 ? "unknown" : frames[0]);
    if (cause instanceof VirtualMachineError) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
    }
  }
}
