package io.headgate.upstream.zeta;

import io.headgate.graph.Unavailability;
import io.headgate.observe.PacedLog;
import io.vertx.circuitbreaker.OpenCircuitException;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One job-info call to one member, from asking the breaker until its connection is free again.
 *
 * <p>It may outlive its usefulness: once its time is up the lookup goes on elsewhere, but the call
 * stays open until the member answers or {@code abandonAfter} has passed, because closing it would
 * not stop the engine's rebuild (L16). A late answer that is still in time for the lookup counts.
 * Everything runs on the source's event loop.
 */
final class ZetaAttempt {
  /** Whom the attempt tells; all on the source's event loop, each at most once. */
  interface Listener {
    /** The time for this member is up; the call stays open. */
    void timedOut(ZetaAttempt attempt);

    /** The whole body is there, or as much of it as was worth reading. */
    void body(ZetaAttempt attempt, JobInfoSlicer body);

    /** There will be no body. */
    void failed(ZetaAttempt attempt, Unavailability reason);

    /** Nothing of this call is open any more. The last of all. */
    void closed(ZetaAttempt attempt);
  }

  private final Vertx vertx;
  private final ZetaMember member;
  private final Listener listener;
  private final JobInfoSlicer body;
  private final AttemptMeters meters;
  private final PacedLog log;

  private final long begunAt = System.nanoTime();
  private Promise<Void> verdict = Promise.promise();
  private @Nullable HttpClientRequest request;
  private long attemptTimer = -1;
  private long abandonTimer = -1;
  private boolean admitted;
  private boolean ended;
  private boolean settled;
  private boolean closed;
  private boolean unwanted;

  ZetaAttempt(
      Vertx vertx,
      ZetaMember member,
      int maxBodyBytes,
      AttemptMeters meters,
      PacedLog log,
      Listener listener) {
    this.vertx = vertx;
    this.member = member;
    this.listener = listener;
    this.meters = meters;
    this.log = log;
    this.body = new JobInfoSlicer(maxBodyBytes);
  }

  int memberIndex() {
    return member.index();
  }

  /** When it was made, which is when the breaker was asked. */
  long begunAt() {
    return begunAt;
  }

  /** Asks the breaker and sends the call. */
  void start(Context context, long jobId, long timeoutMillis, long abandonMillis) {
    member
        .guarded(
            promise -> {
              admitted = true;
              verdict = promise;
              send(jobId, timeoutMillis, abandonMillis);
            })
        .onFailure(
            refusal -> {
              if (!admitted && refusal instanceof OpenCircuitException) {
                context.runOnContext(v -> fail(Unavailability.BREAKER_OPEN, false, "breaker open"));
              }
            });
  }

  private void send(long jobId, long timeoutMillis, long abandonMillis) {
    meters.opened();
    attemptTimer = vertx.setTimer(Math.max(1, timeoutMillis), t -> timeUp());
    abandonTimer = vertx.setTimer(Math.max(timeoutMillis + 1, abandonMillis), t -> abandon());
    member
        .request(jobId)
        .onSuccess(
            ready -> {
              request = ready;
              if (closed) {
                ready.reset();
                return;
              }
              ready.exceptionHandler(
                  broken -> fail(Unavailability.UNREACHABLE, true, kindOf(broken)));
              ready
                  .send()
                  .onSuccess(this::read)
                  .onFailure(broken -> fail(Unavailability.UNREACHABLE, true, kindOf(broken)));
            })
        .onFailure(
            refused -> {
              boolean busy = refused instanceof ConnectionPoolTooBusyException;
              fail(
                  busy ? Unavailability.UPSTREAM_BUSY : Unavailability.UNREACHABLE,
                  !busy,
                  kindOf(refused));
            });
  }

  private void read(HttpClientResponse response) {
    response.exceptionHandler(broken -> fail(Unavailability.UNREACHABLE, true, kindOf(broken)));
    int status = response.statusCode();
    if (status != 200) {
      refuse(response, status);
      return;
    }
    String coding = response.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (coding != null && !coding.equalsIgnoreCase("identity")) {
      fail(Unavailability.UPSTREAM_BODY, false, "coded body");
      return;
    }
    response.handler(this::take);
    response.endHandler(
        end -> {
          ended = true;
          finish();
        });
  }

  private void take(Buffer chunk) {
    if (!unwanted && !settled && !body.feed(chunk.getBytes())) {
      finish();
    }
  }

  private void finish() {
    if (!settled) {
      settled = true;
      verdict.tryComplete();
      meters.ended(AttemptMeters.Outcome.ANSWERED);
      listener.body(this, body);
    }
    close();
  }

  private void refuse(HttpClientResponse response, int status) {
    if (status >= 500 && status != 502 && status != 503 && status != 504) {
      // A job that can't be read answers 500 on every member; that is not the member's fault.
      Promise<Void> open = verdict;
      verdict = Promise.promise();
      member
          .answersOverview()
          .onSuccess(
              answers -> {
                if (answers) {
                  open.tryComplete();
                } else {
                  open.tryFail("overview fails too");
                }
              });
      fail(Unavailability.UPSTREAM_STATUS, false, "status " + status);
    } else {
      fail(ZetaMember.reasonOf(status), status >= 500, "status " + status);
    }
  }

  private void timeUp() {
    if (!settled) {
      verdict.tryFail("timeout");
      meters.timedOut();
      say("no answer in its time");
      listener.timedOut(this);
    }
  }

  private void abandon() {
    meters.abandoned();
    fail(Unavailability.DEADLINE, true, "abandoned");
  }

  /** Nobody waits for the answer any more; what still comes is read and dropped. */
  void ignore() {
    unwanted = true;
  }

  /** Ends the call now, because the source is being stopped. */
  void cut() {
    fail(Unavailability.STOPPING, false, "stopping");
  }

  private void say(String what) {
    String line = "member " + member.index() + ": " + what;
    log.info(line, line);
  }

  /** What kind of failure it is; its message may hold an address or foreign text. */
  private static String kindOf(Throwable failure) {
    return failure.getClass().getSimpleName();
  }

  private void fail(Unavailability reason, boolean countsAgainstMember, String detail) {
    if (!settled) {
      settled = true;
      if (reason != Unavailability.BREAKER_OPEN && reason != Unavailability.STOPPING) {
        say(detail);
      }
      if (countsAgainstMember) {
        verdict.tryFail(reason.label());
      } else {
        verdict.tryComplete();
      }
      if (admitted) {
        meters.ended(AttemptMeters.Outcome.of(reason));
      }
      listener.failed(this, reason);
    }
    close();
  }

  private void close() {
    if (closed) {
      return;
    }
    closed = true;
    vertx.cancelTimer(attemptTimer);
    vertx.cancelTimer(abandonTimer);
    if (request != null && !ended) {
      request.reset(); // there is no other way to free the connection
    }
    if (admitted) {
      meters.closed();
    }
    listener.closed(this);
  }
}
