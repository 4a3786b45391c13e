package io.headgate.kit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Notes when the machine was so busy that not even a thread that only wants to wake up again and
 * again could, so that a test with a time limit does not blame the gateway for it. Safe on any
 * thread.
 */
public final class StallWatch implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(5);
  private static final Duration STALL = Duration.ofMillis(50);

  /** From the last time awake to the next one. */
  private record Stall(Duration asleep, Duration awake) {}

  private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1);
  private final long epoch = System.nanoTime();

  // Both guarded by this.
  private final List<Stall> stalls = new ArrayList<>();
  private Duration lastTick = Duration.ZERO;

  public StallWatch() {
    thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    var unused =
        thread.scheduleWithFixedDelay(this::tick, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void tick() {
    Duration now = now();
    if (now.minus(lastTick).compareTo(STALL) > 0) {
      stalls.add(new Stall(lastTick, now));
    }
    lastTick = now;
  }

  /** The time since this watch began. */
  public Duration now() {
    return Duration.ofNanos(System.nanoTime() - epoch);
  }

  /** How long it was from one time to another on this watch, without stalls. */
  public synchronized Duration between(Duration from, Duration to) {
    Duration took = to.minus(from);
    for (Stall stall : stalls) {
      if (stall.awake().compareTo(from) > 0 && stall.asleep().compareTo(to) < 0) {
        took = took.minus(stall.awake().minus(stall.asleep()));
      }
    }
    return took;
  }

  /** The longest time so far for which the machine stood still. */
  public synchronized Duration longest() {
    return stalls.stream()
        .map(stall -> stall.awake().minus(stall.asleep()))
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
