package io.headgate.lineage;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Excess;
import io.headgate.graph.GraphWriter;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.NameForm;
import io.headgate.graph.Unavailability;
import io.headgate.graph.Visit;
import io.headgate.lineage.LineageAnswer.Outcome;
import io.headgate.observe.LookupTimes;
import io.headgate.observe.UnexpectedFailure;
import io.headgate.state.ExecutionFence;
import io.headgate.wire.CapExceededException;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.Digests;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers "what is the lineage of job x" from a source (L21, L22).
 *
 * <p>{@link #begin} may be called on any thread and does not block. The source answers on whatever
 * thread it likes; the projection (name form, order, bytes, digest) runs on {@code workers}, one
 * task at a time for one call.
 */
public final class LineageService {
  private static final Logger log = LoggerFactory.getLogger(LineageService.class);

  private final JobGraphSource source;
  private final ExecutionFence fence;
  private final int responseCap;
  private final Executor workers;

  /**
   * @param responseCap the most bytes a response may have
   * @param workers where projections run; it must have a free thread for every call under way
   */
  public LineageService(
      JobGraphSource source, ExecutionFence fence, int responseCap, Executor workers) {
    this.source = source;
    this.fence = fence;
    this.responseCap = responseCap;
    this.workers = workers;
  }

  /** Begins the lookup of one job. The answer never completes exceptionally. */
  public Call<LineageAnswer> begin(long jobId, Deadline deadline) {
    long begunAt = System.nanoTime();
    Call<Lookup> lookup;
    try {
      lookup = source.lookup(jobId, deadline);
    } catch (Throwable e) {
      // Also errors: whoever counts the permit must get a call that ends.
      return Call.of(failed(e));
    }
    Supplier<List<Visit>> visits = lookup.visits();
    CompletionStage<LineageAnswer> answer =
        lookup
            .answer()
            .thenCompose(found -> timed(begunAt, visits, classify(found, jobId, deadline)))
            .exceptionally(LineageService::failed);
    CompletionStage<?> ended =
        answer.thenCombine(lookup.ended().handle((done, failure) -> ""), (a, b) -> b);
    return new Call<>(answer, ended);
  }

  /** The answer to a lookup whose source has just spoken. */
  private static CompletionStage<LineageAnswer> timed(
      long begunAt, Supplier<List<Visit>> visits, CompletionStage<LineageAnswer> answer) {
    long foundAt = System.nanoTime();
    List<LookupTimes.UpstreamCall> calls =
        visits.get().stream()
            .map(
                visit ->
                    new LookupTimes.UpstreamCall(
                        visit.member(), visit.outcome(), visit.begunAt(), visit.endedAt()))
            .toList();
    return answer.thenApply(
        done -> done.at(new LookupTimes(begunAt, foundAt, System.nanoTime(), calls)));
  }

  private CompletionStage<LineageAnswer> classify(Lookup lookup, long jobId, Deadline deadline) {
    if (lookup instanceof Lookup.Found found) {
      if (deadline.passed()) {
        return answered(Outcome.TEMPORARILY_UNAVAILABLE, Unavailability.DEADLINE.label());
      }
      if (found.graph().jobId() != jobId) {
        return answered(Outcome.UNAVAILABLE, "other-job");
      }
      return CompletableFuture.supplyAsync(() -> NameFormed.of(found.graph()), workers)
          .thenCompose(formed -> fence.pass(formed.graph(), found.execution(), formed.form()))
          .thenApplyAsync(passed -> project(passed, found.retained()), workers);
    }
    if (lookup instanceof Lookup.Inconsistent inconsistent) {
      return answered(Outcome.UNAVAILABLE, inconsistent.reason().label(), inconsistent.retained());
    }
    if (lookup instanceof Lookup.TooLarge tooLarge) {
      return answered(Outcome.TOO_LARGE, tooLarge.reason().label(), tooLarge.retained());
    }
    if (lookup instanceof Lookup.Unavailable unavailable) {
      return answered(Outcome.TEMPORARILY_UNAVAILABLE, unavailable.reason().label());
    }
    if (lookup instanceof Lookup.NotFound) {
      return answered(Outcome.NOT_FOUND, "not-found");
    }
    throw new IllegalStateException("a source answered null");
  }

  /** A graph beside its name form, so that both cross from thread to thread together. */
  private record NameFormed(JobGraph graph, @Nullable NameForm form) {
    static NameFormed of(JobGraph graph) {
      return new NameFormed(graph, NameForm.of(graph));
    }
  }

  private LineageAnswer project(ExecutionFence.Passed passed, boolean ended) {
    if (passed instanceof ExecutionFence.Passed.Refused refused) {
      return LineageAnswer.without(Outcome.TEMPORARILY_UNAVAILABLE, refused.reason().label());
    }
    if (passed instanceof ExecutionFence.Passed.Older) {
      return LineageAnswer.without(
          Outcome.TEMPORARILY_UNAVAILABLE, Unavailability.OLDER_EXECUTION.label());
    }
    JobGraph graph = ((ExecutionFence.Passed.Serve) passed).graph();
    CappedBuffer body;
    try {
      body = GraphWriter.write(graph, responseCap);
    } catch (CapExceededException e) {
      return LineageAnswer.without(Outcome.TOO_LARGE, Excess.RESPONSE_BYTES.label(), ended);
    }
    String etag = Digests.etag(body.array(), body.length());
    return new LineageAnswer(Outcome.OK, "ok", ended, body, etag, null);
  }

  private static CompletionStage<LineageAnswer> answered(Outcome outcome, String reason) {
    return answered(outcome, reason, false);
  }

  private static CompletionStage<LineageAnswer> answered(
      Outcome outcome, String reason, boolean ended) {
    return CompletableFuture.completedStage(LineageAnswer.without(outcome, reason, ended));
  }

  private static LineageAnswer failed(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    if (cause instanceof RejectedExecutionException) {
      // There is a worker for every permit, so only a gateway that is being stopped has none.
      return LineageAnswer.without(
          Outcome.TEMPORARILY_UNAVAILABLE, Unavailability.STOPPING.label());
    }
    UnexpectedFailure.report(log, "lineage lookup", cause);
    return LineageAnswer.without(Outcome.INTERNAL_ERROR, "internal");
  }
}
