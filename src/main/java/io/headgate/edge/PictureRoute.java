package io.headgate.edge;

import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;

/**
 * {@code GET {basePath}/job-lineage/{jobId}/graph.svg}: a picture of the lineage of a job. On the
 * event loop of the request.
 *
 * <p>The lineage comes the way that it comes to its own route: a recent answer, a lookup under way,
 * or one of its own, but never with a permit of lineage. What that route would refuse, this one
 * refuses with the same answer; the picture is of one answer, and so of one snapshot.
 */
final class PictureRoute {
  private static final Pictures.Errors ERRORS =
      new Pictures.Errors(
          ErrorCode.LINEAGE_GRAPH_TOO_LARGE,
          ErrorCode.LINEAGE_TEMPORARILY_UNAVAILABLE,
          ErrorCode.LINEAGE_INTERNAL_ERROR);

  private final Edge edge;
  private final Context context;
  private final JobPath paths;

  PictureRoute(Edge edge, Context context) {
    this.edge = edge;
    this.context = context;
    paths = new JobPath(edge.config.basePath(), Resource.PICTURE);
  }

  /** Whether {@code path} is one of this route: one segment, whatever it is, in its middle. */
  boolean matches(String path) {
    return paths.matches(path);
  }

  void handle(HttpServerRequest request, String path) {
    if (!Resource.PICTURE.allows(request.method())) {
      Routes.refuseMethod(edge, request, Resource.PICTURE);
      return;
    }
    long jobId = paths.jobId(path);
    if (jobId == JobIds.INVALID) {
      edge.sendPicture(request, Reply.of(ErrorCode.INVALID_JOB_ID));
      return;
    }
    edge.askForPicture(jobId, context, lineage -> edge.draw(request, lineage, ERRORS, context));
  }
}
