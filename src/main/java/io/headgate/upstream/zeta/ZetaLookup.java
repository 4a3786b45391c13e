package io.headgate.upstream.zeta;

import io.headgate.graph.Deadline;
import io.headgate.graph.Lookup;
import io.headgate.graph.Unavailability;
import io.headgate.graph.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * One lookup: asks members one after the other until one says something (L25).
 *
 * <p>A member that fails is followed by the next at once; one that takes too long is followed by
 * the next while its own call stays open. The first body that can be read decides. All on the
 * source's event loop, but for parsing, which is one worker task at a time.
 */
final class ZetaLookup implements ZetaAttempt.Listener {
  final CompletableFuture<Lookup> answer = new CompletableFuture<>();
  final CompletableFuture<Void> ended = new CompletableFuture<>();

  private final ZetaJobSource source;
  private final long jobId;
  private final Deadline deadline;
  private final List<Integer> untried = new ArrayList<>();
  private final List<ZetaAttempt> open = new ArrayList<>();
  private final List<JobInfoSlicer> unread = new ArrayList<>();

  /** Read on other threads, too; few, as there are few members. */
  private final List<Visit> visits = new CopyOnWriteArrayList<>();

  private Unavailability reason = Unavailability.UNREACHABLE;
  private boolean parsing;
  private int lastBodyFrom;
  private long deadlineTimer = -1;

  ZetaLookup(ZetaJobSource source, long jobId, Deadline deadline) {
    this.source = source;
    this.jobId = jobId;
    this.deadline = deadline;
  }

  void start() {
    untried.addAll(source.memberOrder());
    long left = TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos()) + 1; // never early
    if (deadline.passed()) {
      decide(new Lookup.Unavailable(Unavailability.DEADLINE));
      return;
    }
    deadlineTimer =
        source.vertx.setTimer(left, t -> decide(new Lookup.Unavailable(Unavailability.DEADLINE)));
    tryNext();
  }

  private void tryNext() {
    if (answer.isDone()) {
      return;
    }
    if (untried.isEmpty()) {
      if (open.isEmpty() && !parsing) {
        decide(new Lookup.Unavailable(reason));
      }
      return;
    }
    long left = TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos());
    long timeout = Math.min(source.config.attemptTimeout().toMillis(), left / untried.size());
    ZetaAttempt attempt = source.attempt(untried.remove(0), this);
    open.add(attempt);
    Duration abandonAfter = source.config.abandonAfter();
    attempt.start(source.context, jobId, timeout, abandonAfter.toMillis());
  }

  @Override
  public void timedOut(ZetaAttempt attempt) {
    reason = Unavailability.DEADLINE;
    tryNext();
  }

  @Override
  public void failed(ZetaAttempt attempt, Unavailability why) {
    open.remove(attempt);
    visited(attempt, why.label());
    // A breaker that is open says less than what the other members said.
    if (why != Unavailability.BREAKER_OPEN || reason == Unavailability.UNREACHABLE) {
      reason = why;
    }
    tryNext();
  }

  @Override
  public void body(ZetaAttempt attempt, JobInfoSlicer body) {
    open.remove(attempt);
    visited(attempt, "answered");
    if (answer.isDone()) {
      return;
    }
    lastBodyFrom = attempt.memberIndex();
    unread.add(body);
    parseNext();
  }

  private void parseNext() {
    if (parsing || unread.isEmpty() || answer.isDone()) {
      return;
    }
    parsing = true;
    JobInfoSlicer body = unread.remove(0);
    CompletableFuture<Lookup> parsed;
    try {
      parsed =
          CompletableFuture.supplyAsync(() -> source.parser.parse(body, jobId), source.workers);
    } catch (java.util.concurrent.RejectedExecutionException e) {
      parsed =
          CompletableFuture.completedFuture(new Lookup.Unavailable(Unavailability.UPSTREAM_BUSY));
    }
    parsed.whenComplete(
        (lookup, failure) ->
            source.context.runOnContext(
                v -> {
                  parsing = false;
                  if (failure != null) {
                    unwind(failure);
                  } else if (lookup instanceof Lookup.Unavailable unavailable) {
                    reason = unavailable.reason();
                    parseNext();
                    tryNext();
                  } else {
                    source.answeredBy(lastBodyFrom);
                    decide(lookup);
                  }
                  endIfQuiet();
                }));
  }

  /** What the calls came to; one that is still open when the lookup is decided is {@code late}. */
  List<Visit> visits() {
    return List.copyOf(visits);
  }

  private void visited(ZetaAttempt attempt, String outcome) {
    if (!answer.isDone()) {
      visits.add(new Visit(attempt.memberIndex(), outcome, attempt.begunAt(), System.nanoTime()));
    }
  }

  private void unwind(Throwable failure) {
    answer.completeExceptionally(failure);
    decided();
  }

  private void decide(Lookup lookup) {
    open.forEach(attempt -> visited(attempt, "late"));
    if (answer.complete(lookup)) {
      decided();
    }
    endIfQuiet();
  }

  private void decided() {
    source.vertx.cancelTimer(deadlineTimer);
    unread.clear();
    open.forEach(ZetaAttempt::ignore);
  }

  @Override
  public void closed(ZetaAttempt attempt) {
    open.remove(attempt);
    endIfQuiet();
  }

  private void endIfQuiet() {
    if (answer.isDone() && open.isEmpty() && !parsing) {
      source.ended(this);
      ended.complete(null);
    }
  }

  /** Ends everything now, because the source is being stopped. */
  void cut() {
    decide(new Lookup.Unavailable(Unavailability.STOPPING));
    List.copyOf(open).forEach(ZetaAttempt::cut);
  }
}
