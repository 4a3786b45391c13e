package io.headgate.state;

/** Runs something later: the clock behind deadlines and pauses. Safe on any thread. */
@FunctionalInterface
public interface Alarm {
  /**
   * Runs {@code task} once, {@code nanos} from now, on a thread of the alarm's own.
   *
   * @param task short, and must not block
   * @return takes it back, if it has not run yet
   */
  Runnable after(long nanos, Runnable task);
}
