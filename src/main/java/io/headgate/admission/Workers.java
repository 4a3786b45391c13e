package io.headgate.admission;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fixed number of threads with a bounded queue in front of them. Work gets here only with a
 * permit, and there are as many threads as permits, so a queued task waits at most for a thread
 * that is just returning; the bound turns a mistake in that count into a failure that can be seen.
 *
 * <p>Threads are daemons, start on demand and are ended by {@link #close()}.
 */
public final class Workers implements Executor, AutoCloseable {
  private final ThreadPoolExecutor pool;

  /**
   * @param name what the threads are called, followed by a number
   * @param threads how many there are
   */
  public Workers(String name, int threads) {
    AtomicInteger number = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            30,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(threads),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs {@code task} on one of the threads.
   *
   * @throws RejectedExecutionException if threads and queue are full, or after {@link #close()}
   */
  @Override
  public void execute(Runnable task) {
    pool.execute(task);
  }

  /** How many threads are at work now. */
  public int active() {
    return pool.getActiveCount();
  }

  /** How many tasks wait for a thread now. */
  public int queued() {
    return pool.getQueue().size();
  }

  /** Interrupts what runs and takes nothing more; does not wait. */
  @Override
  public void close() {
    pool.shutdownNow();
  }
}
