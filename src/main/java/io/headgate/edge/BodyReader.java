package io.headgate.edge;

import io.headgate.wire.CappedBuffer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies of requests whole, each into one array that never passes its cap. For routes that
 * have looked at the head and hold a permit: what is being read takes memory, as much as has come
 * and for a moment of growth twice that.
 *
 * <p>Until its body was read whole, a request leaves its connection (HTTP/2: its stream) unusable,
 * and the connection is closed behind the answer; {@link Entrance} arranges that for every request
 * that may have a body, and this class takes it back.
 *
 * <p>One for each event loop; everything runs there.
 */
final class BodyReader {
  /** Why a body was not read. */
  enum Fault {
    /** It is longer than it may be. */
    TOO_LARGE(ErrorCode.BODY_TOO_LARGE),
    /** It was not whole at the request deadline. */
    LATE(ErrorCode.REQUEST_TIMEOUT),
    /** It can't be told where it ends. */
    BROKEN(ErrorCode.INVALID_REQUEST),
    /** The client is gone, so there is nobody to answer. */
    LEFT(null);

    private final @Nullable ErrorCode code;

    Fault(@Nullable ErrorCode code) {
      this.code = code;
    }

    /** What the client is told, or null if there is none any more. */
    @Nullable ErrorCode code() {
      return code;
    }
  }

  private static final int FIRST_BYTES = 8 * 1024;

  private final Vertx vertx;
  private final Committer committer;
  private final long deadlineMillis;

  /**
   * @param deadline for how long a request may go on to arrive when its head is there
   */
  BodyReader(Vertx vertx, Committer committer, Duration deadline) {
    this.vertx = vertx;
    this.committer = committer;
    this.deadlineMillis = deadline.toMillis();
  }

  /** Whether a request failed by what its client sent, and not because the client is gone. */
  static boolean isBroken(Throwable cause) {
    return !(cause instanceof HttpClosedException || cause instanceof StreamResetException);
  }

  /** Whether the head says already that the body is longer than {@code cap}. */
  static boolean isDeclaredLonger(HttpServerRequest request, int cap) {
    return declaredLength(request) > cap;
  }

  /** How long the body is by its head, which the decoders have checked; -1 if it does not say. */
  private static long declaredLength(HttpServerRequest request) {
    String declared = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return declared == null ? -1 : Long.parseLong(declared);
  }

  /**
   * Begins to read. Tells a client that waits for it to go on, so whatever the head can be refused
   * for must have been looked at. Exactly one of the two is called, later; it may answer at once.
   *
   * @param request if it was paused, it is resumed
   * @param cap the most bytes the body may have
   */
  void read(
      HttpServerRequest request, int cap, Consumer<CappedBuffer> whole, Consumer<Fault> failed) {
    new Reading(request, room(request, cap), false, (body, cut) -> whole.accept(body), failed)
        .begin();
  }

  /** Takes a body that has been read. */
  interface Beginning {
    /**
     * @param cut whether the body went on behind what is in {@code body}
     */
    void accept(CappedBuffer body, boolean cut);
  }

  /**
   * The same, but a body is never too large: what it has past {@code cap} is read and let go. The
   * deadline bounds how long that may take.
   */
  void readBeginning(HttpServerRequest request, int cap, Beginning read, Consumer<Fault> failed) {
    new Reading(request, room(request, cap), true, read, failed).begin();
  }

  private static CappedBuffer room(HttpServerRequest request, int cap) {
    long declared = declaredLength(request);
    // With its length known, the array ends up just as long, and nobody has to copy it.
    int most = declared < 0 ? cap : (int) Math.max(1, Math.min(declared, cap));
    return new CappedBuffer(FIRST_BYTES, most);
  }

  /** One body on its way. */
  private final class Reading {
    private final HttpServerRequest request;
    private final boolean cuts;
    private final Beginning read;
    private final Consumer<Fault> failed;

    /** Null when it is over. */
    private @Nullable CappedBuffer body;

    private boolean cut;
    private long timer;

    Reading(
        HttpServerRequest request,
        CappedBuffer body,
        boolean cuts,
        Beginning read,
        Consumer<Fault> failed) {
      this.request = request;
      this.body = body;
      this.cuts = cuts;
      this.read = read;
      this.failed = failed;
    }

    void begin() {
      HttpServerResponse response = request.response();
      if (response.closed() || response.ended() || request.isEnded()) {
        fail(Fault.LEFT); // while its user was being checked, or its body was found to be broken
        return;
      }
      timer = vertx.setTimer(deadlineMillis, late -> fail(Fault.LATE));
      request.handler(this::take);
      request.endHandler(ended -> end());
      request.exceptionHandler(this::breakOff);
      request.response().closeHandler(closed -> fail(Fault.LEFT));
      if (request.headers().contains(HttpHeaders.EXPECT)
          && request.version() != HttpVersion.HTTP_1_0) {
        request.response().writeContinue();
      }
      request.resume();
    }

    private void take(Buffer chunk) {
      CappedBuffer taken = body;
      if (taken == null || cut) {
        return;
      }
      int count = Math.min(chunk.length(), taken.room());
      taken.put(chunk.getBytes(0, count));
      cut = count < chunk.length();
      if (cut && !cuts) {
        fail(Fault.TOO_LARGE);
      }
    }

    private void end() {
      CappedBuffer taken = body;
      if (taken != null) {
        over();
        committer.keepOpen(request);
        read.accept(taken, cut);
      }
    }

    private void breakOff(Throwable cause) {
      fail(isBroken(cause) ? Fault.BROKEN : Fault.LEFT);
    }

    private void fail(Fault fault) {
      if (body != null) {
        over();
        failed.accept(fault);
      }
    }

    private void over() {
      body = null;
      vertx.cancelTimer(timer);
    }
  }
}
