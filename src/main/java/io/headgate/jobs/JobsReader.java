package io.headgate.jobs;

import io.headgate.graph.Deadline;
import io.headgate.observe.Meters;
import io.headgate.observe.PacedLog;
import io.headgate.observe.UnexpectedFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the lists of all sources in the background, one reading at a time, and keeps the snapshot
 * that came of it.
 *
 * <p>A reading begins 30 seconds after the last one began, and not before as much time has passed
 * since it ended as it took: a slow engine is not read all the time. It has 60 seconds. Of a source
 * that could not be read by then, what was read before stays in the list; the snapshot's age grows
 * and it is not complete. No request causes a reading.
 *
 * <p>{@link #snapshot} is for any thread. Sources are asked on the timer's thread; snapshots are
 * made on {@code worker}.
 */
public final class JobsReader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(JobsReader.class);

  /** Time from the beginning of one reading to that of the next, at least. */
  static final Duration PERIOD = Duration.ofSeconds(30);

  /** A busy engine took over a minute for its lists; one that slow is not to be read more often. */
  static final Duration TIME = Duration.ofSeconds(60);

  /** Runs tasks later; each is short and does not block. */
  @FunctionalInterface
  public interface Timer {
    /**
     * Runs {@code task} after so many nanoseconds, on whatever thread.
     *
     * @return takes the task back, if it has not begun
     */
    Runnable after(long nanos, Runnable task);
  }

  private final List<SourceReadings> sources;
  private final Timer timer;
  private final Executor worker;
  private final LongSupplier nanoClock;

  private volatile @Nullable JobsSnapshot snapshot;
  private volatile long lastTookNanos;

  // Guarded by this.
  private Runnable takeBack = () -> {};
  private boolean closed;

  /**
   * @param sources in their order: of equal jobs, the first source's is listed
   * @param worker where snapshots are made, one at a time
   * @param nanoClock a clock like {@link System#nanoTime()}
   */
  public JobsReader(
      List<ListedSource> sources,
      Timer timer,
      Executor worker,
      LongSupplier nanoClock,
      Meters meters) {
    PacedLog paced = new PacedLog(nanoClock);
    this.sources =
        sources.stream().map(source -> new SourceReadings(source, meters, paced)).toList();
    this.timer = timer;
    this.worker = worker;
    this.nanoClock = nanoClock;
    observe(meters);
  }

  private void observe(Meters meters) {
    meters.gauge("headgate.jobs.listed", "Jobs of the list.", () -> of(JobsSnapshot::jobs));
    meters.gauge(
        "headgate.jobs.complete",
        "1 if every source was read and nothing was left out.",
        () -> of(list -> list.complete() ? 1 : 0));
    meters.gauge(
        "headgate.jobs.age.seconds",
        "Age of the oldest part of the list.",
        () -> of(list -> list.ageNanos(nanoClock.getAsLong()) / 1e9));
    meters.gauge(
        "headgate.jobs.reading.seconds",
        "How long the last reading took.",
        () -> lastTookNanos / 1e9);
  }

  private Number of(Function<JobsSnapshot, Number> value) {
    JobsSnapshot list = snapshot;
    return list == null ? Double.NaN : value.apply(list);
  }

  /** Begins the first reading. */
  public void start() {
    after(0, this::read);
  }

  /** The list as it was read last, or null before it was. */
  public @Nullable JobsSnapshot snapshot() {
    return snapshot;
  }

  private void read() {
    long began = nanoClock.getAsLong();
    Deadline deadline = Deadline.in(TIME);
    after(TIME.toNanos(), () -> sources.forEach(SourceReadings::giveUp));
    CompletableFuture<?>[] readings =
        sources.stream()
            .map(source -> source.begin(began, deadline))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(readings).whenCompleteAsync((done, failure) -> publish(began), worker);
  }

  private void publish(long began) {
    try {
      List<JobsSnapshot.Part> parts =
          sources.stream().map(SourceReadings::lastGood).filter(Objects::nonNull).toList();
      if (!parts.isEmpty()) {
        snapshot = JobsSnapshot.of(parts, sources.stream().allMatch(SourceReadings::whole));
      }
    } catch (RuntimeException e) {
      UnexpectedFailure.report(log, "the list of jobs", e);
    } finally {
      long took = nanoClock.getAsLong() - began;
      lastTookNanos = took;
      after(Math.max(PERIOD.toNanos() - took, took), this::read);
    }
  }

  /** Sets the one timer; what it was set to before is over. */
  private synchronized void after(long nanos, Runnable task) {
    takeBack.run();
    if (!closed) {
      takeBack = timer.after(nanos, task);
    }
  }

  /** Begins no more readings. What is under way ends by itself. */
  @Override
  public synchronized void close() {
    closed = true;
    takeBack.run();
  }
}
