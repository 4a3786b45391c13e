package io.headgate.kit;

import io.headgate.graph.Call;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.timeline.live.LiveTimelines;
import io.headgate.timeline.live.TimelinePages;
import io.headgate.timeline.live.TimelineReports;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * The HTTP half of a gateway that takes reports on schema changes, in front of a store in this
 * process.
 */
public final class ReportingGateway extends HttpHalf {
  public static final String ENGINES = "/event/report";
  public static final String DECISIONS = "/schema-evolution/events";

  private final MemoryTimelines store = new MemoryTimelines(config.timeline().limits());

  /** With a source that knows no job. */
  public ReportingGateway(String... settings) {
    this((jobId, deadline) -> Call.of(new Lookup.NotFound()), settings);
  }

  /**
   * @param settings configuration keys and values
   */
  public ReportingGateway(JobGraphSource source, String... settings) {
    super(settings);
    TimelineReports reports =
        new TimelineReports(store, config.admission().deadline(), admission.workers());
    reports.observe(meters);
    TimelinePages pages =
        new TimelinePages(
            store,
            deadline -> Call.of("0123456789abcdef"),
            config.timeline().errorSummaries(),
            config.limits().responseBytes(),
            admission.workers());
    start(source, null, new LiveTimelines(store, pages, config.timeline(), reports));
  }

  public MemoryTimelines store() {
    return store;
  }

  public HttpResponse<String> post(String path, String body, String... headers) {
    HttpRequest.BodyPublisher publisher = HttpRequest.BodyPublishers.ofString(body);
    return send(request(path, headers).POST(publisher));
  }

  /** How many batches of engines were answered so. */
  public double reports(int status, String reason) {
    return metric(
        "headgate_report_outcomes_total{reason=\"%s\",status=\"%d\"}".formatted(reason, status));
  }

  /** How many batches of decisions were answered so. */
  public double decisions(int status, String reason) {
    return metric(
        "headgate_decision_outcomes_total{reason=\"%s\",status=\"%d\"}".formatted(reason, status));
  }

  /** What became of so many events of engines. */
  public double events(String became) {
    return metric("headgate_report_events_total{became=\"%s\"}".formatted(became));
  }

  public double reportsUnderWay() {
    return metric("headgate_permits_used{pool=\"reports\"}");
  }
}
