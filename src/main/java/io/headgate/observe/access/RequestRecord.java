package io.headgate.observe.access;

import io.headgate.observe.LookupTimes;
import io.headgate.observe.Meters;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one request, from its first line to its end. Written on the event loop of the
 * request and by nobody any more once it {@linkplain #isOver() is over}; then it is handed on, and
 * read on another thread.
 *
 * <p>Holds texts that the client chose as they came. Nothing here is fit for output before it was
 * escaped and cut.
 */
public class RequestRecord {
  /** How a request ended. */
  public enum Ending {
    /** The whole answer was taken over by the system, towards the client. */
    ANSWERED,
    /** The connection or stream ended before the whole answer was. */
    CUT,
    /** It ended before there was an answer. */
    LEFT;

    private final String label = Meters.label(this);

    /** Its word in lines and traces. */
    public String label() {
      return label;
    }
  }

  /**
   * What a request begins with.
   *
   * @param protocol {@code HTTP/1.1} and the like
   * @param method as the client wrote it
   * @param target path and query, as the client wrote them
   * @param remote address of the client, or of the proxy in front of it
   * @param requestId the value of {@code X-Request-Id}, or null
   * @param traceParent the value of {@code traceparent}, or null
   */
  public record Head(
      String protocol,
      String method,
      String target,
      String remote,
      @Nullable String requestId,
      @Nullable String traceParent) {
    /** Keeps what waits for its line small; longer paths are cut there anyway. */
    private static final int MOST = 512;

    /** Keeps no long text alive. */
    public Head {
      target = target.length() > MOST ? target.substring(0, MOST) : target;
      requestId = requestId == null || requestId.length() > MOST ? null : requestId;
      traceParent = traceParent == null || traceParent.length() > MOST ? null : traceParent;
    }

    /** The target without its query. */
    public String path() {
      int query = target.indexOf('?');
      return query < 0 ? target : target.substring(0, query);
    }
  }

  private final Head head;
  private final long begunAt;
  private final Consumer<RequestRecord> over;

  private boolean headRefused;
  private @Nullable String user;
  private long readAt;
  private int status;
  private @Nullable String reason;
  private @Nullable LookupTimes lookup;
  private long answeredAt;
  private long endedAt;
  private long bytes;
  private boolean awaitsWrite;
  private boolean handedOver;
  private @Nullable Ending ending;

  /**
   * @param begunAt the {@link System#nanoTime()} at which the head was there
   * @param over gets this once, when the request is over
   */
  public RequestRecord(Head head, long begunAt, Consumer<RequestRecord> over) {
    this.head = head;
    this.begunAt = begunAt;
    this.over = over;
    readAt = begunAt;
    answeredAt = begunAt;
  }

  // --- on the event loop of the request; nothing changes once it is over

  /** The guards refused the head: it may not say what the client meant. */
  public final void headRefused() {
    headRefused = true;
  }

  /** The credentials are those of this user. */
  public final void user(String name) {
    user = name;
  }

  /** All of the request is there, its body too. */
  public final void read() {
    if (!isOver()) {
      readAt = System.nanoTime();
    }
  }

  /**
   * It is known what will be answered.
   *
   * @param word the reason, from a closed set
   * @param times those of the lookup that the answer came from, or null
   */
  public final void answered(String word, @Nullable LookupTimes times) {
    if (!isOver()) {
      reason = word;
      lookup = times;
      answeredAt = System.nanoTime();
    }
  }

  /** The head of the answer is being written. */
  public final void begins(int statusCode) {
    if (!isOver()) {
      status = statusCode;
      if (answeredAt == begunAt) {
        answeredAt = System.nanoTime();
      }
    }
  }

  /** It is not over with {@link #handedOver}: {@link #written} follows. */
  public final void awaitWrite() {
    awaitsWrite = true;
  }

  /** All of the answer was given to the connection. */
  public final void handedOver(int statusCode, long bodyBytes) {
    begins(statusCode);
    handedOver = true;
    bytes = bodyBytes;
    if (!awaitsWrite) {
      end(Ending.ANSWERED);
    }
  }

  /**
   * The last byte has gone out, or never will.
   *
   * @param whole whether it has
   */
  public final void written(boolean whole) {
    end(whole ? Ending.ANSWERED : Ending.CUT);
  }

  /**
   * Connection or stream are gone. Changes nothing where {@link #written} is still to tell.
   *
   * @param bodyBytes how much of a body was given to the connection
   */
  public final void broken(long bodyBytes) {
    if (!handedOver && !isOver()) {
      bytes = bodyBytes;
      end(status == 0 ? Ending.LEFT : Ending.CUT);
    }
  }

  private void end(Ending how) {
    if (!isOver()) {
      endedAt = System.nanoTime();
      ending = how;
      over.accept(this);
    }
  }

  /** Whether nothing more will happen. */
  public final boolean isOver() {
    return ending != null;
  }

  // --- wherever it was handed on to

  public final Head head() {
    return head;
  }

  public final boolean isHeadRefused() {
    return headRefused;
  }

  public final @Nullable String user() {
    return user;
  }

  public final int status() {
    return status;
  }

  public final @Nullable String reason() {
    return reason;
  }

  public final Ending ending() {
    return ending == null ? Ending.LEFT : ending;
  }

  public final long bytes() {
    return bytes;
  }

  public final long begunAt() {
    return begunAt;
  }

  public final long endedAt() {
    return endedAt;
  }

  /** When the body was there; {@link #begunAt()} for a request without one. */
  public final long readAt() {
    return readAt;
  }

  /** When the answer was known, or, without one, when it ended. */
  public final long answeredAt() {
    return status == 0 ? endedAt : answeredAt;
  }

  /** What of the lookup happened while this request was there, or null. */
  public final @Nullable LookupTimes lookup() {
    LookupTimes times = lookup;
    if (times == null || times.doneAt() - begunAt <= 0) {
      return null; // an answer of before
    }
    return new LookupTimes(
        later(times.begunAt()), later(times.foundAt()), times.doneAt(), times.calls());
  }

  private long later(long at) {
    return at - begunAt < 0 ? begunAt : at;
  }
}
