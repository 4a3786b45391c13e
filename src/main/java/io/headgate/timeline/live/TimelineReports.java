package io.headgate.timeline.live;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import io.headgate.timeline.ingest.DecisionAnswer;
import io.headgate.timeline.ingest.DecisionReport;
import io.headgate.timeline.ingest.DecisionReport.JobEvents;
import io.headgate.timeline.ingest.EngineReport;
import io.headgate.wire.CappedBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings reports on schema changes from whole bodies into the store (T1, T2). A report is answered
 * for when all of it is stored (T1a); what is reported again changes nothing, so whoever gets no
 * answer repeats all of it.
 *
 * <p>Safe on any thread; never blocks the caller. Bodies are parsed on the workers. Answers fail
 * with {@link TimelineUnavailableException} if the store does.
 */
public final class TimelineReports {
  private final TimelineStore store;
  private final Duration patience;
  private final Executor workers;
  private final ReportMeters meters = new ReportMeters();

  /**
   * @param patience for how long a report waits for the store
   * @param workers it must have a free thread for every report
   */
  public TimelineReports(TimelineStore store, Duration patience, Executor workers) {
    this.store = store;
    this.patience = patience;
    this.workers = workers;
  }

  /**
   * Begins to take what an engine has posted.
   *
   * @param body handed over
   * @param cut whether the body went on; what is whole in its beginning is taken
   */
  public Call<ReportOutcome> engine(CappedBuffer body, boolean cut) {
    Deadline deadline = Deadline.in(patience);
    return onWorker(() -> engine(EngineReport.parse(body.content(), cut), cut, deadline));
  }

  private Call<ReportOutcome> engine(
      @Nullable EngineReport report, boolean cut, Deadline deadline) {
    if (report == null) {
      return Call.of(new ReportOutcome.Refused(DecisionReport.Refusal.MALFORMED));
    }
    meters.read(report, cut);
    List<TimelineChange> changes = new ArrayList<>();
    report
        .jobs()
        .forEach(
            (job, events) -> changes.add(new TimelineChange.Observed(job, events, freshHistory())));
    return ChangeBatch.apply(store, changes, deadline, workers)
        .map(
            receipts -> {
              receipts.forEach(meters::observed);
              return new ReportOutcome.Stored(null);
            });
  }

  /**
   * Begins to take a batch of decision events.
   *
   * @param body handed over
   */
  public Call<ReportOutcome> decisions(CappedBuffer body) {
    Deadline deadline = Deadline.in(patience);
    return onWorker(() -> decisions(DecisionReport.parse(body.content()), deadline));
  }

  private Call<ReportOutcome> decisions(DecisionReport report, Deadline deadline) {
    DecisionReport.Refusal refusal = report.refusal();
    if (refusal != null) {
      return Call.of(new ReportOutcome.Refused(refusal));
    }
    meters.read(report);
    List<TimelineChange> changes = new ArrayList<>();
    report
        .jobs()
        .forEach(
            (job, each) ->
                changes.add(new TimelineChange.Decided(job, each.events(), freshHistory())));
    return ChangeBatch.apply(store, changes, deadline, workers)
        .map(receipts -> answer(report, receipts));
  }

  private ReportOutcome answer(DecisionReport report, List<Receipt> receipts) {
    DecisionAnswer answer = report.answer();
    int index = 0;
    for (JobEvents job : report.jobs().values()) {
      Receipt receipt = receipts.get(index++);
      meters.evictions(receipt);
      answer.put(job, receipt.results());
    }
    answer.results().stream().filter(Objects::nonNull).forEach(meters::decided);
    return new ReportOutcome.Stored(answer.write());
  }

  /** An id for the history of a job, should this be the first that is heard of it (T6). */
  private static long freshHistory() {
    return ThreadLocalRandom.current().nextLong();
  }

  private Call<ReportOutcome> onWorker(Supplier<Call<ReportOutcome>> work) {
    CompletableFuture<Call<ReportOutcome>> begun;
    try {
      begun = CompletableFuture.supplyAsync(work, workers);
    } catch (RejectedExecutionException e) {
      // There is a worker for every permit, so only a gateway that is being stopped has none.
      return Call.of(
          CompletableFuture.failedStage(new TimelineUnavailableException(Unavailability.STOPPING)));
    }
    CompletionStage<ReportOutcome> answer = begun.thenCompose(Call::answer);
    CompletionStage<?> ended =
        begun
            .<CompletionStage<?>>handle((call, failure) -> call == null ? answer : call.ended())
            .thenCompose(stage -> stage);
    return new Call<>(answer, ended);
  }

  /** Puts what it counts into {@code registry}. */
  public void observe(Meters registry) {
    meters.observe(registry);
  }
}
