package io.headgate.directory;

import io.headgate.graph.Call;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are made one after the other for one job and side by side for different ones. The next
 * call for a job begins when the one before has ended, not when it was answered: a call that was
 * given up on may still change the record.
 *
 * <p>Calls are prepared and begun on one worker at a time, so a pool of one thread is enough.
 * Bounded: there are at most {@link #MAX} that wait or are under way. Safe on any thread; never
 * blocks.
 *
 * @param <T> what a call answers
 */
final class OrderedCalls<T> {
  static final int MAX = 1_024;

  private final Executor workers;
  private final T refusal;

  // Guarded by this.
  private final Map<Long, Line<T>> lines = new HashMap<>();
  private final Queue<Line<T>> ready = new ArrayDeque<>();
  private int underWay;
  private boolean working;

  /** The calls for one job; the first is under way, or next. */
  private record Line<T>(long jobId, Queue<Turn<T>> turns) {}

  private record Turn<T>(Supplier<Call<T>> call, CompletableFuture<T> answer) {}

  /**
   * @param refusal the answer to calls that no worker takes
   */
  OrderedCalls(Executor workers, T refusal) {
    this.workers = workers;
    this.refusal = refusal;
  }

  /**
   * Puts a call behind those for the same job. {@link #work} begins it, and is called without any
   * lock: it may complete answers that others wait for.
   *
   * @param call makes the call, on a worker
   * @return its answer, or null if there are too many calls already
   */
  synchronized @Nullable CompletableFuture<T> offer(long jobId, Supplier<Call<T>> call) {
    if (underWay == MAX) {
      return null;
    }
    underWay++;
    Turn<T> turn = new Turn<>(call, new CompletableFuture<>());
    Line<T> line = lines.computeIfAbsent(jobId, id -> new Line<>(id, new ArrayDeque<>()));
    line.turns.add(turn);
    if (line.turns.size() == 1) {
      ready.add(line);
    }
    return turn.answer;
  }

  /** Has a worker begin what can begin. */
  void work() {
    synchronized (this) {
      if (working || ready.isEmpty()) {
        return;
      }
      working = true;
    }
    try {
      workers.execute(this::beginAll);
    } catch (RejectedExecutionException e) {
      for (Line<T> line; (line = nextLine()) != null; ) {
        turn(line).answer.complete(refusal);
        end(line);
      }
    }
  }

  private void beginAll() {
    for (Line<T> line; (line = nextLine()) != null; ) {
      begin(line);
    }
  }

  private synchronized @Nullable Line<T> nextLine() {
    Line<T> line = ready.poll();
    working = line != null;
    return line;
  }

  private synchronized Turn<T> turn(Line<T> line) {
    return line.turns.element();
  }

  private void begin(Line<T> line) {
    Turn<T> turn = turn(line);
    Call<T> call;
    try {
      call = turn.call.get();
    } catch (Throwable e) {
      // Also errors: whoever waits must be told, and the next call must get its turn.
      turn.answer.completeExceptionally(e);
      end(line);
      if (e instanceof VirtualMachineError) {
        // The answer may be looked at by nobody; whoever runs this process decides what it means.
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
      return;
    }
    call.answer()
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                turn.answer.complete(answer);
              } else {
                turn.answer.completeExceptionally(failure);
              }
            });
    call.ended().whenComplete((done, failure) -> end(line));
  }

  private void end(Line<T> line) {
    synchronized (this) {
      line.turns.remove();
      underWay--;
      if (line.turns.isEmpty()) {
        lines.remove(line.jobId);
      } else {
        ready.add(line);
      }
    }
    work();
  }

  /** How many calls wait or are under way. */
  synchronized int underWay() {
    return underWay;
  }
}
