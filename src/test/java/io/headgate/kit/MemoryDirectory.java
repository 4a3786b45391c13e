package io.headgate.kit;

import io.headgate.directory.JobDirectory;
import io.headgate.directory.JobRecord;
import io.headgate.directory.Publication;
import io.headgate.directory.PublishOutcome;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A directory in this process that does with publications what a cluster does, or what it can't.
 */
public final class MemoryDirectory implements JobDirectory {
  private static final long HISTORY_MILLIS = Duration.ofHours(1).toMillis();

  private final Map<Long, JobRecord> records = new ConcurrentHashMap<>();
  private final AtomicInteger changes = new AtomicInteger();
  private final List<CompletableFuture<Void>> held = new ArrayList<>();
  private boolean holding;
  private @Nullable RuntimeException failure;
  private @Nullable PublishOutcome outcome;

  @Override
  public Call<PublishOutcome> publish(Publication said) {
    PublishOutcome always = outcome;
    return change(() -> always == null ? apply(said) : always);
  }

  private PublishOutcome apply(Publication said) {
    PublishOutcome[] outcome = new PublishOutcome[1];
    records.compute(
        said.jobId(),
        (id, known) -> {
          var change = JobRecord.publish(known, said, System.currentTimeMillis(), HISTORY_MILLIS);
          outcome[0] = change.outcome();
          return change.record();
        });
    return outcome[0];
  }

  @Override
  public Call<Boolean> remove(long jobId) {
    return change(() -> records.remove(jobId) != null);
  }

  @Override
  public Call<@Nullable JobRecord> read(long jobId, Deadline deadline) {
    CompletableFuture<@Nullable JobRecord> read =
        CompletableFuture.completedFuture(records.get(jobId));
    return Call.of(read);
  }

  private <T> Call<T> change(Supplier<T> change) {
    changes.incrementAndGet();
    if (failure != null) {
      return Call.of(CompletableFuture.failedStage(failure));
    }
    CompletableFuture<Void> turn = new CompletableFuture<>();
    synchronized (this) {
      if (holding) {
        held.add(turn);
      } else {
        turn.complete(null);
      }
    }
    return Call.of(turn.thenApply(now -> change.get()));
  }

  /** From now on changes are neither made nor answered. */
  public synchronized void hold() {
    holding = true;
  }

  /** Makes the changes that were held, and lets others through. */
  public void release() {
    List<CompletableFuture<Void>> turns;
    synchronized (this) {
      holding = false;
      turns = List.copyOf(held);
      held.clear();
    }
    turns.forEach(turn -> turn.complete(null));
  }

  /** From now on changes fail with this, or with null not any more. */
  public void fail(@Nullable RuntimeException with) {
    failure = with;
  }

  /** From now on publications have this outcome and change nothing, or with null their own. */
  public void answer(@Nullable PublishOutcome always) {
    outcome = always;
  }

  /** How many changes have been asked for so far. */
  public int changes() {
    return changes.get();
  }

  public @Nullable JobRecord record(long jobId) {
    return records.get(jobId);
  }
}
