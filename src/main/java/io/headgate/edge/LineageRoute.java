package io.headgate.edge;

import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;

/**
 * {@code GET {basePath}/job-lineage/{jobId}}, the hot route: a switch on the exact path in front of
 * the router, because most requests are polls that a recent answer serves. On the event loop of the
 * request.
 */
final class LineageRoute {
  private static final Reply INVALID_JOB_ID = Reply.of(ErrorCode.INVALID_JOB_ID);

  private final Edge edge;
  private final Context context;
  private final String prefix;

  LineageRoute(Edge edge, Context context) {
    this.edge = edge;
    this.context = context;
    this.prefix = edge.config.basePath() + Resource.LINEAGE.prefix();
  }

  /** Whether {@code path} is one of this route: the prefix and at most one segment after it. */
  boolean matches(String path) {
    if (!path.startsWith(prefix)) {
      return false;
    }
    int slash = path.indexOf('/', prefix.length());
    return slash < 0 || slash == path.length() - 1;
  }

  void handle(HttpServerRequest request, String path) {
    if (!Resource.LINEAGE.allows(request.method())) {
      Routes.refuseMethod(edge, request, Resource.LINEAGE);
      return;
    }
    long jobId = JobIds.parse(path, prefix.length());
    if (jobId == JobIds.INVALID) {
      atOnce(request, INVALID_JOB_ID);
      return;
    }
    Reply recent = edge.lineage.recent(jobId);
    if (recent != null) {
      atOnce(request, recent);
      return;
    }
    Reply refusal = edge.awaitLineage(jobId, context, reply -> later(request, reply));
    if (refusal != null) {
      atOnce(request, refusal);
    }
  }

  private void atOnce(HttpServerRequest request, Reply reply) {
    edge.edgeMeters.atOnce(reply);
    edge.committer.send(request, reply);
  }

  private void later(HttpServerRequest request, Reply reply) {
    edge.edgeMeters.flight(reply);
    edge.committer.send(request, reply);
  }
}
