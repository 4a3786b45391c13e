package io.headgate.edge;

import io.headgate.graph.Call;
import io.headgate.observe.UnexpectedFailure;
import io.headgate.timeline.TimelineUnavailableException;
import io.headgate.timeline.ingest.DecisionReport;
import io.headgate.timeline.live.ReportOutcome;
import io.headgate.timeline.live.TimelineReports;
import io.headgate.wire.CappedBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is answered to reports on schema changes. Safe on any thread; never blocks, and answers
 * never complete exceptionally.
 */
final class Reporting {
  private static final Logger log = LoggerFactory.getLogger(Reporting.class);

  private static final Reply STORED = Reply.ok("stored", "{\"result\":\"STORED\"}");
  private static final Reply OVER_BOUND = Reply.of(ErrorCode.BODY_TOO_LARGE, "batch-bound");

  private final TimelineReports reports;

  Reporting(TimelineReports reports) {
    this.reports = reports;
  }

  /** Begins to take what an engine has posted; the body is handed over. */
  Call<Reply> engine(CappedBuffer body, boolean cut) {
    return answered(reports.engine(body, cut));
  }

  /** Begins to take a batch of decision events; the body is handed over. */
  Call<Reply> decisions(CappedBuffer body) {
    return answered(reports.decisions(body));
  }

  private static Call<Reply> answered(Call<ReportOutcome> report) {
    return new Call<>(
        report.answer().thenApply(Reporting::reply).exceptionally(Reporting::failed),
        report.ended());
  }

  private static Reply reply(ReportOutcome outcome) {
    if (outcome instanceof ReportOutcome.Stored stored) {
      CappedBuffer answer = stored.answer();
      return answer == null ? STORED : Reply.of(answer);
    }
    DecisionReport.Refusal reason = ((ReportOutcome.Refused) outcome).reason();
    return switch (reason) {
      case MALFORMED -> Reply.of(ErrorCode.INVALID_BODY);
      case OVER_BOUND -> OVER_BOUND;
    };
  }

  private static Reply failed(Throwable failure) {
    Throwable cause = UnexpectedFailure.cause(failure);
    if (cause instanceof TimelineUnavailableException known) {
      return Reply.of(ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE, known.reason().label());
    }
    UnexpectedFailure.report(log, "report", cause);
    return Reply.of(ErrorCode.INTERNAL_ERROR, "internal");
  }
}
