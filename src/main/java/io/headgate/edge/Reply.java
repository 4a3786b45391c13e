package io.headgate.edge;

import io.headgate.fn.FnAnswer;
import io.headgate.lineage.LineageAnswer;
import io.headgate.observe.LookupTimes;
import io.headgate.observe.Meters;
import io.headgate.picture.Painting;
import io.headgate.timeline.live.TimelineAnswer;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.Digests;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A complete answer, ready to be committed: everything that is the same for each client that gets
 * it. Immutable and shared; made once for a flight, on a worker.
 *
 * @param status the HTTP status
 * @param reason the word for metrics and the log, from a closed set
 * @param body the whole body, read-only and shared by all its responses
 * @param length the body's length in bytes
 * @param headers all headers that are the same for each client, read-only
 * @param etag the entity tag as a header value, or null
 * @param ended whether it is about an execution that has ended
 * @param times those of the lookup that it came from, or null
 */
record Reply(
    int status,
    String reason,
    Buffer body,
    int length,
    MultiMap headers,
    @Nullable String etag,
    boolean ended,
    @Nullable LookupTimes times) {
  private static final CharSequence X_CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("x-content-type-options");

  private static final Map<ErrorCode, Reply> ERRORS = new EnumMap<>(ErrorCode.class);

  static {
    for (ErrorCode code : ErrorCode.values()) {
      ERRORS.put(code, of(code, Meters.label(code)));
    }
  }

  /** An answer that no lookup stands behind. */
  private Reply(
      int status,
      String reason,
      Buffer body,
      int length,
      MultiMap headers,
      @Nullable String etag,
      boolean ended) {
    this(status, reason, body, length, headers, etag, ended, null);
  }

  /** A success that is the same whoever gets it, with a JSON body in ASCII. */
  static Reply ok(String reason, String json) {
    byte[] bytes = json.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    return of(200, reason, bytes, bytes.length, null);
  }

  /** The fixed answer of an error. */
  static Reply of(ErrorCode code) {
    return java.util.Objects.requireNonNull(ERRORS.get(code));
  }

  /** The fixed answer of an error, told apart from others of its code by {@code reason}. */
  static Reply of(ErrorCode code, String reason) {
    byte[] bytes = code.body().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    return of(code.status(), reason, bytes, bytes.length, null);
  }

  /** The answer that a lineage lookup came to. */
  static Reply of(LineageAnswer answer) {
    CappedBuffer body = answer.body();
    Reply reply =
        switch (answer.outcome()) {
          case OK -> {
            if (body == null) {
              throw new IllegalStateException("a graph without its bytes");
            }
            yield of(200, answer.reason(), body.array(), body.length(), answer.etag());
          }
          case NOT_FOUND -> of(ErrorCode.JOB_NOT_FOUND, answer.reason());
          case UNAVAILABLE -> of(ErrorCode.LINEAGE_UNAVAILABLE, answer.reason());
          case TOO_LARGE -> of(ErrorCode.LINEAGE_GRAPH_TOO_LARGE, answer.reason());
          case TEMPORARILY_UNAVAILABLE ->
              of(ErrorCode.LINEAGE_TEMPORARILY_UNAVAILABLE, answer.reason());
          case INTERNAL_ERROR -> of(ErrorCode.LINEAGE_INTERNAL_ERROR, answer.reason());
        };
    return reply.of(answer.ended(), answer.times());
  }

  private Reply of(boolean endedJob, @Nullable LookupTimes lookup) {
    return new Reply(status, reason, body, length, headers, etag, endedJob, lookup);
  }

  /** The answer to a question for a timeline. */
  static Reply of(TimelineAnswer answer) {
    byte[] body = answer.body();
    return switch (answer.outcome()) {
      case OK -> {
        if (body == null) {
          throw new IllegalStateException("a page without its bytes");
        }
        yield of(200, answer.reason(), body, body.length, answer.etag());
      }
      case NOT_FOUND -> of(ErrorCode.JOB_NOT_FOUND, answer.reason());
      case TEMPORARILY_UNAVAILABLE ->
          of(ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE, answer.reason());
      case INTERNAL_ERROR -> of(ErrorCode.INTERNAL_ERROR, answer.reason());
    };
  }

  /**
   * The answer to a question of the Fn API.
   *
   * @param tagged whether a success has an entity tag
   */
  static Reply of(FnAnswer answer, boolean tagged) {
    byte[] body = answer.body();
    return switch (answer.outcome()) {
      case OK, BYTES -> {
        if (body == null) {
          throw new IllegalStateException("an answer without its bytes");
        }
        boolean json = answer.outcome() == FnAnswer.Outcome.OK;
        String etag = tagged ? Digests.etag(body, answer.length()) : null;
        Reply reply = of(200, answer.reason(), body, answer.length(), etag);
        yield json ? reply : reply.ofType("application/x-protobuf");
      }
      case NO_DESCRIPTOR -> of(ErrorCode.DESCRIPTOR_NOT_FOUND, answer.reason());
      case NO_HARNESS -> of(ErrorCode.HARNESS_NOT_FOUND, answer.reason());
      case NO_BUNDLE -> of(ErrorCode.BUNDLE_NOT_FOUND, answer.reason());
      case NO_PORT -> of(ErrorCode.PORT_NOT_FOUND, answer.reason());
      case PORT_TAKEN -> of(ErrorCode.PORT_TAKEN, answer.reason());
      case NOT_AT_WORK -> of(ErrorCode.BUNDLE_NOT_AT_WORK, answer.reason());
      case HARNESS_REFUSED -> of(ErrorCode.HARNESS_REFUSED, answer.reason());
      case INVALID_BODY -> of(ErrorCode.INVALID_BODY, answer.reason());
      case NO_JSON_FORM -> of(ErrorCode.NO_JSON_FORM, answer.reason());
      case CONFLICT -> of(ErrorCode.DESCRIPTOR_CONFLICT, answer.reason());
      case TOO_LARGE -> of(ErrorCode.DESCRIPTOR_TOO_LARGE, answer.reason());
      case INVALID -> of(ErrorCode.INVALID_DESCRIPTOR, answer.reason());
      case FULL -> of(ErrorCode.DESCRIPTORS_FULL, answer.reason());
      case UNAVAILABLE -> of(ErrorCode.FN_TEMPORARILY_UNAVAILABLE, answer.reason());
      case INTERNAL_ERROR -> of(ErrorCode.INTERNAL_ERROR, answer.reason());
    };
  }

  private Reply ofType(String type) {
    MultiMap other = headers.copy(true).set(HttpHeaders.CONTENT_TYPE, type).copy(false);
    return new Reply(status, reason, body, length, other, etag, ended, times);
  }

  /** A text that is no JSON and has an entity tag. */
  static Reply document(String type, byte[] text) {
    return of(200, "ok", text, text.length, Digests.etag(text, text.length)).ofType(type);
  }

  /** A picture of a graph. */
  static Reply of(Painting painting, String etag) {
    CappedBuffer svg = painting.svg();
    String form = painting.grouped() ? "grouped" : "ok";
    return of(200, form, svg.array(), svg.length(), etag).asPicture();
  }

  /** What a client needs to know that has the picture already: its tag. */
  static Reply ofPicture(String etag) {
    return of(200, "ok", new byte[0], 0, etag).asPicture();
  }

  /** On its own, too, a picture may do nothing: it is there to be looked at. */
  private Reply asPicture() {
    MultiMap other =
        headers
            .copy(true)
            .set(HttpHeaders.CONTENT_TYPE, "image/svg+xml")
            .set("content-security-policy", "default-src 'none'; sandbox")
            .set("referrer-policy", "no-referrer")
            .copy(false);
    return new Reply(status, reason, body, length, other, etag, ended);
  }

  /** A page of the list of jobs. */
  static Reply of(CappedBuffer page) {
    return of(200, "ok", page.array(), page.length(), null);
  }

  /**
   * A file of the page.
   *
   * @param headers all of it, read-only
   */
  static Reply ofFile(byte[] bytes, MultiMap headers, String etag) {
    return new Reply(200, "ok", shared(bytes, bytes.length), bytes.length, headers, etag, false);
  }

  /** The same file in answer to what is not there. */
  Reply ofNothing() {
    MultiMap other = headers.copy(true).remove(HttpHeaders.ETAG).copy(false);
    return new Reply(404, "not-found", body, length, other, null, false);
  }

  private static Reply of(
      int status, String reason, byte[] bytes, int length, @Nullable String etag) {
    return new Reply(
        status, reason, shared(bytes, length), length, headers(length, etag), etag, false);
  }

  private static Buffer shared(byte[] bytes, int length) {
    // One wrapped array for any number of responses: Vert.x slices it for each and never releases
    // it, and the garbage collector takes it when the last of them has let go.
    ByteBuf shared = Unpooled.wrappedBuffer(bytes, 0, length).asReadOnly();
    return BufferInternal.buffer(shared);
  }

  private static MultiMap headers(int length, @Nullable String etag) {
    MultiMap headers = common();
    headers.set(HttpHeaders.CONTENT_TYPE, "application/json");
    headers.set(HttpHeaders.CONTENT_LENGTH, Integer.toString(length));
    if (etag != null) {
      headers.set(HttpHeaders.ETAG, etag);
    }
    return headers.copy(false);
  }

  /** The headers that every response has, whatever it is (L8). */
  static MultiMap common() {
    return HttpHeaders.headers()
        .set(HttpHeaders.CACHE_CONTROL, "private, no-store")
        .set(X_CONTENT_TYPE_OPTIONS, "nosniff");
  }

  /** A part of the body, without a copy. */
  Buffer part(int from, int to) {
    return body.slice(from, to);
  }
}
