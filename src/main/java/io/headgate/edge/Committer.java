package io.headgate.edge;

import io.headgate.admission.UnwrittenBytes;
import io.headgate.edge.guard.Abort;
import io.headgate.observe.access.RequestRecord;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Commits complete answers: status, headers, whole body (L8, L9, L13, L19). Runs on the event loop
 * of the request.
 */
final class Committer {
  /** Bodies up to this size go out in one write; larger ones in pieces, as the client reads. */
  static final int PIECE_BYTES = 64 * 1024;

  /** Longer than any error; so short a body, if it is no graph, is not counted. */
  private static final int UNCOUNTED_BYTES = 256;

  private static final MultiMap COMMON = Reply.common().copy(false);
  private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("retry-after");
  private static final CharSequence WWW_AUTHENTICATE =
      HttpHeaders.createOptimized("www-authenticate");
  private static final CharSequence CHALLENGE =
      HttpHeaders.createOptimized("Basic realm=\"headgate\", charset=\"UTF-8\"");
  private static final CharSequence[] SECONDS = {
    HttpHeaders.createOptimized("1"),
    HttpHeaders.createOptimized("2"),
    HttpHeaders.createOptimized("3")
  };

  private final UnwrittenBytes unwritten;
  private final EdgeMeters meters;
  private final long writeNanos;

  Committer(UnwrittenBytes unwritten, EdgeMeters meters, Duration writeDeadline) {
    this.unwritten = unwritten;
    this.meters = meters;
    this.writeNanos = writeDeadline.toNanos();
  }

  /** One to three seconds, so that clients that were refused together come back apart. */
  static CharSequence retryAfter() {
    return SECONDS[ThreadLocalRandom.current().nextInt(SECONDS.length)];
  }

  /** Sends {@code reply}, or 304 where the client has it already. */
  void send(HttpServerRequest request, Reply reply) {
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      meters.clientLeft();
      return;
    }
    RequestRecord record = RequestWatch.record(request);
    if (record != null) {
      record.answered(reply.reason(), reply.times());
    }
    String etag = reply.etag();
    if (etag != null && has(request, etag)) {
      sendNotModified(response, etag);
      return;
    }
    prepare(response, reply);
    if (request.method() == HttpMethod.HEAD) {
      response.end();
    } else if (reply.length() > PIECE_BYTES) {
      new PiecewiseWrite(response, reply, begin(request, reply.body()), record).start();
    } else if (etag == null && reply.length() <= UNCOUNTED_BYTES) {
      end(request, reply.body());
    } else {
      endCounted(request, reply.body());
    }
  }

  /** Whether the client says that it has what {@code etag} names. */
  static boolean has(HttpServerRequest request, String etag) {
    return EntityTags.matches(request.headers().getAll(HttpHeaders.IF_NONE_MATCH), etag);
  }

  /**
   * Ends a response with a small body that is nobody's graph. Over HTTP/1 the connection's own
   * clock sees whether it gets out. A shut HTTP/2 window it does not see, so there the body is
   * counted.
   */
  void end(HttpServerRequest request, Buffer body) {
    if (request.version() == HttpVersion.HTTP_2) {
      endCounted(request, body);
    } else {
      request.response().end(body);
    }
  }

  private void endCounted(HttpServerRequest request, Buffer body) {
    end(request.response(), body, begin(request, body), RequestWatch.record(request));
  }

  /**
   * Ends a response whose body is counted.
   *
   * @param rest what of the body has not been written yet
   * @param record what is told when the last byte is out, or null
   */
  static void end(
      HttpServerResponse response,
      Buffer rest,
      UnwrittenBytes.Write write,
      @Nullable RequestRecord record) {
    if (record != null) {
      record.awaitWrite();
    }
    response
        .end(rest)
        .onComplete(
            written -> {
              write.end();
              if (record != null) {
                record.written(written.succeeded());
              }
            });
  }

  private UnwrittenBytes.Write begin(HttpServerRequest request, Buffer body) {
    UnwrittenBytes.Write write =
        unwritten.begin(body, body.length(), writeNanos, () -> Abort.answer(request));
    if (write == null) {
      throw new IllegalStateException("a response larger than the whole budget");
    }
    return write;
  }

  private void sendNotModified(HttpServerResponse response, String etag) {
    meters.notModified();
    response.setStatusCode(304);
    response.headers().addAll(COMMON).set(HttpHeaders.ETAG, etag);
    response.end();
  }

  private static void prepare(HttpServerResponse response, Reply reply) {
    int status = reply.status();
    MultiMap headers = response.headers();
    if (headers.isEmpty()) {
      headers.setAll(reply.headers()); // the fast way, which forgets what was there
    } else {
      headers.addAll(reply.headers());
    }
    if (status != 200) {
      response.setStatusCode(status);
      if (status == 503) {
        headers.set(RETRY_AFTER, retryAfter());
      } else if (status == 401) {
        headers.set(WWW_AUTHENTICATE, CHALLENGE);
      }
    }
  }

  /** Refuses a request and closes its connection, since where the next one begins is uncertain. */
  void refuse(HttpServerRequest request, Reply reply) {
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      return;
    }
    closeAfter(request);
    meters.other(reply.status());
    send(request, reply);
  }

  /** Closes the connection (HTTP/2: the stream) once the request is answered. */
  void closeAfter(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (request.version() == HttpVersion.HTTP_2) {
      response.endHandler(ended -> response.reset(0)); // NO_ERROR: answered, send no more
    } else {
      // As late as this, since Vert.x promises an HTTP/1.0 client what it asked for.
      response.headersEndHandler(
          head -> response.headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE));
      response.endHandler(ended -> request.connection().close());
    }
  }

  /** Takes {@link #closeAfter} back: all of the request has been read. */
  void keepOpen(HttpServerRequest request) {
    request.response().headersEndHandler(null).endHandler(null);
  }
}
