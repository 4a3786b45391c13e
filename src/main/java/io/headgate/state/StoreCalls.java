package io.headgate.state;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import io.headgate.observe.PacedLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one kind to the cluster: bounded in number, each with a deadline of ours, and made again
 * while a member is lost or entries move. So every call must be one that may be made twice.
 *
 * <p>A call that misses its deadline fails then and stays open, and counted, until Hazelcast has
 * given it up: after its own timeouts, some seconds later. At the bound a call fails at once and is
 * not made.
 *
 * <p>Safe on any thread; never blocks. Answers come on {@code callbacks}, never on a thread of
 * Hazelcast's or on the common pool.
 */
final class StoreCalls {
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(200);

  private final String kind;
  private final int mostOpen;
  private final Supplier<@Nullable Unavailability> unusable;
  private final Executor callbacks;
  private final Alarm alarm;
  private final PacedLog lines = new PacedLog(System::nanoTime);
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder repeated = new LongAdder();

  /**
   * @param kind the word for metrics and log lines, from a closed set
   * @param mostOpen how many may be open at once, late ones included
   * @param unusable why the cluster must not be believed now, or null; an answer that it gives then
   *     counts as none
   */
  StoreCalls(
      String kind,
      int mostOpen,
      Supplier<@Nullable Unavailability> unusable,
      Executor callbacks,
      Alarm alarm) {
    this.kind = kind;
    this.mostOpen = mostOpen;
    this.unusable = unusable;
    this.callbacks = callbacks;
    this.alarm = alarm;
  }

  /**
   * Makes a call.
   *
   * @param attempt makes it, and makes it again; must not block
   * @return fails with {@link StoreException}; its end comes when Hazelcast has nothing open of it
   */
  <T> Call<T> begin(Supplier<CompletionStage<T>> attempt, Deadline deadline) {
    if (open.incrementAndGet() > mostOpen) {
      open.decrementAndGet();
      refused.increment();
      return Call.of(CompletableFuture.failedStage(new StoreException(Unavailability.STORE_BUSY)));
    }
    Open<T> call;
    try {
      call = new Open<>(attempt, deadline);
    } catch (RejectedExecutionException e) {
      open.decrementAndGet(); // the clock has stopped, and so does the gateway
      return Call.of(CompletableFuture.failedStage(new StoreException(Unavailability.STOPPING)));
    }
    call.begin();
    return new Call<>(call.answer, call.ended);
  }

  /** One call, from its first attempt until nothing of it is open. */
  private final class Open<T> {
    final CompletableFuture<T> answer = new CompletableFuture<>();
    final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private final Supplier<CompletionStage<T>> attempt;
    private final Deadline deadline;
    private final Runnable stopClock;

    /** Only one attempt is under way at a time, and each happens after the one before. */
    private long pause = FIRST_PAUSE;

    Open(Supplier<CompletionStage<T>> attempt, Deadline deadline) {
      this.attempt = attempt;
      this.deadline = deadline;
      this.stopClock = alarm.after(deadline.remainingNanos(), this::expire);
    }

    void begin() {
      CompletionStage<T> stage;
      try {
        stage = attempt.get();
      } catch (RuntimeException e) {
        stage = CompletableFuture.failedStage(e);
      }
      stage.whenCompleteAsync(this::attempted, callbacks);
    }

    private void attempted(@Nullable T result, @Nullable Throwable failure) {
      if (failure != null
          && StoreException.isPassing(failure)
          && deadline.remainingNanos() > pause) {
        repeated.increment();
        alarm.after(pause, () -> callbacks.execute(this::begin));
        pause = Math.min(2 * pause, LONGEST_PAUSE);
        return;
      }
      stopClock.run();
      open.decrementAndGet();
      Unavailability reason = failure == null ? unusable.get() : StoreException.reason(failure);
      if (reason == null) {
        answer.complete(result);
      } else {
        fail(reason, failure);
      }
      ended.complete(null);
    }

    private void fail(Unavailability reason, @Nullable Throwable failure) {
      if (answer.completeExceptionally(new StoreException(reason))) {
        failed.increment();
        String cause =
            failure == null ? "" : ", " + StoreException.cause(failure).getClass().getSimpleName();
        lines.info(reason.label(), kind + " call to the cluster: " + reason.label() + cause);
      }
    }

    private void expire() {
      callbacks.execute(
          () -> {
            if (answer.completeExceptionally(new StoreException(Unavailability.DEADLINE))) {
              late.increment();
            }
          });
    }
  }

  /** How many calls are open, late ones included. */
  int open() {
    return open.get();
  }

  /** How many were not made because too many were open. */
  long refused() {
    return refused.sum();
  }

  /** How many missed their deadline. */
  long late() {
    return late.sum();
  }

  /** How many failed in time. */
  long failed() {
    return failed.sum();
  }

  /** How many attempts were made again. */
  long repeated() {
    return repeated.sum();
  }

  /** Puts what it counts into {@code meters}. */
  void observe(Meters meters) {
    meters.gauge(
        "headgate.store.open", "Calls to the cluster, late ones too.", open::get, "call", kind);
    meters.counter("headgate.store.refused", "Calls one too many.", this::refused, "call", kind);
    meters.counter("headgate.store.late", "Calls past their deadline.", this::late, "call", kind);
    meters.counter("headgate.store.failed", "Calls that failed.", this::failed, "call", kind);
    meters.counter("headgate.store.repeated", "Calls made again.", this::repeated, "call", kind);
  }
}
