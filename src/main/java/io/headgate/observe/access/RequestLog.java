package io.headgate.observe.access;

import io.headgate.observe.Meters;
import io.headgate.observe.PacedLog;
import io.headgate.observe.UnexpectedFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests that are over and has a line written for each, but for what {@link
 * LineOutput#isReadAlong()} leaves out, and traces made of some.
 *
 * <p><b>On an event loop</b> ({@link #take}) a request is put into a ring, or counted where that is
 * full. <b>On the writer</b>, one thread that is woken twenty times a second, lines are made and
 * written, many at once. Output that blocks keeps that thread and nobody else.
 */
public final class RequestLog {
  /** The logger that gets the lines where there is no other place for them. */
  public static final String LOGGER = "io.headgate.access";

  /**
   * Room for 320,000 requests a second, which is more than two cores answer; what waits here holds
   * at most about 1 KB of texts of clients each.
   */
  static final int PLACES = 1 << 14;

  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LAST_LINES_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int BATCH_CHARS = 64 * 1024;
  private static final Logger log = LoggerFactory.getLogger(RequestLog.class);

  private final BoundedRing<RequestRecord> ring = new BoundedRing<>(PLACES);
  private final LongAdder left = new LongAdder();
  private final LongAdder lines = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final PacedLog paced = new PacedLog(System::nanoTime);
  private final RouteNames routes;
  private final @Nullable RequestTracer tracer;
  private final @Nullable LineOutput output;
  private final Executor writer;
  private final BiConsumer<Long, Runnable> after;
  private final AtomicBoolean atWork = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private volatile boolean closing;

  // Of the writer.
  private final StringBuilder batch = new StringBuilder(BATCH_CHARS + 2048);
  private final AccessLine line;
  private int batchLines;

  /**
   * @param output where lines go, or null for none
   * @param tracer what makes traces, or null
   * @param writer one thread of its own
   * @param after runs a short task some nanoseconds later
   */
  public RequestLog(
      RouteNames routes,
      @Nullable LineOutput output,
      @Nullable RequestTracer tracer,
      Executor writer,
      BiConsumer<Long, Runnable> after,
      Meters meters) {
    this.routes = routes;
    this.tracer = tracer;
    line = new AccessLine(batch);
    this.output = output;
    this.writer = writer;
    this.after = after;
    meters.gauge("headgate.access.log.waiting", "Requests before their line.", ring::size);
    meters.counter("headgate.access.log.lines", "Lines written.", lines::sum);
    String name = "headgate.access.log.dropped";
    String description = "Requests without a line, by why.";
    meters.counter(name, description, left::sum, "reason", "full");
    meters.counter(name, description, lost::sum, "reason", "output");
  }

  /**
   * Where lines go by a configuration.
   *
   * @param standard where they go without a file; null for the logger
   * @return null if there is to be no line, also because that logger takes none
   */
  public static @Nullable LineOutput output(AccessLogConfig config, @Nullable LineOutput standard) {
    if (!config.enabled()) {
      return null;
    }
    String file = config.file();
    if (file != null) {
      return new RotatingFile(Path.of(file), config.fileBytes(), config.files());
    }
    if (standard != null) {
      return standard;
    }
    Logger logger = LoggerFactory.getLogger(LOGGER);
    return logger.isInfoEnabled() ? new LoggerOutput(logger) : null;
  }

  /** Begins to come by. Once. */
  public void start() {
    next();
  }

  /** Takes a request that is over; never blocks. */
  public void take(RequestRecord request) {
    if (!ring.offer(request)) {
      left.increment();
    }
  }

  private void next() {
    after.accept(PERIOD_NANOS, this::tick);
  }

  private void tick() {
    if (!closing) {
      wake();
      next();
    }
  }

  /** One task at a time: a writer that is stuck is not given more to do. */
  private void wake() {
    if (ring.size() > 0 && atWork.compareAndSet(false, true)) {
      try {
        writer.execute(this::work);
      } catch (RejectedExecutionException e) {
        atWork.set(false); // being closed
      }
    }
  }

  private void work() {
    try {
      writeAll();
    } finally {
      atWork.set(false);
    }
  }

  private void writeAll() {
    long epochNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
    try {
      for (RequestRecord next = ring.poll(); next != null; next = ring.poll()) {
        RouteNames.Named route = next.isHeadRefused() ? null : routes.of(next.head().path());
        String traceId = tracer == null ? null : tracer.trace(next, route, epochNanos);
        if (output == null || output.isReadAlong() && isDeliveredPart(next, route)) {
          continue;
        }
        line.append(next, route, epochNanos, traceId);
        batchLines++;
        if (batch.length() >= BATCH_CHARS) {
          flush();
        }
      }
      flush();
    } catch (RuntimeException e) {
      UnexpectedFailure.report(log, "access log", e);
      forget();
    }
  }

  /** One view of the page asks for some 25 of them, which say nothing that its own line doesn't. */
  private static boolean isDeliveredPart(RequestRecord request, RouteNames.@Nullable Named route) {
    int status = request.status();
    return route != null
        && route.part()
        && request.ending() == RequestRecord.Ending.ANSWERED
        && (status == 200 || status == 304);
  }

  private void flush() {
    if (batchLines == 0 || output == null) {
      return;
    }
    try {
      output.write(batch);
      lines.add(batchLines);
      batch.setLength(0);
      batchLines = 0;
    } catch (IOException e) {
      paced.info("access log", "access log can't be written: " + e.getClass().getName());
      forget();
    }
  }

  private void forget() {
    lost.add(batchLines);
    batch.setLength(0);
    batchLines = 0;
  }

  /**
   * Writes what is there and closes the output. Completes when that is done, or after a second: an
   * output that is stuck keeps no gateway from stopping.
   */
  public CompletionStage<Void> close() {
    closing = true;
    after.accept(LAST_LINES_NANOS, () -> closed.complete(null));
    try {
      writer.execute(
          () -> {
            writeAll();
            if (output != null) {
              output.close();
            }
            CompletionStage<Void> sent =
                tracer == null ? CompletableFuture.completedStage(null) : tracer.close();
            sent.whenComplete((done, failure) -> closed.complete(null));
          });
    } catch (RejectedExecutionException e) {
      closed.complete(null);
    }
    return closed;
  }
}
