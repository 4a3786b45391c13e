package io.headgate.admission;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all deployments in one Vert.x share (L15): the permits, the worker threads behind them, the
 * budget of unwritten bytes, and one thread that watches deadlines.
 *
 * <p>The first deployment opens it with its configuration, later ones join, the last one to close
 * ends the threads. Safe on any thread.
 */
public final class Admission implements Shareable {
  private static final Logger log = LoggerFactory.getLogger(Admission.class);

  /** A client that reads nothing for this long is not coming back. */
  public static final Duration STALL = Duration.ofSeconds(30);

  private static final String SHARED = "io.headgate.admission";

  private final LocalMap<String, Admission> shared;
  private final AdmissionConfig config;
  private final Map<Pool, Permits> permits = new EnumMap<>(Pool.class);
  private final Workers workers;
  private final ScheduledThreadPoolExecutor deadlines;
  private final UnwrittenBytes unwritten;
  private int users;

  private Admission(LocalMap<String, Admission> shared, AdmissionConfig config) {
    this.shared = shared;
    this.config = config;
    int threads = 0;
    for (Pool pool : Pool.values()) {
      permits.put(pool, new Permits(config.permits(pool)));
      threads += config.permits(pool);
    }
    workers = new Workers("headgate-worker", threads);
    unwritten = new UnwrittenBytes(config.unwrittenBytes(), System::nanoTime);
    deadlines =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "headgate-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    deadlines.setRemoveOnCancelPolicy(true);
    deadlines.scheduleWithFixedDelay(
        () -> unwritten.closeOverdue(STALL.toNanos()), 500, 500, TimeUnit.MILLISECONDS);
  }

  /**
   * Joins the admission of {@code vertx}, or opens it. Pair each call with one {@link #close()}.
   *
   * @param config used only by the first; a later one with other values is told so in the log
   */
  public static Admission open(Vertx vertx, AdmissionConfig config) {
    LocalMap<String, Admission> shared = vertx.sharedData().getLocalMap(SHARED);
    while (true) {
      Admission admission = shared.computeIfAbsent(SHARED, key -> new Admission(shared, config));
      if (admission.join(config)) {
        return admission;
      }
    }
  }

  private synchronized boolean join(AdmissionConfig wanted) {
    if (users < 0) {
      return false; // closed between finding and joining it
    }
    users++;
    if (!wanted.equals(config)) {
      log.warn("admission is shared in this Vert.x and keeps its first settings: {}", config);
    }
    return true;
  }

  /** Leaves; the last one out ends the threads and forgets the permits. */
  public synchronized void close() {
    if (--users == 0) {
      users = -1;
      shared.removeIfPresent(SHARED, this);
      workers.close();
      deadlines.shutdownNow();
    }
  }

  /** The permits of one pool. */
  public Permits permits(Pool pool) {
    return Objects.requireNonNull(permits.get(pool));
  }

  /** The threads for parsing and projection, one for each permit of any pool. */
  public Workers workers() {
    return workers;
  }

  /** The budget of bytes handed to connections and not yet written. */
  public UnwrittenBytes unwritten() {
    return unwritten;
  }

  /** Runs {@code task}, which must be short and must not block, after {@code nanos}. */
  public Runnable after(long nanos, Runnable task) {
    var scheduled = deadlines.schedule(task, nanos, TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }
}
