package io.headgate.graph;

import java.time.Duration;

/**
 * A point in time by which an answer is due, on the clock of {@link System#nanoTime()}. Immutable.
 *
 * @param atNanos the {@link System#nanoTime()} at which it passes
 */
public record Deadline(long atNanos) {
  /** The deadline {@code after} from now. */
  public static Deadline in(Duration after) {
    return new Deadline(System.nanoTime() + after.toNanos());
  }

  /** What is left of it, in nanoseconds; zero or less once it has passed. */
  public long remainingNanos() {
    return atNanos - System.nanoTime();
  }

  /** Whether it has passed. */
  public boolean passed() {
    return remainingNanos() <= 0;
  }
}
