package io.headgate.edge;

import io.headgate.lineage.LineageAnswer;
import io.headgate.wire.CappedBuffer;
import io.netty.buffer.Unpooled;
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
 * @param body the whole body; its bytes are shared, so it is never given out but as a copy of its
 *     indices
 * @param length the body's length in bytes
 * @param contentLength the same as a header value
 * @param etag the entity tag as a header value, or null
 */
record Reply(
    int status,
    String reason,
    BufferInternal body,
    int length,
    CharSequence contentLength,
    @Nullable String etag) {
  private static final Map<ErrorCode, Reply> ERRORS = new EnumMap<>(ErrorCode.class);

  static {
    for (ErrorCode code : ErrorCode.values()) {
      ERRORS.put(code, of(code, code.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-')));
    }
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
    return switch (answer.outcome()) {
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
  }

  private static Reply of(
      int status, String reason, byte[] bytes, int length, @Nullable String etag) {
    // Heap bytes behind an unreleasable view: shared by any number of responses, freed by the
    // garbage collector when the last of them and the recent answers have let go.
    BufferInternal body =
        BufferInternal.buffer(
            Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(bytes, 0, length).asReadOnly()));
    CharSequence contentLength = HttpHeaders.createOptimized(Integer.toString(length));
    return new Reply(status, reason, body, length, contentLength, etag);
  }

  /** A view of the whole body with indices of its own. */
  Buffer view() {
    return BufferInternal.buffer(body.getByteBuf().duplicate());
  }

  /** A view of a part of the body. */
  Buffer view(int from, int to) {
    return BufferInternal.buffer(body.getByteBuf().slice(from, to - from));
  }
}
