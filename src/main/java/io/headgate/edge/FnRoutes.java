package io.headgate.edge;

import io.headgate.admission.Permits;
import io.headgate.admission.Pool;
import io.headgate.fn.FnAnswer;
import io.headgate.fn.FnDoor;
import io.headgate.graph.Call;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code {basePath}/fn/…}: descriptors, their lineage and its picture, harnesses and their logs
 * (F3, F4, F8). On the event loop of the request.
 *
 * <p>What registers, removes or shows a descriptor's bytes is under the write rule (L30): its
 * functions are code. Everything that the head can be refused for is looked at before a permit is
 * taken, and a permit is taken before a byte of a body is read.
 */
final class FnRoutes {
  private static final String DESCRIPTORS = "bundle-descriptors";
  private static final String HARNESSES = "harnesses";
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final Reply BUSY = Reply.of(ErrorCode.FN_TEMPORARILY_UNAVAILABLE, "busy");
  private static final Pictures.Errors PICTURE_ERRORS =
      new Pictures.Errors(
          ErrorCode.DESCRIPTOR_TOO_LARGE,
          ErrorCode.FN_TEMPORARILY_UNAVAILABLE,
          ErrorCode.INTERNAL_ERROR);
  private static final int USUAL_LIMIT = 100;
  private static final int MOST_LIMIT = 1_000;

  private final Edge edge;
  private final FnDoor door;
  private final Context context;
  private final BodyReader bodies;
  private final String prefix;

  FnRoutes(Edge edge, FnDoor door, Vertx vertx, Context context) {
    this.edge = edge;
    this.door = door;
    this.context = context;
    bodies = new BodyReader(vertx, edge.committer, edge.config.requestDeadline());
    prefix = edge.config.basePath() + "/fn/";
  }

  boolean matches(String path) {
    return path.startsWith(prefix);
  }

  /** Whether a request needs the right to write: it changes something, or shows functions. */
  boolean writes(HttpMethod method, String path) {
    boolean reads = method == HttpMethod.GET || method == HttpMethod.HEAD;
    return !reads || resource(segments(path)) == Resource.DESCRIPTOR;
  }

  private String[] segments(String path) {
    return path.substring(prefix.length()).split("/", -1);
  }

  /** What a path names, or null if that is nothing. */
  private static @Nullable Resource resource(String[] segments) {
    boolean descriptors = segments[0].equals(DESCRIPTORS);
    if (!descriptors && !segments[0].equals(HARNESSES)) {
      return null;
    }
    return switch (segments.length) {
      case 1 -> descriptors ? Resource.DESCRIPTORS : Resource.HARNESSES;
      case 2 -> descriptors ? Resource.DESCRIPTOR : null;
      case 3 -> descriptors ? ofDescriptor(segments[2]) : ofHarness(segments[2]);
      default -> null;
    };
  }

  private static @Nullable Resource ofDescriptor(String segment) {
    return switch (segment) {
      case "lineage" -> Resource.DESCRIPTOR_LINEAGE;
      case "graph.svg" -> Resource.DESCRIPTOR_PICTURE;
      default -> null;
    };
  }

  private static @Nullable Resource ofHarness(String segment) {
    return segment.equals("logs") ? Resource.HARNESS_LOG : null;
  }

  /** Whether it is one descriptor's, whose id may not be empty. */
  private static boolean needsId(Resource resource) {
    return switch (resource) {
      case DESCRIPTOR, DESCRIPTOR_LINEAGE, DESCRIPTOR_PICTURE -> true;
      default -> false;
    };
  }

  void handle(HttpServerRequest request, String path) {
    String[] segments = segments(path);
    Resource resource = resource(segments);
    if (resource == null) {
      Routes.send(edge, request, ErrorCode.NOT_FOUND);
      return;
    }
    HttpMethod method = request.method();
    if (!resource.allows(method)) {
      Routes.refuseMethod(edge, request, resource);
      return;
    }
    boolean post = method == HttpMethod.POST;
    if (writes(method, path)) {
      ErrorCode refusal = edge.writeAccess.refusal(request, post ? form(request) : null);
      if (refusal == null && post && BodyReader.isDeclaredLonger(request, door.descriptorBytes())) {
        refusal = ErrorCode.BODY_TOO_LARGE;
      }
      if (refusal != null) {
        answer(request, Reply.of(refusal));
        return;
      }
    }
    String id = segments.length == 1 ? "" : decoded(segments[1]);
    if (id == null || id.isEmpty() && needsId(resource)) {
      answer(request, Reply.of(ErrorCode.INVALID_ID));
      return;
    }
    if (post) {
      register(request);
      return;
    }
    Supplier<CompletionStage<FnAnswer>> work = work(resource, request, id);
    if (work == null) {
      answer(request, Reply.of(ErrorCode.INVALID_QUERY));
      return;
    }
    Permits.Permit permit = edge.permits(Pool.DESCRIPTORS).tryAcquire();
    if (permit == null) {
      answer(request, BUSY);
    } else {
      boolean picture = resource == Resource.DESCRIPTOR_PICTURE;
      begin(
          permit,
          work,
          picture || resource == Resource.DESCRIPTOR_LINEAGE,
          picture
              ? lineage -> edge.draw(request, lineage, PICTURE_ERRORS, context)
              : reply -> answer(request, reply));
    }
  }

  /** What a request without a body asks for, or null if its query makes no sense. */
  private @Nullable Supplier<CompletionStage<FnAnswer>> work(
      Resource resource, HttpServerRequest request, String id) {
    return switch (resource) {
      case DESCRIPTORS -> page(request.query());
      case DESCRIPTOR ->
          request.method() == HttpMethod.DELETE
              ? () -> door.remove(id)
              : wantsJson(request) ? () -> door.descriptorAsJson(id) : () -> door.descriptor(id);
      case DESCRIPTOR_LINEAGE, DESCRIPTOR_PICTURE -> () -> door.lineage(id);
      case HARNESSES -> door::harnesses;
      default -> () -> door.log(id);
    };
  }

  /** The form that a descriptor comes in; where it has none that fits, the usual one. */
  private static String form(HttpServerRequest request) {
    return WriteAccess.hasType(request, JSON) ? JSON : PROTOBUF;
  }

  private static boolean wantsJson(HttpServerRequest request) {
    List<String> accepted = request.headers().getAll(HttpHeaders.ACCEPT);
    return accepted.size() == 1 && accepted.get(0).equalsIgnoreCase(JSON);
  }

  private @Nullable Supplier<CompletionStage<FnAnswer>> page(@Nullable String query) {
    QueryParameters given = new QueryParameters(query);
    List<String> after = given.all("after");
    List<String> limit = given.all("limit");
    if (!given.isUsable("after") || limit.size() > 1) {
      return null;
    }
    long most =
        limit.isEmpty() ? USUAL_LIMIT : JobIds.parse(limit.get(0), 0); // spelled as an id is
    if (most < 1 || most > MOST_LIMIT) {
      return null;
    }
    return () -> door.descriptors(after.isEmpty() ? "" : after.get(0), (int) most);
  }

  /** The text of a segment, or null if it can't be decoded. */
  static @Nullable String decoded(String segment) {
    return PercentText.decoded(segment, false);
  }

  private void register(HttpServerRequest request) {
    Permits.Permit permit = edge.permits(Pool.DESCRIPTORS).tryAcquire();
    if (permit == null) {
      answer(request, BUSY);
      return;
    }
    boolean json = form(request).equals(JSON);
    bodies.read(
        request,
        door.descriptorBytes(),
        body -> {
          byte[] content = body.content();
          begin(
              permit,
              () -> json ? door.registerJson(content) : door.register(content),
              false,
              reply -> answer(request, reply));
        },
        fault -> {
          permit.end(Permits.Ending.IGNORED);
          refused(fault, edge, request);
        });
  }

  private void begin(
      Permits.Permit permit,
      Supplier<CompletionStage<FnAnswer>> work,
      boolean tagged,
      Consumer<Reply> delivery) {
    edge.fnQuestions.begin(
        permit,
        () -> Call.of(work.get().thenApply(answer -> Reply.of(answer, tagged))),
        context,
        delivery);
  }

  /** Answers a request whose body could not be read. */
  static void refused(BodyReader.Fault fault, Edge edge, HttpServerRequest request) {
    ErrorCode code = fault.code();
    if (code == null) {
      edge.edgeMeters.clientLeft();
    } else {
      edge.edgeMeters.fnAnswered(Reply.of(code));
      edge.committer.send(request, Reply.of(code));
    }
  }

  private void answer(HttpServerRequest request, Reply reply) {
    edge.edgeMeters.fnAnswered(reply);
    edge.committer.send(request, reply);
  }
}
