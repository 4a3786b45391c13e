package io.headgate.directory;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that notes what it is told and answers at once, or, {@link #manual}, one call
 * at a time when a test says so. What a call changes is changed when it is answered.
 */
final class ScriptedDirectory implements JobDirectory {
  final List<Publication> told = new ArrayList<>();
  final Map<Long, JobRecord> records = new HashMap<>();
  final Queue<Runnable> open = new ArrayDeque<>();

  boolean manual;
  @Nullable RuntimeException failure;

  @Override
  public Call<PublishOutcome> publish(Publication publication) {
    told.add(publication);
    return call(
        () -> {
          JobRecord.Change change =
              JobRecord.publish(
                  records.get(publication.jobId()),
                  publication,
                  Publications.NOW,
                  Publications.HISTORY);
          records.put(publication.jobId(), change.record());
          return change.outcome();
        });
  }

  @Override
  public Call<Boolean> remove(long jobId) {
    return call(() -> records.remove(jobId) != null);
  }

  @Override
  public Call<@Nullable JobRecord> read(long jobId, Deadline deadline) {
    throw new AssertionError("a publisher reads nothing");
  }

  private <T> Call<T> call(Supplier<T> change) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    RuntimeException failed = failure;
    open.add(
        () -> {
          if (failed == null) {
            answer.complete(change.get());
          } else {
            answer.completeExceptionally(failed);
          }
        });
    if (!manual) {
      answerNext();
    }
    return Call.of(answer);
  }

  void answerNext() {
    open.remove().run();
  }
}
