package io.headgate.fn;

import java.time.Duration;

/**
 * The one event loop that everything of the Fn API runs on, as far as the core needs it. A test has
 * one whose time stands still until it is told to go on.
 */
public interface Loop {
  /** Something that will be run later. */
  interface Timer {
    /** It won't be, unless it has been already. */
    void cancel();
  }

  /** A clock like {@link System#nanoTime()}. */
  long nanos();

  /** Runs {@code task} on the loop when {@code delay} has passed. To be called on the loop. */
  Timer after(Duration delay, Runnable task);

  /** Runs {@code task} on the loop soon. On any thread. */
  void run(Runnable task);
}
