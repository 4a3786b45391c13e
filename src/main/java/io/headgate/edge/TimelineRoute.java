package io.headgate.edge;

import io.headgate.admission.Permits;
import io.headgate.admission.Pool;
import io.headgate.graph.Deadline;
import io.headgate.timeline.TimelineQuery;
import io.headgate.timeline.live.TimelinePages;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET {basePath}/job-info/{jobId}/schema-evolution}: what happened to the schema changes of
 * a job (T13, T15). On the event loop of the request.
 *
 * <p>Ids are read as those of the lineage route are. What the request can be refused for is looked
 * at before a permit is taken, and the permit is of a pool that lineage has no part in.
 */
final class TimelineRoute {
  private static final Reply BUSY = Reply.of(ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE, "busy");

  private final Edge edge;
  private final TimelinePages pages;
  private final Context context;
  private final JobPath paths;

  TimelineRoute(Edge edge, TimelinePages pages, Context context) {
    this.edge = edge;
    this.pages = pages;
    this.context = context;
    paths = new JobPath(edge.config.basePath(), Resource.TIMELINE);
  }

  /** Whether {@code path} is one of this route: one segment, whatever it is, in its middle. */
  boolean matches(String path) {
    return paths.matches(path);
  }

  void handle(HttpServerRequest request, String path) {
    if (!Resource.TIMELINE.allows(request.method())) {
      Routes.refuseMethod(edge, request, Resource.TIMELINE);
      return;
    }
    long jobId = paths.jobId(path);
    if (jobId == JobIds.INVALID) {
      answer(request, jobId, Reply.of(ErrorCode.INVALID_JOB_ID));
      return;
    }
    TimelineQuery query = parse(request.query());
    if (query == null) {
      answer(request, jobId, Reply.of(ErrorCode.INVALID_PARAMETER));
      return;
    }
    Permits.Permit permit = edge.permits(Pool.TIMELINES).tryAcquire();
    if (permit == null) {
      answer(request, jobId, BUSY);
      return;
    }
    Deadline deadline = Deadline.in(edge.deadline);
    edge.timelineQuestions.begin(
        permit,
        () -> pages.begin(jobId, query, deadline, id -> edge.ask(id, context)).map(Reply::of),
        context,
        reply -> answer(request, jobId, reply));
  }

  /**
   * Reads the raw query (T13). Parameters that are not known are passed over.
   *
   * @return null if a known one is repeated or has a value that it can't have
   */
  static @Nullable TimelineQuery parse(@Nullable String query) {
    if (query == null) {
      return TimelineQuery.DEFAULT;
    }
    QueryParameters given = new QueryParameters(query);
    return TimelineQuery.parse(
        given.all("limit"), given.all("beforeSequence"), given.all("table"), given.all("outcome"));
  }

  private void answer(HttpServerRequest request, long jobId, Reply reply) {
    edge.timelineShown(jobId, reply);
    edge.committer.send(request, reply);
  }
}
