package io.headgate.edge;

import io.headgate.admission.Permits;
import io.headgate.admission.Pool;
import io.headgate.wire.CappedBuffer;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * {@code PUT} and {@code DELETE {basePath}/jobs/{jobId}/graph}: what services publish of their jobs
 * (L30). On the event loop of the request.
 *
 * <p>Everything that the head can be refused for is looked at before a permit is taken, and a
 * permit is taken before a byte of the body is read.
 */
final class PublishRoute {
  private static final String JSON = "application/json";
  private static final Reply BUSY = Reply.of(ErrorCode.DIRECTORY_TEMPORARILY_UNAVAILABLE, "busy");

  private final Edge edge;
  private final Publishing publishing;
  private final Context context;
  private final BodyReader bodies;
  private final JobPath paths;

  PublishRoute(Edge edge, Publishing publishing, Vertx vertx, Context context) {
    this.edge = edge;
    this.publishing = publishing;
    this.context = context;
    bodies = new BodyReader(vertx, edge.committer, edge.config.requestDeadline());
    paths = new JobPath(edge.config.basePath(), Resource.GRAPH);
  }

  /** Whether {@code path} is one of this route: one segment, whatever it is, in its middle. */
  boolean matches(String path) {
    return paths.matches(path);
  }

  /** Whether a request with this method changes something. */
  static boolean writes(HttpMethod method) {
    return Resource.GRAPH.allows(method);
  }

  void handle(HttpServerRequest request, String path) {
    if (!writes(request.method())) {
      Routes.refuseMethod(edge, request, Resource.GRAPH);
      return;
    }
    boolean put = request.method() == HttpMethod.PUT;
    long jobId = paths.jobId(path);
    ErrorCode refusal = refusal(request, jobId, put);
    if (refusal != null) {
      answer(request, jobId, Reply.of(refusal));
      return;
    }
    Permits.Permit permit = edge.permits(Pool.PUBLICATIONS).tryAcquire();
    if (permit == null) {
      answer(request, jobId, BUSY);
    } else if (put) {
      bodies.read(
          request,
          publishing.bodyBytes(),
          body -> publish(request, jobId, permit, body),
          fault -> {
            permit.end(Permits.Ending.IGNORED);
            refuse(request, jobId, fault);
          });
    } else {
      edge.publications.begin(
          permit, () -> publishing.remove(jobId), context, r -> answer(request, jobId, r));
    }
  }

  private @Nullable ErrorCode refusal(HttpServerRequest request, long jobId, boolean put) {
    if (jobId == JobIds.INVALID) {
      return ErrorCode.INVALID_JOB_ID;
    }
    ErrorCode refusal = edge.writeAccess.refusal(request, put ? JSON : null);
    if (refusal == null && put && BodyReader.isDeclaredLonger(request, publishing.bodyBytes())) {
      return ErrorCode.BODY_TOO_LARGE;
    }
    return refusal;
  }

  private void publish(
      HttpServerRequest request, long jobId, Permits.Permit permit, CappedBuffer body) {
    edge.publications.begin(
        permit, () -> publishing.publish(jobId, body), context, r -> answer(request, jobId, r));
  }

  private void refuse(HttpServerRequest request, long jobId, BodyReader.Fault fault) {
    ErrorCode code = fault.code();
    if (code == null) {
      edge.edgeMeters.clientLeft();
    } else {
      answer(request, jobId, Reply.of(code));
    }
  }

  private void answer(HttpServerRequest request, long jobId, Reply reply) {
    edge.published(jobId, reply);
    edge.committer.send(request, reply);
  }
}
