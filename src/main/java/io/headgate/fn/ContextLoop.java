package io.headgate.fn;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;

/** A Vert.x event loop as {@link Loop}. Safe on any thread. */
public final class ContextLoop implements Loop {
  private final Vertx vertx;
  private final Context context;

  /**
   * @param context the event-loop context that everything runs on
   */
  public ContextLoop(Vertx vertx, Context context) {
    this.vertx = vertx;
    this.context = context;
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    // Vert.x takes whole milliseconds, at least one; a timer must not be early.
    long millis = Math.max(1, delay.plusNanos(999_999).toMillis());
    long id = vertx.setTimer(millis, fired -> task.run());
    return () -> vertx.cancelTimer(id);
  }

  @Override
  public void run(Runnable task) {
    context.runOnContext(v -> task.run());
  }
}
