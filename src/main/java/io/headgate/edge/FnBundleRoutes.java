package io.headgate.edge;

import io.headgate.admission.Permits;
import io.headgate.admission.Pool;
import io.headgate.edge.guard.Abort;
import io.headgate.fn.BundleHandle;
import io.headgate.fn.BundleInput;
import io.headgate.fn.BundleOutput;
import io.headgate.fn.FnAnswer;
import io.headgate.fn.FnDoor;
import io.headgate.fn.PortId;
import io.headgate.graph.Call;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.streams.Pipe;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code {basePath}/fn/bundles…}: bundles as resources, and their inputs and outputs as bodies
 * (F5). On the event loop of the request.
 *
 * <p>All of it is under the rule for writes (L30): it has code run. Bodies of inputs and outputs
 * move as fast as the slower side takes them, so they have no deadline and take no permit; each
 * port of a bundle has one at most, and the bundle's own times end them. An output ends cleanly
 * only if its bundle has succeeded; else its stream is reset, over HTTP/1 by closing the
 * connection.
 */
final class FnBundleRoutes {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String OCTETS = "application/octet-stream";
  private static final Reply BUSY = Reply.of(ErrorCode.FN_TEMPORARILY_UNAVAILABLE, "busy");

  /** A few hundred cache tokens. */
  private static final int REQUEST_BYTES = 256 * 1024;

  private final Edge edge;
  private final FnDoor door;
  private final Context context;
  private final BodyReader bodies;
  private final String prefix;

  FnBundleRoutes(Edge edge, FnDoor door, Vertx vertx, Context context) {
    this.edge = edge;
    this.door = door;
    this.context = context;
    bodies = new BodyReader(vertx, edge.committer, edge.config.requestDeadline());
    prefix = edge.config.basePath() + Resource.BUNDLES.template();
  }

  boolean matches(String path) {
    return path.equals(prefix) || path.startsWith(prefix + "/");
  }

  /** What a path names, or null if that is nothing. */
  private static @Nullable Resource resource(String[] segments) {
    return switch (segments.length) {
      case 1 -> Resource.BUNDLES;
      case 2 -> Resource.BUNDLE;
      case 3 ->
          segments[2].equals("progress")
              ? Resource.PROGRESS
              : segments[2].equals("split") ? Resource.SPLIT : null;
      case 5 ->
          segments[2].equals("inputs")
              ? Resource.INPUT
              : segments[2].equals("outputs") ? Resource.OUTPUT : null;
      default -> null;
    };
  }

  /** What its body is, or null where it has none that is looked at. */
  private static @Nullable String type(Resource resource) {
    return switch (resource) {
      case BUNDLES -> PROTOBUF;
      case INPUT -> OCTETS;
      default -> null;
    };
  }

  void handle(HttpServerRequest request, String path) {
    String[] segments = path.substring(prefix.length()).split("/", -1);
    Resource resource = resource(segments);
    if (resource == null) {
      Routes.send(edge, request, ErrorCode.NOT_FOUND);
      return;
    }
    if (!resource.allows(request.method())) {
      Routes.refuseMethod(edge, request, resource);
      return;
    }
    ErrorCode refusal = edge.writeAccess.refusal(request, type(resource));
    if (refusal != null) {
      answer(request, Reply.of(refusal));
      return;
    }
    for (int i = 1; i < segments.length; i++) {
      String text = FnRoutes.decoded(segments[i]);
      if (text == null || text.isEmpty() && i == 1) {
        answer(request, Reply.of(ErrorCode.INVALID_ID));
        return;
      }
      segments[i] = text;
    }
    switch (resource) {
      case INPUT -> write(request, segments[1], new PortId(segments[3], segments[4]));
      case OUTPUT -> read(request, segments[1], new PortId(segments[3], segments[4]));
      default -> ask(request, resource, segments.length == 1 ? "" : segments[1]);
    }
  }

  private void ask(HttpServerRequest request, Resource resource, String id) {
    QueryParameters query = new QueryParameters(request.query());
    List<String> harness = query.all("harness");
    double fraction = fraction(query.all("fraction"));
    if (resource == Resource.BUNDLES && (harness.isEmpty() || !query.isUsable("harness"))
        || resource == Resource.SPLIT && !(fraction >= 0)) {
      answer(request, Reply.of(ErrorCode.INVALID_QUERY));
      return;
    }
    Permits.Permit permit = edge.permits(Pool.DESCRIPTORS).tryAcquire();
    if (permit == null) {
      answer(request, BUSY);
      return;
    }
    switch (resource) {
      case BUNDLES ->
          bodies.read(
              request,
              REQUEST_BYTES,
              body -> begin(request, permit, () -> door.start(harness.get(0), body.content())),
              fault -> {
                permit.end(Permits.Ending.IGNORED);
                FnRoutes.refused(fault, edge, request);
              });
      case PROGRESS -> begin(request, permit, () -> door.progress(id));
      case SPLIT -> begin(request, permit, () -> door.split(id, fraction));
      default ->
          begin(
              request,
              permit,
              request.method() == HttpMethod.DELETE
                  ? () -> door.cancel(id)
                  : () -> door.status(id));
    }
  }

  /** From 0 to 1, or a negative number if it is no such. */
  private static double fraction(List<String> given) {
    if (given.size() != 1 || !given.get(0).matches("0(\\.\\d{1,17})?|1(\\.0)?")) {
      return -1;
    }
    return Double.parseDouble(given.get(0));
  }

  private void begin(
      HttpServerRequest request, Permits.Permit permit, Supplier<CompletionStage<FnAnswer>> work) {
    edge.fnQuestions.begin(
        permit,
        () -> Call.of(work.get().thenApply(answer -> Reply.of(answer, false))),
        context,
        reply -> answer(request, reply));
  }

  /** Lets a body be an input. What is refused is not read, so its connection is closed. */
  private void write(HttpServerRequest request, String bundle, PortId port) {
    request.pause();
    door.bundle(bundle)
        .compose(found -> found.input(port))
        .onSuccess(input -> pipe(request, input))
        .onFailure(failure -> answer(request, Reply.of(FnDoor.failed(failure), false)));
  }

  private void pipe(HttpServerRequest request, BundleInput input) {
    if (request.response().closed() || request.response().ended()) {
      input.abort();
      return;
    }
    if (request.headers().contains(HttpHeaders.EXPECT)
        && request.version() != HttpVersion.HTTP_1_0) {
      request.response().writeContinue();
    }
    Pipe<Buffer> pipe = request.pipe().endOnFailure(false);
    pipe.to(input)
        .onSuccess(
            taken -> {
              edge.committer.keepOpen(request);
              answer(request, Reply.ok("ok", "{\"ended\":true}"));
            })
        .onFailure(
            failure -> {
              if (input.hasFailed()) {
                answer(request, Reply.of(ErrorCode.BUNDLE_FAILED));
              } else {
                input.abort(); // it did not come whole
                if (BodyReader.isBroken(failure)) {
                  answer(request, Reply.of(ErrorCode.INVALID_REQUEST));
                } else {
                  edge.edgeMeters.clientLeft();
                }
              }
            });
    // A pipe sees a failure with its next bytes only, and those may never come.
    input.exceptionHandler(failed -> pipe.close());
  }

  /** Lets an output be a body. */
  private void read(HttpServerRequest request, String bundle, PortId port) {
    if (request.version() == HttpVersion.HTTP_1_0) {
      // Its bodies end with the connection, so a failed bundle's would look whole.
      answer(request, Reply.of(ErrorCode.NOT_IMPLEMENTED));
      return;
    }
    door.bundle(bundle)
        .compose(found -> found.output(port).onSuccess(output -> pipe(request, found, output)))
        .onFailure(failure -> answer(request, Reply.of(FnDoor.failed(failure), false)));
  }

  private void pipe(HttpServerRequest request, BundleHandle bundle, BundleOutput output) {
    HttpServerResponse response = request.response();
    if (response.closed()) {
      bundle.readerLeft();
      return;
    }
    edge.edgeMeters.other(200);
    response.headers().addAll(Reply.common()).set(HttpHeaders.CONTENT_TYPE, OCTETS);
    response
        .setChunked(true)
        .closeHandler(closed -> bundle.readerLeft()); // of no account at its end
    response.writeHead();
    output.pipe().endOnFailure(false).to(response).onFailure(failure -> Abort.answer(request));
  }

  private void answer(HttpServerRequest request, Reply reply) {
    edge.edgeMeters.fnAnswered(reply);
    edge.committer.send(request, reply);
  }
}
