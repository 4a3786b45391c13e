package io.headgate.timeline.live;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.observe.UnexpectedFailure;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The changes that one report makes, one for each of its jobs, on their way to the store: a few at
 * a time, so that a report on many jobs neither waits for each in turn nor takes all calls there
 * may be. When one fails, no further one begins.
 *
 * <p>Used once. Runs on the workers, one task of a batch at a time.
 */
final class ChangeBatch {
  /** Calls of one batch that are open at once. */
  private static final int AT_ONCE = 16;

  private final TimelineStore store;
  private final List<TimelineChange> changes;
  private final Deadline deadline;
  private final Executor workers;
  private final AtomicReferenceArray<Receipt> receipts;
  private final CompletableFuture<List<Receipt>> answer = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

  /** How often something has happened since the task that runs has looked; 0 while none runs. */
  private final AtomicInteger news = new AtomicInteger();

  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean failed;

  /** Of the task that runs. */
  private int begun;

  private ChangeBatch(
      TimelineStore store, List<TimelineChange> changes, Deadline deadline, Executor workers) {
    this.store = store;
    this.changes = changes;
    this.deadline = deadline;
    this.workers = workers;
    receipts = new AtomicReferenceArray<>(changes.size());
  }

  /**
   * Begins to make all of {@code changes}, from a worker.
   *
   * @param workers there is a free thread for each batch
   * @return the receipts in the order of the changes; fails with {@link
   *     TimelineUnavailableException} if any change may not have been made
   */
  static Call<List<Receipt>> apply(
      TimelineStore store, List<TimelineChange> changes, Deadline deadline, Executor workers) {
    ChangeBatch batch = new ChangeBatch(store, changes, deadline, workers);
    batch.news.set(1);
    batch.advance();
    return new Call<>(batch.answer, batch.ended);
  }

  private void advance() {
    int seen = 1;
    do {
      while (!failed && begun < changes.size() && open.get() < AT_ONCE) {
        begin(begun++);
      }
      if (open.get() == 0 && (failed || begun == changes.size())) {
        end();
      }
      seen = news.addAndGet(-seen);
    } while (seen != 0);
  }

  private void begin(int index) {
    if (deadline.passed()) {
      fail(new TimelineUnavailableException(Unavailability.DEADLINE));
      return;
    }
    open.incrementAndGet();
    Call<Receipt> call;
    try {
      call = store.apply(changes.get(index), deadline);
    } catch (RuntimeException e) {
      call = Call.of(CompletableFuture.failedStage(e));
    }
    call.answer()
        .whenComplete(
            (receipt, failure) -> {
              if (failure == null) {
                receipts.set(index, receipt);
              } else {
                fail(failure);
              }
            });
    call.ended()
        .whenComplete(
            (done, failure) -> {
              open.decrementAndGet();
              goOn();
            });
  }

  private void fail(Throwable failure) {
    failed = true;
    answer.completeExceptionally(UnexpectedFailure.cause(failure));
  }

  private void goOn() {
    if (news.getAndIncrement() != 0) {
      return; // the task that runs will see it
    }
    try {
      workers.execute(this::advance);
    } catch (RejectedExecutionException e) {
      fail(new TimelineUnavailableException(Unavailability.STOPPING));
      advance(); // which begins nothing any more
    }
  }

  private void end() {
    if (!failed) {
      Receipt[] all = new Receipt[changes.size()];
      for (int i = 0; i < all.length; i++) {
        all[i] = receipts.get(i);
      }
      answer.complete(List.of(all));
    }
    ended.complete(null);
  }
}
