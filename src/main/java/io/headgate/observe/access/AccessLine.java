package io.headgate.observe.access;

import io.headgate.observe.LookupTimes;
import io.headgate.observe.access.RequestRecord.Head;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line: one JSON object in ASCII, whatever the client sent. Control characters, quotes,
 * and everything beyond ASCII, which could turn the direction of text round, appear as JSON
 * escapes; texts are cut. There is no query, no header but the request's id, and no credential.
 *
 * <p>{@code docs/operations.md} lists the members. Members that have nothing to say are left out.
 * Used by one thread at a time.
 */
final class AccessLine {
  /** The longest path that is shown. */
  static final int PATH = 256;

  private static final int METHOD = 16;
  private static final int USER = 128;
  private static final int REQUEST_ID = 128;
  private static final HexFormat HEX = HexFormat.of();

  private final StringBuilder out;

  private long second = Long.MIN_VALUE;
  private String secondText = "";

  /**
   * @param out where lines are appended
   */
  AccessLine(StringBuilder out) {
    this.out = out;
  }

  /**
   * Appends the line of a request that is over.
   *
   * @param route the request's, or null if its head was refused
   * @param epochNanos what has to be added to {@link System#nanoTime()} to get the time since 1970
   * @param traceId the trace that the request belongs to, or null
   */
  void append(
      RequestRecord request,
      RouteNames.@Nullable Named route,
      long epochNanos,
      @Nullable String traceId) {
    Head head = request.head();
    time(TimeUnit.NANOSECONDS.toMillis(request.begunAt() + epochNanos));
    text("remote", head.remote(), 64);
    text("protocol", head.protocol(), METHOD);
    if (route == null) {
      text("route", "refused", METHOD);
    } else {
      text("method", head.method(), METHOD);
      text("route", route.name(), PATH);
      text("path", head.path(), PATH);
      text("job", route.jobId(), 20);
    }
    text("user", request.user(), USER);
    if (request.status() != 0) {
      number("status", request.status());
    }
    text("reason", request.reason(), PATH);
    text("outcome", request.ending().label(), METHOD);
    number("bytes", request.bytes());
    phases(request);
    text("requestId", head.requestId(), REQUEST_ID);
    text("traceId", traceId, 32);
    out.append("}\n");
  }

  /** Lines come by the thousand in one second, so its text is kept. */
  private void time(long epochMillis) {
    long of = Math.floorDiv(epochMillis, 1000);
    if (of != second) {
      second = of;
      String whole = Instant.ofEpochSecond(of).toString(); // 2026-11-30T22:00:00Z
      secondText = whole.substring(0, whole.length() - 1);
    }
    int millis = (int) Math.floorMod(epochMillis, 1000L);
    out.append("{\"time\":\"").append(secondText).append('.');
    out.append((char) ('0' + millis / 100))
        .append((char) ('0' + millis / 10 % 10))
        .append((char) ('0' + millis % 10))
        .append("Z\"");
  }

  private void phases(RequestRecord request) {
    long at = request.begunAt();
    if (request.readAt() - at > 0) {
      micros("bodyUs", request.readAt() - at);
      at = request.readAt();
    }
    LookupTimes lookup = request.lookup();
    if (lookup == null) {
      micros("workUs", request.answeredAt() - at);
    } else {
      micros("waitUs", lookup.begunAt() - at);
      micros("lookupUs", lookup.foundAt() - lookup.begunAt());
      micros("projectUs", lookup.doneAt() - lookup.foundAt());
    }
    micros("writeUs", request.endedAt() - request.answeredAt());
    micros("totalUs", request.endedAt() - request.begunAt());
  }

  private void micros(String name, long nanos) {
    number(name, Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos)));
  }

  private void number(String name, long value) {
    out.append(",\"").append(name).append("\":").append(value);
  }

  private void text(String name, @Nullable String value, int most) {
    if (value == null) {
      return;
    }
    out.append(",\"").append(name).append("\":\"");
    int end = Math.min(value.length(), most);
    int from = 0; // of what can stay as it is
    for (int i = 0; i < end; i++) {
      char c = value.charAt(i);
      if (c < ' ' || c >= 0x7F || c == '"' || c == '\\') {
        out.append(value, from, i);
        escape(c);
        from = i + 1;
      }
    }
    out.append(value, from, end);
    if (end < value.length()) {
      out.append("..."); // ASCII for what was cut
    }
    out.append('"');
  }

  private void escape(char c) {
    if (c == '"' || c == '\\') {
      out.append('\\').append(c);
      return;
    }
    out.append("\\u").append(HEX.toHexDigits(c));
  }
}
