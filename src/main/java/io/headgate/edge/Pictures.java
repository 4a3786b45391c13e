package io.headgate.edge;

import io.headgate.admission.Admission;
import io.headgate.admission.Flights;
import io.headgate.admission.Pool;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Excess;
import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import io.headgate.observe.UnexpectedFailure;
import io.headgate.picture.Painter;
import io.headgate.picture.Painting;
import io.headgate.wire.CapExceededException;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a lineage answer to its picture: known to the client, drawn not long ago, being drawn for
 * somebody else, or drawn now, which takes the permit of the pool {@code picture}.
 *
 * <p>A picture depends on the answer's bytes alone. So its tag follows from the answer's, a client
 * that has it gets its 304 without a drawing, and one that was drawn is good for as long as there
 * is room for it. Drawing runs on a worker and can't be interrupted: at the deadline its waiters
 * are answered, and the permit comes back when it has ended.
 *
 * <p>A drawing computes for as long as hundreds of lookups. So that pictures asked for without a
 * pause leave the cores to lineage, one rests behind each; whoever gets the permit meanwhile waits
 * for the end of the rest. Safe on any thread.
 */
final class Pictures {
  private static final Logger log = LoggerFactory.getLogger(Pictures.class);

  /** Pictures never age, they are only pushed out; but the unused need not stay for ever. */
  private static final Duration KEPT = Duration.ofHours(1);

  /** Thirty pictures of the largest graphs that are drawn in full, or thousands of usual ones. */
  private static final long KEPT_BYTES = 16L << 20;

  /**
   * For so many times as long as a drawing took, none begins: with one permit they take a tenth of
   * a core.
   */
  private static final int RESTS = 9;

  /** A rest takes this part of the deadline of whoever waits for its end, and no more. */
  private static final int MOST_OF_DEADLINE = 10;

  private final Admission admission;
  private final Painter painter;
  private final Flights<String, Drawn> flights;
  private final LongAdder full = new LongAdder();
  private final LongAdder grouped = new LongAdder();
  private volatile long nanos;
  private final long longestRest;
  private final AtomicLong restedAt = new AtomicLong(System.nanoTime());

  /** How drawing ended; {@code reply} is there for {@link Outcome#OK} only. */
  private record Drawn(Outcome outcome, String reason, @Nullable Reply reply) {
    static Drawn without(Outcome outcome, String reason) {
      return new Drawn(outcome, reason, null);
    }
  }

  private enum Outcome {
    OK,
    TOO_LARGE,
    UNAVAILABLE,
    FAILED
  }

  /**
   * What is answered where there is no picture: the codes of the route whose graph it is of.
   *
   * @param tooLarge the picture has too many bytes
   * @param unavailable it can't be drawn now
   * @param failed something unexpected happened
   */
  record Errors(ErrorCode tooLarge, ErrorCode unavailable, ErrorCode failed) {}

  Pictures(Admission admission, int maxWaiters, Painter painter, Meters meters) {
    this.admission = admission;
    this.painter = painter;
    longestRest = painter.deadline().toNanos() / MOST_OF_DEADLINE;
    flights =
        new Flights<>(
            admission,
            new Flights.Bounds(painter.deadline(), maxWaiters, KEPT_BYTES),
            new Flights.Terms<>(
                Drawn.without(Outcome.UNAVAILABLE, "busy"),
                Drawn.without(Outcome.UNAVAILABLE, Unavailability.DEADLINE.label()),
                Drawn.without(Outcome.FAILED, "internal"),
                drawn -> drawn.outcome == Outcome.OK ? KEPT : Duration.ZERO,
                drawn -> drawn.reply == null ? 0 : drawn.reply.length()));
    observe(meters);
  }

  /**
   * Answers with the picture of {@code lineage}, or with the same error. On the event loop of the
   * request, where {@code delivery} runs at once or later.
   *
   * @param lineage the answer to a question for lineage; a success has its tag
   */
  void answer(
      HttpServerRequest request,
      Reply lineage,
      Errors errors,
      Context context,
      Consumer<Reply> delivery) {
    String lineageTag = lineage.etag();
    if (lineage.status() != 200 || lineageTag == null) {
      delivery.accept(lineage);
      return;
    }
    String tag = painter.tag(lineageTag);
    if (Committer.has(request, tag)) {
      delivery.accept(Reply.ofPicture(tag));
      return;
    }
    Drawn drawn = flights.recent(tag);
    if (drawn == null) {
      drawn =
          flights.await(
              tag,
              Pool.PICTURE,
              due -> begin(lineage, tag, due),
              context,
              later -> delivery.accept(reply(later, errors)));
    }
    if (drawn != null) {
      delivery.accept(reply(drawn, errors));
    }
  }

  private static Reply reply(Drawn drawn, Errors errors) {
    if (drawn.reply != null) {
      return drawn.reply;
    }
    return switch (drawn.outcome) {
      case TOO_LARGE -> Reply.of(errors.tooLarge, drawn.reason);
      case UNAVAILABLE -> Reply.of(errors.unavailable, drawn.reason);
      default -> Reply.of(errors.failed, drawn.reason);
    };
  }

  private Call<Drawn> begin(Reply lineage, String tag, Deadline due) {
    CompletableFuture<Drawn> drawn = new CompletableFuture<>();
    Runnable drawing =
        () -> {
          try {
            drawn.completeAsync(() -> draw(lineage, tag, due), admission.workers());
          } catch (RejectedExecutionException e) {
            drawn.completeExceptionally(e);
          }
        };
    long rest = restedAt.get() - System.nanoTime();
    if (rest > 0) {
      admission.after(rest, drawing);
    } else {
      drawing.run();
    }
    return Call.of(drawn.exceptionally(Pictures::failed));
  }

  private Drawn draw(Reply lineage, String tag, Deadline due) {
    long began = System.nanoTime();
    try {
      Painting painting = painter.paint(lineage.body().getBytes(), due);
      (painting.grouped() ? grouped : full).increment();
      return new Drawn(Outcome.OK, "ok", Reply.of(painting, tag));
    } finally {
      long ended = System.nanoTime();
      nanos = ended - began;
      long rested = ended + Math.min(RESTS * (ended - began), longestRest);
      restedAt.accumulateAndGet(rested, (old, own) -> own - old > 0 ? own : old);
    }
  }

  private static Drawn failed(Throwable failure) {
    Throwable cause = UnexpectedFailure.cause(failure);
    if (cause instanceof CapExceededException) {
      return Drawn.without(Outcome.TOO_LARGE, Excess.RESPONSE_BYTES.label());
    }
    if (cause instanceof CancellationException) {
      return Drawn.without(Outcome.UNAVAILABLE, Unavailability.DEADLINE.label());
    }
    if (cause instanceof RejectedExecutionException) {
      return Drawn.without(Outcome.UNAVAILABLE, Unavailability.STOPPING.label());
    }
    UnexpectedFailure.report(log, "drawing a picture", cause);
    return Drawn.without(Outcome.FAILED, "internal");
  }

  private void observe(Meters meters) {
    String drawn = "headgate.picture.drawn";
    meters.counter(drawn, "Pictures drawn.", full::sum, "form", "full");
    meters.counter(drawn, "Pictures drawn.", grouped::sum, "form", "grouped");
    meters.gauge("headgate.picture.drawing.seconds", "What the last one took.", () -> nanos / 1e9);
    meters.counter("headgate.picture.joined", "Requests that joined one.", flights::joined);
    meters.counter("headgate.picture.crowded", "Requests one too many.", flights::crowded);
    meters.counter("headgate.picture.overdue", "Pictures past their deadline.", flights::overdue);
    meters.counter("headgate.picture.reused", "Requests given a kept one.", flights::reused);
    meters.gauge("headgate.picture.under.way", "Drawings under way.", flights::underWay);
    meters.gauge("headgate.picture.waiting", "Requests waiting for them.", flights::waiting);
    meters.gauge("headgate.picture.kept", "Pictures kept.", flights::recentAnswers);
    meters.gauge("headgate.picture.kept.bytes", "Bytes of kept pictures.", flights::recentBytes);
    meters.counter("headgate.picture.evicted", "Kept ones let go.", flights::recentEvicted);
  }
}
