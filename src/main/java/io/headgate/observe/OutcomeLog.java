package io.headgate.observe;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One log line for a lookup that gave no graph, so that an operator can tell one 409 from another
 * (L21): status, reason and job id, nothing foreign. At most one line a second for each reason; the
 * next one says how many were left out. Safe on any thread.
 */
public final class OutcomeLog {
  private static final Logger log = LoggerFactory.getLogger(OutcomeLog.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoClock;
  private final ConcurrentHashMap<String, Pace> paces = new ConcurrentHashMap<>();

  /** When the last line of a reason was written, and how many lookups have gone by since. */
  private static final class Pace {
    final AtomicLong nextAt;
    final AtomicLong leftOut = new AtomicLong();

    Pace(long now) {
      nextAt = new AtomicLong(now);
    }
  }

  /**
   * @param nanoClock a clock like {@link System#nanoTime()}
   */
  public OutcomeLog(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * A lookup ended without a graph.
   *
   * @param reason from a closed set, since one entry is kept for each
   */
  public void ended(long jobId, int status, String reason) {
    long now = nanoClock.getAsLong();
    Pace pace = paces.computeIfAbsent(reason, r -> new Pace(now));
    long nextAt = pace.nextAt.get();
    if (now - nextAt < 0 || !pace.nextAt.compareAndSet(nextAt, now + PAUSE_NANOS)) {
      pace.leftOut.incrementAndGet();
      return;
    }
    long leftOut = pace.leftOut.getAndSet(0);
    log.info("job {}: {} {} ({} more left out)", jobId, status, reason, leftOut);
  }
}
