package io.headgate.timeline.live;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.observe.UnexpectedFailure;
import io.headgate.timeline.ClusterHistory;
import io.headgate.timeline.TimelinePage;
import io.headgate.timeline.TimelineQuery;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import io.headgate.timeline.live.TimelineAnswer.Outcome;
import io.headgate.wire.Digests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers "what happened to the schema changes of job x" (T13): from the store, and only if that
 * has nothing, by asking the sources whether there is such a job.
 *
 * <p>{@link #begin} may be called on any thread and does not block. Pages are written where the
 * timeline is owned; their digest is made on {@code workers}.
 */
public final class TimelinePages {
  private static final Logger log = LoggerFactory.getLogger(TimelinePages.class);

  /** Holds any one record without its details, so that no page is impossible. */
  static final int LEAST_BYTES = 64 * 1024;

  private final TimelineStore store;
  private final ClusterHistory history;
  private final boolean errorSummaries;
  private final int cap;
  private final Executor workers;

  /**
   * @param errorSummaries whether error texts may be told (T11)
   * @param cap the most bytes of a page; less than 64 KiB counts as that
   * @param workers where digests are made; it must have a free thread for every question
   */
  public TimelinePages(
      TimelineStore store,
      ClusterHistory history,
      boolean errorSummaries,
      int cap,
      Executor workers) {
    this.store = store;
    this.history = history;
    this.errorSummaries = errorSummaries;
    this.cap = Math.max(LEAST_BYTES, cap);
    this.workers = workers;
  }

  /**
   * Begins to answer. The answer never completes exceptionally.
   *
   * @param sources asked if nothing was reported of the job
   */
  public Call<TimelineAnswer> begin(
      long jobId, TimelineQuery query, Deadline deadline, JobQuestion sources) {
    One one = new One(jobId, deadline);
    CompletionStage<TimelineAnswer> answer;
    try {
      answer =
          one.open(store.page(jobId, query, errorSummaries, cap, deadline))
              .thenCompose(page -> page == null ? one.withoutRecords(sources) : tagged(page))
              .exceptionally(TimelinePages::failed);
    } catch (RuntimeException e) {
      return Call.of(failed(e));
    }
    return new Call<>(answer, answer.thenCompose(done -> one.ended()));
  }

  /** One question, with the calls that were made for it; one step happens after the other. */
  private final class One {
    private final long jobId;
    private final Deadline deadline;
    private final List<CompletableFuture<?>> ends = new ArrayList<>();

    One(long jobId, Deadline deadline) {
      this.jobId = jobId;
      this.deadline = deadline;
    }

    <T> CompletionStage<T> open(Call<T> call) {
      ends.add(call.ended().handle((done, failure) -> "").toCompletableFuture());
      return call.answer();
    }

    CompletionStage<?> ended() {
      return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
    }

    CompletionStage<TimelineAnswer> withoutRecords(JobQuestion sources) {
      return sources
          .ask(jobId)
          .thenCompose(
              presence ->
                  switch (presence.kind()) {
                    case ACTIVE, ENDED -> empty();
                    case ABSENT -> answered(Outcome.NOT_FOUND, presence);
                    case UNSAID -> answered(Outcome.TEMPORARILY_UNAVAILABLE, presence);
                    case FAILED -> answered(Outcome.INTERNAL_ERROR, presence);
                  });
    }

    private CompletionStage<TimelineAnswer> empty() {
      return open(history.id(deadline))
          .thenCompose(id -> tagged(TimelinePage.empty(jobId, id, cap).toByteArray()));
    }
  }

  private static CompletionStage<TimelineAnswer> answered(Outcome outcome, JobPresence presence) {
    return CompletableFuture.completedStage(TimelineAnswer.without(outcome, presence.reason()));
  }

  private CompletionStage<TimelineAnswer> tagged(byte[] page) {
    return CompletableFuture.supplyAsync(
        () -> new TimelineAnswer(Outcome.OK, "ok", page, Digests.etag(page, page.length)), workers);
  }

  private static TimelineAnswer failed(Throwable failure) {
    Throwable cause = UnexpectedFailure.cause(failure);
    if (cause instanceof TimelineUnavailableException known) {
      return unavailable(known.reason());
    }
    if (cause instanceof RejectedExecutionException) {
      return unavailable(Unavailability.STOPPING); // there is a worker for every permit
    }
    UnexpectedFailure.report(log, "question for a timeline", cause);
    return TimelineAnswer.without(Outcome.INTERNAL_ERROR, "internal");
  }

  private static TimelineAnswer unavailable(Unavailability reason) {
    return TimelineAnswer.without(Outcome.TEMPORARILY_UNAVAILABLE, reason.label());
  }
}
