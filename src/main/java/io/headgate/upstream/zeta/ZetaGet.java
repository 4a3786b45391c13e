package io.headgate.upstream.zeta;

import io.headgate.graph.Unavailability;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One call of the reading of lists: from the request to the last byte of a 200. On the source's
 * event loop. It says nothing to the member's breaker.
 */
final class ZetaGet {
  /** Why there is no body. It carries no stack trace, since it is an expected outcome. */
  static final class NotReadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Unavailability reason;
    private final String detail;

    NotReadException(Unavailability reason, String detail) {
      super(detail, null, false, false);
      this.reason = reason;
      this.detail = detail;
    }

    /** What happened, without foreign text. */
    String detail() {
      return detail;
    }

    Unavailability reason() {
      return reason;
    }
  }

  private final Predicate<byte[]> body;
  private final Promise<Void> done = Promise.promise();
  private @Nullable HttpClientRequest request;

  /**
   * @param body takes the body piece by piece; false ends the call as unreadable
   */
  ZetaGet(Predicate<byte[]> body) {
    this.body = body;
  }

  /**
   * Sends the call; completes when the whole body was taken, else with a {@link NotReadException}.
   */
  Future<Void> send(ZetaMember member, String route) {
    member
        .listRequest(route)
        .onSuccess(
            ready -> {
              request = ready;
              ready.exceptionHandler(this::broken);
              if (done.future().isComplete()) {
                ready.reset();
                return;
              }
              ready.send().onSuccess(this::read).onFailure(this::broken);
            })
        .onFailure(this::broken);
    return done.future();
  }

  private void read(HttpClientResponse response) {
    response.exceptionHandler(this::broken);
    String coding = response.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (response.statusCode() != 200) {
      int status = response.statusCode();
      cut(ZetaMember.reasonOf(status), "status " + status);
    } else if (coding != null && !coding.equalsIgnoreCase("identity")) {
      cut(Unavailability.UPSTREAM_BODY, "coded body");
    } else {
      response.handler(
          chunk -> {
            if (!done.future().isComplete() && !body.test(chunk.getBytes())) {
              cut(Unavailability.UPSTREAM_BODY, "unreadable body");
            }
          });
      response.endHandler(end -> done.tryComplete());
    }
  }

  private void broken(Throwable failure) {
    boolean busy = failure instanceof ConnectionPoolTooBusyException;
    // Only the kind of failure, since its message may hold an address or foreign text.
    cut(
        busy ? Unavailability.UPSTREAM_BUSY : Unavailability.UNREACHABLE,
        failure.getClass().getSimpleName());
  }

  /** Ends the call now, unless it has ended. */
  void cut(Unavailability reason, String detail) {
    if (done.tryFail(new NotReadException(reason, detail)) && request != null) {
      request.reset(); // there is no other way to free the connection
    }
  }
}
