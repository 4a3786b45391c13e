package io.headgate.observe;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log lines for what may happen a thousand times a second: at most one a second for each key, and
 * the next one says how many were left out. Safe on any thread.
 */
public final class PacedLog {
  private static final Logger log = LoggerFactory.getLogger(PacedLog.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoClock;
  private final ConcurrentHashMap<String, Pace> paces = new ConcurrentHashMap<>();

  /** When the next line of a key may be written, and how many have been left out. */
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
  public PacedLog(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Writes a line, or counts it.
   *
   * @param key from a closed set, since an entry is kept for each
   * @param line without foreign text
   */
  public void info(String key, String line) {
    long now = nanoClock.getAsLong();
    Pace pace = paces.computeIfAbsent(key, k -> new Pace(now));
    long nextAt = pace.nextAt.get();
    if (now - nextAt < 0 || !pace.nextAt.compareAndSet(nextAt, now + PAUSE_NANOS)) {
      pace.leftOut.incrementAndGet();
      return;
    }
    long leftOut = pace.leftOut.getAndSet(0);
    if (leftOut == 0) {
      log.info("{}", line);
    } else {
      log.info("{} ({} more were left out)", line, leftOut);
    }
  }
}
