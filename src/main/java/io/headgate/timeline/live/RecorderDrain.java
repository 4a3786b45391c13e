package io.headgate.timeline.live;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.timeline.DecisionEvent;
import io.headgate.timeline.DecisionResult;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.live.SchemaEvolutionRecorder.Fate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings to the store what a {@link SchemaEvolutionRecorder} was told: for one job one call after
 * the other, each with what has been said of it meanwhile, and for different jobs side by side.
 *
 * <p>{@link #turn} drives it, every {@link #PERIOD}, and never blocks; the store is called on a
 * worker, one call at a time, so that nobody else is held up even by a store that blocks. A call
 * that is not answered in time counts as failed and keeps its place until it has ended. Safe on any
 * thread.
 */
public final class RecorderDrain {
  private static final Logger log = LoggerFactory.getLogger(RecorderDrain.class);

  /** How often {@link #turn} wants to be called. */
  public static final Duration PERIOD = Duration.ofMillis(50);

  /** Calls that may be open, late ones included, and so also jobs. */
  static final int MAX_CALLS = 16;

  /** Events of one call. */
  static final int MAX_EVENTS = 100;

  private static final int MAX_BYTES = 256 << 10;

  /** Outlasts a frozen member, which counts as gone after five seconds. */
  static final Duration PATIENCE = Duration.ofSeconds(8);

  /** What a stop of the gateway has left for it. */
  static final Duration FLUSH = Duration.ofMillis(500);

  private static final Duration BETWEEN_LINES = Duration.ofSeconds(1);

  private final SchemaEvolutionRecorder recorder = new SchemaEvolutionRecorder();
  private final TimelineStore store;
  private final Executor worker;
  private final LongSupplier nanoClock;
  private final LongSupplier histories;
  private final AtomicBoolean working = new AtomicBoolean();

  // Guarded by this.
  private final Map<Long, Line> lines = new HashMap<>();
  private final Queue<Line> ready = new ArrayDeque<>();
  private final Set<Open> open = new LinkedHashSet<>();
  private @Nullable CompletableFuture<@Nullable Void> closing;
  private long closeBy;
  private long nextLineAt;
  private long droppedSaid;

  /** What was said of one job and waits; in {@link #ready} unless a call for it is open. */
  private record Line(long jobId, Queue<DecisionEvent> events) {}

  /** One call. */
  private static final class Open {
    final Line line;
    final List<DecisionEvent> events;
    final long lateAt;
    boolean settled;

    Open(Line line, List<DecisionEvent> events, long lateAt) {
      this.line = line;
      this.events = events;
      this.lateAt = lateAt;
    }
  }

  /**
   * @param worker runs one task at a time; may reject, and is asked again at the next turn
   * @param nanoClock a clock like {@link System#nanoTime()}
   * @param histories random numbers, for the histories of new jobs (T6)
   */
  public RecorderDrain(
      TimelineStore store, Executor worker, LongSupplier nanoClock, LongSupplier histories) {
    this.store = store;
    this.worker = worker;
    this.nanoClock = nanoClock;
    this.histories = histories;
    this.nextLineAt = nanoClock.getAsLong();
  }

  /** Where events are said. */
  public SchemaEvolutionRecorder recorder() {
    return recorder;
  }

  /** How many calls are open, late ones too. */
  public synchronized int open() {
    return open.size();
  }

  /** Counts what is late, says what was dropped, and has the worker begin what can begin. */
  public void turn() {
    long now = nanoClock.getAsLong();
    giveUpLate(now);
    sayDropped(now);
    work();
    endClosing(now);
  }

  private void giveUpLate(long now) {
    List<Open> late = new ArrayList<>();
    synchronized (this) {
      for (Open each : open) {
        if (now - each.lateAt >= 0) {
          late.add(each);
        }
      }
    }
    late.forEach(each -> settle(each, null));
  }

  private void sayDropped(long now) {
    long news;
    synchronized (this) {
      long dropped = recorder.dropped();
      news = dropped - droppedSaid;
      if (news == 0 || now - nextLineAt < 0) {
        return;
      }
      droppedSaid = dropped;
      nextLineAt = now + BETWEEN_LINES.toNanos();
    }
    log.warn("{} decisions on schema changes were not recorded; the metrics say why", news);
  }

  private void work() {
    if (!hasWork() || !working.compareAndSet(false, true)) {
      return;
    }
    try {
      worker.execute(this::beginAll);
    } catch (RejectedExecutionException e) {
      working.set(false);
    }
  }

  private synchronized boolean hasWork() {
    return open.size() < MAX_CALLS && (!ready.isEmpty() || recorder.hasNews());
  }

  private void beginAll() {
    try {
      for (Open call; (call = next()) != null; ) {
        begin(call);
      }
    } finally {
      working.set(false);
    }
  }

  private synchronized @Nullable Open next() {
    for (DecisionEvent event; (event = recorder.poll()) != null; ) {
      Line line = lines.get(event.jobId());
      if (line == null) {
        line = new Line(event.jobId(), new ArrayDeque<>());
        lines.put(event.jobId(), line);
        ready.add(line);
      }
      line.events.add(event);
    }
    boolean over = closing != null && closing.isDone();
    Line line = open.size() < MAX_CALLS && !over ? ready.poll() : null;
    if (line == null) {
      return null;
    }
    Open call = new Open(line, some(line), nanoClock.getAsLong() + PATIENCE.toNanos());
    open.add(call);
    return call;
  }

  private List<DecisionEvent> some(Line line) {
    List<DecisionEvent> events = new ArrayList<>();
    long bytes = 0;
    while (events.size() < MAX_EVENTS && bytes < MAX_BYTES) {
      DecisionEvent event = line.events.poll();
      if (event == null) {
        return events;
      }
      recorder.took(event);
      bytes += event.cost();
      events.add(event);
    }
    return events;
  }

  private void begin(Open open) {
    Call<Receipt> call;
    try {
      TimelineChange change =
          new TimelineChange.Decided(open.line.jobId, open.events, histories.getAsLong());
      call = store.apply(change, Deadline.in(PATIENCE));
    } catch (Throwable e) {
      // Also errors: the job must get its next turn, whoever decides what they mean.
      end(open);
      if (e instanceof Error error) {
        throw error;
      }
      return;
    }
    call.answer().whenComplete((receipt, failure) -> settle(open, receipt));
    call.ended().whenComplete((done, failure) -> end(open));
  }

  /**
   * @param receipt null if the store did not take the events
   */
  private void settle(Open open, @Nullable Receipt receipt) {
    synchronized (this) {
      if (open.settled) {
        return;
      }
      open.settled = true;
    }
    int recorded = 0;
    int refused = 0;
    for (DecisionResult each : receipt == null ? List.<DecisionResult>of() : receipt.results()) {
      if (each.fault() == null) {
        recorded++;
      } else {
        refused++;
      }
    }
    recorder.count(Fate.RECORDED, recorded);
    recorder.count(Fate.REFUSED, refused);
    recorder.count(Fate.FAILED, open.events.size() - recorded - refused);
  }

  private void end(Open call) {
    settle(call, null);
    synchronized (this) {
      if (!open.remove(call)) {
        return;
      }
      if (call.line.events.isEmpty()) {
        lines.remove(call.line.jobId);
      } else {
        ready.add(call.line);
      }
    }
    work();
  }

  /**
   * Takes nothing more and stores what waits, for half a second at most; the turns must go on until
   * then. What is left counts as dropped.
   */
  public CompletionStage<?> close() {
    recorder.close();
    CompletableFuture<?> flushed;
    synchronized (this) {
      if (closing == null) {
        closing = new CompletableFuture<>();
        closeBy = nanoClock.getAsLong() + FLUSH.toNanos();
      }
      flushed = closing;
    }
    turn();
    return flushed;
  }

  private void endClosing(long now) {
    CompletableFuture<@Nullable Void> flushed;
    List<Open> left;
    synchronized (this) {
      flushed = closing;
      boolean idle = open.isEmpty() && recorder.waiting() == 0;
      if (flushed == null || flushed.isDone() || !idle && now - closeBy < 0) {
        return;
      }
      left = List.copyOf(open);
    }
    if (flushed.complete(null)) {
      left.forEach(each -> settle(each, null));
      recorder.count(Fate.CLOSED, recorder.waiting());
    }
  }
}
