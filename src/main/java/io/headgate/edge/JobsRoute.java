package io.headgate.edge;

import io.headgate.graph.JobStatus;
import io.headgate.jobs.JobsQuery;
import io.headgate.jobs.JobsSnapshot;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET {basePath}/jobs?state=&limit=&after=}: a page of the list that was read last. On the
 * event loop of the request; nothing is asked because of one.
 */
final class JobsRoute {
  private final Edge edge;
  private final String path;

  JobsRoute(Edge edge) {
    this.edge = edge;
    this.path = edge.config.basePath() + Resource.JOBS.template();
  }

  String path() {
    return path;
  }

  void handle(HttpServerRequest request) {
    if (!path.equals(request.path())) {
      Routes.send(edge, request, ErrorCode.NOT_FOUND); // the router takes other spellings for it
      return;
    }
    if (!Resource.JOBS.allows(request.method())) {
      Routes.refuseMethod(edge, request, Resource.JOBS);
      return;
    }
    JobsQuery query = parse(request.query());
    if (query == null) {
      Routes.send(edge, request, ErrorCode.INVALID_QUERY);
      return;
    }
    JobsSnapshot jobs = edge.jobs.get();
    if (jobs == null) {
      Routes.send(edge, request, ErrorCode.JOBS_TEMPORARILY_UNAVAILABLE);
      return;
    }
    edge.edgeMeters.other(200);
    edge.committer.send(request, Reply.of(jobs.page(query, System.nanoTime())));
  }

  /**
   * Reads the raw query: each of three names at most once, and values that need no escape, so that
   * a percent sign is as wrong as any other unexpected character.
   *
   * @return null if it is anything else
   */
  static @Nullable JobsQuery parse(@Nullable String query) {
    if (query == null || query.isEmpty()) {
      return JobsQuery.FIRST;
    }
    JobStatus state = null;
    int limit = 0;
    long after = JobsQuery.FROM_THE_TOP;
    for (int at = 0; at <= query.length(); ) {
      int end = query.indexOf('&', at) < 0 ? query.length() : query.indexOf('&', at);
      int value = query.indexOf('=', at) + 1;
      if (value == 0 || value > end) {
        return null;
      }
      String name = query.substring(at, value);
      boolean usable = false;
      if (name.equals("state=") && state == null) {
        state = JobStatus.of(query.substring(value, end));
        usable = state != null;
      } else if (name.equals("limit=") && limit == 0) {
        limit = limit(query.substring(value, end));
        usable = limit != 0;
      } else if (name.equals("after=") && after == JobsQuery.FROM_THE_TOP) {
        after = JobIds.parse(query.substring(value, end), 0);
        usable = after != JobIds.INVALID;
      }
      if (!usable) {
        return null;
      }
      at = end + 1;
    }
    return new JobsQuery(state, limit == 0 ? JobsQuery.FIRST.limit() : limit, after);
  }

  /** The number, or 0 if it is none that a page may have. */
  private static int limit(String text) {
    long number = JobIds.parse(text, 0); // spelled as an id is
    return number < 1 || number > JobsQuery.MOST ? 0 : (int) number;
  }
}
