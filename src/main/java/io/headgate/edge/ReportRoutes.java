package io.headgate.edge;

import io.headgate.admission.Permits;
import io.headgate.admission.Pool;
import io.headgate.timeline.live.LiveTimelines;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST {basePath}/event/report}, to which engines post their events (T1), and {@code POST
 * {basePath}/schema-evolution/events}, for decisions (T2). On the event loop of the request.
 *
 * <p>The two differ in what a large body is: an engine would post a refused one for ever, so of its
 * body the beginning is taken, and the rest read and let go (T1a).
 */
final class ReportRoutes {
  private static final String JSON = "application/json";
  private static final Reply BUSY = Reply.of(ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE, "busy");

  private final Edge edge;
  private final Reporting reporting;
  private final int bodyBytes;
  private final Context context;
  private final BodyReader bodies;
  private final String engines;
  private final String decisions;

  ReportRoutes(Edge edge, LiveTimelines timelines, Vertx vertx, Context context) {
    this.edge = edge;
    this.context = context;
    reporting = new Reporting(timelines.reports());
    bodyBytes = timelines.config().bodyBytes();
    bodies = new BodyReader(vertx, edge.committer, edge.config.requestDeadline());
    engines = edge.config.basePath() + Resource.ENGINE_REPORT.template();
    decisions = edge.config.basePath() + Resource.DECISIONS.template();
  }

  boolean matches(String path) {
    return path.equals(engines) || path.equals(decisions);
  }

  /** Whether a request with this method changes something. */
  static boolean writes(HttpMethod method) {
    return method == HttpMethod.POST;
  }

  void handle(HttpServerRequest request, String path) {
    boolean byEngine = path.equals(engines);
    if (!writes(request.method())) {
      Routes.refuseMethod(edge, request, byEngine ? Resource.ENGINE_REPORT : Resource.DECISIONS);
      return;
    }
    ErrorCode refusal = refusal(request, byEngine);
    if (refusal != null) {
      answer(request, byEngine, Reply.of(refusal));
      return;
    }
    Permits.Permit permit = edge.permits(Pool.REPORTS).tryAcquire();
    if (permit == null) {
      answer(request, byEngine, BUSY);
    } else if (byEngine) {
      bodies.readBeginning(
          request,
          bodyBytes,
          (body, cut) ->
              edge.reports.begin(
                  permit,
                  () -> reporting.engine(body, cut),
                  context,
                  r -> answer(request, true, r)),
          fault -> refuse(request, true, permit, fault));
    } else {
      bodies.read(
          request,
          bodyBytes,
          body ->
              edge.reports.begin(
                  permit, () -> reporting.decisions(body), context, r -> answer(request, false, r)),
          fault -> refuse(request, false, permit, fault));
    }
  }

  private @Nullable ErrorCode refusal(HttpServerRequest request, boolean byEngine) {
    ErrorCode refusal = edge.writeAccess.refusal(request, JSON);
    if (refusal == null && !byEngine && BodyReader.isDeclaredLonger(request, bodyBytes)) {
      return ErrorCode.BODY_TOO_LARGE;
    }
    return refusal;
  }

  private void refuse(
      HttpServerRequest request, boolean byEngine, Permits.Permit permit, BodyReader.Fault fault) {
    permit.end(Permits.Ending.IGNORED);
    ErrorCode code = fault.code();
    if (code == null) {
      edge.edgeMeters.clientLeft();
    } else {
      answer(request, byEngine, Reply.of(code));
    }
  }

  private void answer(HttpServerRequest request, boolean byEngine, Reply reply) {
    edge.reported(byEngine, reply);
    edge.committer.send(request, reply);
  }
}
