package io.headgate.upstream.zeta;

import io.headgate.graph.Deadline;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobSelection;
import io.headgate.graph.JobStatus;
import io.headgate.graph.Unavailability;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One reading of the engine's lists: all of them from one member, one after the other, the active
 * jobs first, so that a job that ends meanwhile is in one of them.
 *
 * <p>A member must first answer its overview in the time of an attempt, and then has all the time
 * that is left: a busy engine takes long for its lists, and one that ails shows it by then. A list
 * that fails, ends early or is none makes the next member's turn, from the beginning. All on the
 * source's event loop.
 */
final class ZetaListing {
  private static final String ACTIVE = "/running-jobs";

  /** No record is kept of a job that the engine lost track of. */
  private static final List<String> ROUTES =
      Stream.concat(
              Stream.of(ACTIVE),
              Stream.of(JobStatus.values())
                  .filter(status -> status.isEnd() && status != JobStatus.UNKNOWABLE)
                  .map(status -> "/finished-jobs/" + status))
          .toList();

  final CompletableFuture<JobListing> answer = new CompletableFuture<>();

  private final ZetaJobLists lists;
  private final int most;
  private final Deadline deadline;
  private final List<ZetaMember> untried = new ArrayList<>();

  private @Nullable ZetaMember asked;
  private @Nullable ZetaGet open;
  private long deadlineTimer = -1;

  ZetaListing(ZetaJobLists lists, int most, Deadline deadline) {
    this.lists = lists;
    this.most = most;
    this.deadline = deadline;
  }

  void start() {
    untried.addAll(lists.order());
    long left = TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos());
    deadlineTimer = lists.vertx().setTimer(Math.max(1, left), t -> end(Unavailability.DEADLINE));
    tryNext(Unavailability.UNREACHABLE);
  }

  private void tryNext(Unavailability reason) {
    if (untried.isEmpty()) {
      answer(new JobListing.Unavailable(reason));
      return;
    }
    ZetaMember member = untried.remove(0);
    asked = member;
    JobSelection selection = new JobSelection(most);
    Reading reading = new Reading(member, selection);
    answersOverview(member)
        .compose(usable -> reading.list(0))
        .onSuccess(read -> answer(reading.listing()))
        .onFailure(failure -> failed(member, failure));
  }

  private void failed(ZetaMember member, Throwable failure) {
    if (answer.isDone()) {
      return;
    }
    if (failure instanceof ZetaGet.NotReadException known) {
      lists.say(member, known.detail());
      tryNext(known.reason());
    } else {
      lists.say(member, failure.getClass().getSimpleName());
      tryNext(Unavailability.UPSTREAM_BODY);
    }
  }

  private Future<Void> answersOverview(ZetaMember member) {
    ZetaGet overview = new ZetaGet(chunk -> true);
    open = overview;
    long timer =
        lists
            .vertx()
            .setTimer(
                lists.attemptMillis(),
                t -> overview.cut(Unavailability.DEADLINE, "no overview in its time"));
    return overview
        .send(member, ZetaMember.OVERVIEW)
        .onComplete(over -> lists.vertx().cancelTimer(timer));
  }

  /** The lists of one member. */
  private final class Reading {
    private final ZetaMember member;
    private final JobSelection selection;
    private boolean leftOut;

    Reading(ZetaMember member, JobSelection selection) {
      this.member = member;
      this.selection = selection;
    }

    /** Reads the lists from {@code index} on. */
    Future<Void> list(int index) {
      if (index == ROUTES.size()) {
        return Future.succeededFuture();
      }
      String route = ROUTES.get(index);
      JobListScanner scanner = lists.scanner(route.equals(ACTIVE), selection::add);
      ZetaGet call = new ZetaGet(scanner::feed);
      open = call;
      return call.send(member, route)
          .compose(
              taken -> {
                leftOut |= scanner.leftOut();
                return scanner.complete()
                    ? list(index + 1)
                    : Future.failedFuture(
                        new ZetaGet.NotReadException(
                            Unavailability.UPSTREAM_BODY, "unfinished list"));
              });
    }

    JobListing listing() {
      return new JobListing.Read(selection.jobs(), !leftOut && !selection.leftOut());
    }
  }

  private void answer(JobListing listing) {
    if (answer.complete(listing)) {
      lists.vertx().cancelTimer(deadlineTimer);
      lists.ended(this);
    }
  }

  /** Ends the reading now. */
  void end(Unavailability reason) {
    if (asked != null && reason == Unavailability.DEADLINE) {
      lists.tookTooLong(asked);
    }
    answer(new JobListing.Unavailable(reason));
    if (open != null) {
      open.cut(reason, reason.label());
    }
  }
}
