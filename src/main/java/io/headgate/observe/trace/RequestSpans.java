package io.headgate.observe.trace;

import io.headgate.observe.LookupTimes;
import io.headgate.observe.access.RequestRecord;
import io.headgate.observe.access.RequestRecord.Ending;
import io.headgate.observe.access.RouteNames;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the spans of one request of its record. Names and attributes follow OpenTelemetry's
 * conventions for HTTP where there is one; values come from closed sets, but for the job id, which
 * is a number. No query, no header, no address of a client, no name of a user.
 */
final class RequestSpans {
  /** A request, its phases, and room for calls; what a trace takes at most. */
  static final int MOST_CALLS = 16;

  private static final int PHASES = 5;
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");

  private final Tracer tracer;
  private final RequestRecord request;
  private final RouteNames.@Nullable Named route;
  private final long epochNanos;

  RequestSpans(
      Tracer tracer, RequestRecord request, RouteNames.@Nullable Named route, long epochNanos) {
    this.tracer = tracer;
    this.request = request;
    this.route = route;
    this.epochNanos = epochNanos;
  }

  /** How many spans there will be at most. */
  int most() {
    LookupTimes lookup = request.lookup();
    int calls = lookup == null ? 0 : Math.min(MOST_CALLS, lookup.calls().size());
    return 1 + PHASES + calls;
  }

  /** Begins the span of the request itself, which the sampler may leave out. */
  Span begin(Context parent) {
    String method = request.head().method();
    boolean known = METHODS.contains(method) && !request.isHeadRefused();
    String name = known ? method : "HTTP";
    SpanBuilder span =
        tracer
            .spanBuilder(route == null ? name : name + " " + route.name())
            .setParent(parent)
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(at(request.begunAt()), TimeUnit.NANOSECONDS)
            .setAttribute("http.request.method", known ? method : "_OTHER");
    if (route != null) {
      span.setAttribute("http.route", route.name());
      if (route.jobId() != null) {
        span.setAttribute("headgate.job.id", route.jobId());
      }
    }
    return span.startSpan();
  }

  /**
   * Adds the phases and ends the request's span.
   *
   * @return how many spans there are, the request's own included
   */
  int end(Span span) {
    int count = 1 + phases(Context.root().with(span));
    String protocol = request.head().protocol();
    span.setAttribute("network.protocol.name", "http");
    span.setAttribute("network.protocol.version", protocol.substring(protocol.indexOf('/') + 1));
    if (request.status() != 0) {
      span.setAttribute("http.response.status_code", request.status());
      span.setAttribute("http.response.body.size", request.bytes());
    }
    if (request.reason() != null) {
      span.setAttribute("headgate.reason", request.reason());
    }
    span.setAttribute("headgate.outcome", request.ending().label());
    if (request.status() >= 500) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute("error.type", Integer.toString(request.status()));
    } else if (request.ending() == Ending.CUT) {
      span.setAttribute("error.type", request.ending().label());
    }
    span.end(at(request.endedAt()), TimeUnit.NANOSECONDS);
    return count;
  }

  private int phases(Context parent) {
    int count = 0;
    long from = request.begunAt();
    if (request.readAt() - from > 0) {
      count += phase(parent, "body", from, request.readAt());
      from = request.readAt();
    }
    LookupTimes lookup = request.lookup();
    if (lookup == null) {
      count += phase(parent, "work", from, request.answeredAt());
    } else {
      count += phase(parent, "wait", from, lookup.begunAt());
      count += lookup(parent, lookup);
      count += phase(parent, "project", lookup.foundAt(), lookup.doneAt());
    }
    return count + phase(parent, "write", request.answeredAt(), request.endedAt());
  }

  private int phase(Context parent, String name, long from, long to) {
    begin(parent, name, SpanKind.INTERNAL, from).end(atLeast(from, to), TimeUnit.NANOSECONDS);
    return 1;
  }

  private int lookup(Context parent, LookupTimes times) {
    Span span = begin(parent, "lookup", SpanKind.INTERNAL, times.begunAt());
    Context within = Context.root().with(span);
    int count = 1;
    for (LookupTimes.UpstreamCall call : times.calls()) {
      if (count > MOST_CALLS) {
        break;
      }
      Span one = begin(within, "GET job-info", SpanKind.CLIENT, call.begunAt());
      one.setAttribute("http.request.method", "GET");
      one.setAttribute("headgate.member", call.member());
      one.setAttribute("headgate.outcome", call.outcome());
      if (!call.outcome().equals("answered")) {
        one.setStatus(StatusCode.ERROR);
        one.setAttribute("error.type", call.outcome());
      }
      one.end(atLeast(call.begunAt(), call.endedAt()), TimeUnit.NANOSECONDS);
      count++;
    }
    span.end(atLeast(times.begunAt(), times.foundAt()), TimeUnit.NANOSECONDS);
    return count;
  }

  private Span begin(Context parent, String name, SpanKind kind, long from) {
    return tracer
        .spanBuilder(name)
        .setParent(parent)
        .setSpanKind(kind)
        .setStartTimestamp(at(from), TimeUnit.NANOSECONDS)
        .startSpan();
  }

  private long atLeast(long from, long to) {
    return at(to - from > 0 ? to : from);
  }

  private long at(long nanos) {
    return nanos + epochNanos;
  }
}
