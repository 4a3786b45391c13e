package io.headgate.timeline.live;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.observe.Meters;
import io.headgate.observe.UnexpectedFailure;
import io.headgate.timeline.OwnedTimelines;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLook;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns that jobs have ended, or run again, and tells their timelines (T12). Each gateway does it
 * for the timelines that it owns, so in a cluster each job is watched by one.
 *
 * <h2>Rounds</h2>
 *
 * A round looks at each of them, one after the other, and asks the sources about those for which
 * {@link WatchRule} says so. Rounds begin a period apart, or when the one before is done, so a job
 * is asked about at most once in a period.
 *
 * <h2>What it may cost</h2>
 *
 * Questions go the way of lineage requests, one at a time. Behind each there is a pause of a
 * quarter of a second and at least as long as it took, and where clients need the permits there is
 * none. Nobody waits for it; nothing blocks. All of it runs on the thread that store and sources
 * answer on, and on the timer's.
 */
public final class EndWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EndWatch.class);

  /** From the beginning of a round to that of the next. */
  public static final Duration PERIOD = Duration.ofMinutes(1);

  /** Four questions a second are what an engine does not notice. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  private static final Duration PATIENCE = Duration.ofSeconds(5);

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

  /**
   * What it works on.
   *
   * @param owned the timelines of this gateway
   * @param store where they are changed
   * @param sources asked whether a job has ended
   * @param atEase whether the sources may be asked now
   */
  public record Reach(
      OwnedTimelines owned, TimelineStore store, JobQuestion sources, BooleanSupplier atEase) {}

  private enum Change {
    ENDED,
    RESUMED,
    FAILED
  }

  private final Reach reach;
  private final WatchRule rule;
  private final Timer timer;
  private final InstantSource clock;
  private final Duration period;

  private final Map<JobPresence.Kind, LongAdder> answers = new EnumMap<>(JobPresence.Kind.class);
  private final Map<Change, LongAdder> changes = new EnumMap<>(Change.class);
  private final LongAdder skipped = new LongAdder();
  private volatile int watched;
  private volatile double roundSeconds;

  // Of the round under way; one step happens after the other.
  private long round;
  private long beganNanos;
  private int seen;
  private Iterator<Long> jobs = List.<Long>of().iterator();

  // Guarded by this.
  private Runnable takeBack = () -> {};
  private boolean closed;

  /**
   * @param retention how long a timeline is kept after its job has ended
   * @param clock of the day
   * @param period from the beginning of a round to that of the next
   */
  public EndWatch(
      Reach reach,
      Duration retention,
      Timer timer,
      InstantSource clock,
      Duration period,
      Meters meters) {
    this.reach = reach;
    this.rule = new WatchRule(retention.toMillis());
    this.timer = timer;
    this.clock = clock;
    this.period = period;
    for (JobPresence.Kind kind : JobPresence.Kind.values()) {
      answers.put(kind, new LongAdder());
    }
    for (Change change : Change.values()) {
      changes.put(change, new LongAdder());
    }
    observe(meters);
  }

  private void observe(Meters meters) {
    String name = "headgate.timeline.watch.questions";
    String meaning = "Jobs asked after, by what the sources said.";
    answers.forEach((kind, n) -> meters.counter(name, meaning, n::sum, "answer", kind.label()));
    meters.counter(name, meaning, skipped::sum, "answer", "skipped");
    changes.forEach(
        (change, n) ->
            meters.counter(
                "headgate.timeline.watch.changes",
                "What timelines were told of their jobs.",
                n::sum,
                "change",
                Meters.label(change)));
    meters.gauge("headgate.timeline.watch.jobs", "Timelines of the last round.", () -> watched);
    meters.gauge(
        "headgate.timeline.watch.seconds", "How long the last round took.", () -> roundSeconds);
  }

  /** Begins; the first round comes after a period. */
  public void start() {
    after(period.toNanos(), this::begin);
  }

  private void begin() {
    beganNanos = System.nanoTime();
    round++;
    seen = 0;
    answered(
        reach.owned().jobs(Deadline.in(PATIENCE)),
        found -> {
          jobs = List.copyOf(found).iterator();
          next();
        },
        this::end);
  }

  private void end() {
    long took = System.nanoTime() - beganNanos;
    watched = seen;
    roundSeconds = took / 1e9;
    after(Math.max(0, period.toNanos() - took), this::begin);
  }

  private void next() {
    if (!jobs.hasNext()) {
      end();
      return;
    }
    long jobId = jobs.next();
    seen++;
    answered(
        reach.owned().look(jobId, Deadline.in(PATIENCE)),
        look -> {
          if (look == null || !rule.isDue(jobId, look, round, clock.millis())) {
            after(0, this::next);
          } else if (!reach.atEase().getAsBoolean()) {
            skipped.increment();
            after(PAUSE.toNanos(), this::next);
          } else {
            ask(jobId, look);
          }
        },
        () -> after(PAUSE.toNanos(), this::next));
  }

  private void ask(long jobId, TimelineLook look) {
    long asked = System.nanoTime();
    answered(
        Call.of(reach.sources().ask(jobId)),
        presence -> {
          LongAdder count = answers.get(presence.kind());
          if (count != null) {
            count.increment();
          }
          tell(rule.change(jobId, look, presence.kind(), clock.millis()));
          after(Math.max(PAUSE.toNanos(), System.nanoTime() - asked), this::next);
        },
        () -> after(PAUSE.toNanos(), this::next));
  }

  private void tell(@Nullable TimelineChange change) {
    if (change == null) {
      return;
    }
    boolean ended = change instanceof TimelineChange.Ended;
    answered(
        reach.store().apply(change, Deadline.in(PATIENCE)),
        receipt -> count(ended ? Change.ENDED : Change.RESUMED),
        () -> count(Change.FAILED));
  }

  private void count(Change change) {
    LongAdder count = changes.get(change);
    if (count != null) {
      count.increment();
    }
  }

  /** Goes on with what {@code call} comes to, whatever it is. */
  private <T extends @Nullable Object> void answered(
      Call<T> call, Consumer<T> then, Runnable otherwise) {
    CompletionStage<T> answer = call.answer();
    answer.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            try {
              then.accept(value);
              return;
            } catch (RuntimeException e) {
              report(e);
            }
          } else {
            report(failure);
          }
          otherwise.run();
        });
  }

  private static void report(Throwable failure) {
    Throwable cause = UnexpectedFailure.cause(failure);
    if (!(cause instanceof TimelineUnavailableException)) {
      UnexpectedFailure.report(log, "watch over jobs with a timeline", cause);
    }
  }

  /** Sets the one timer. */
  private synchronized void after(long nanos, Runnable task) {
    if (!closed) {
      takeBack = timer.after(nanos, task);
    }
  }

  /** Asks no more. What is under way ends by itself. */
  @Override
  public synchronized void close() {
    closed = true;
    takeBack.run();
  }
}
