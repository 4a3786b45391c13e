package io.headgate.jobs;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.JobListing;
import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import io.headgate.observe.PacedLog;
import io.headgate.observe.UnexpectedFailure;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The readings of one source, one at a time, and what the last good one said.
 *
 * <p>{@link #begin} and what it returns are for one reader; the answer and the giving up may come
 * on any thread.
 */
final class SourceReadings {
  private static final Logger log = LoggerFactory.getLogger(SourceReadings.class);

  private final ListedSource source;
  private final Meters meters;
  private final PacedLog paced;
  private final ConcurrentHashMap<String, LongAdder> outcomes = new ConcurrentHashMap<>();

  /** Whether something of an earlier reading is still open. */
  private volatile boolean open;

  private volatile CompletableFuture<JobListing> underWay = new CompletableFuture<>();

  // Written when a reading is over, and read by whoever waited for that.
  private JobsSnapshot.@Nullable Part lastGood;
  private boolean whole;

  SourceReadings(ListedSource source, Meters meters, PacedLog paced) {
    this.source = source;
    this.meters = meters;
    this.paced = paced;
  }

  /** What the last good reading said, or null if there was none yet. */
  JobsSnapshot.@Nullable Part lastGood() {
    return lastGood;
  }

  /** Whether the last reading was good and the source has no more to tell. */
  boolean whole() {
    return whole;
  }

  /** Begins a reading; completes, never exceptionally, when it is over or given up. */
  CompletableFuture<Void> begin(long beganNanos, Deadline deadline) {
    if (open) {
      whole = false;
      count("unfinished");
      return CompletableFuture.completedFuture(null);
    }
    open = true;
    CompletableFuture<JobListing> listing = new CompletableFuture<>();
    underWay = listing;
    try {
      Call<JobListing> call = source.lister().list(JobsSnapshot.MOST_JOBS, deadline);
      call.ended().whenComplete((done, failure) -> open = false);
      call.answer()
          .whenComplete(
              (answer, failure) -> {
                if (failure == null) {
                  listing.complete(answer);
                } else {
                  listing.completeExceptionally(failure);
                }
              });
    } catch (Throwable e) {
      open = false;
      listing.completeExceptionally(e);
    }
    return listing.handle(
        (answer, failure) -> {
          over(beganNanos, answer, failure);
          return null;
        });
  }

  /** Stops waiting for the reading under way. */
  void giveUp() {
    underWay.complete(new JobListing.Unavailable(Unavailability.DEADLINE));
  }

  private void over(long beganNanos, @Nullable JobListing answer, @Nullable Throwable failure) {
    if (answer instanceof JobListing.Read read) {
      lastGood = new JobsSnapshot.Part(source.origin(), read.jobs(), beganNanos);
      whole = read.whole();
      count(whole ? "whole" : "partial");
      return;
    }
    whole = false;
    if (answer instanceof JobListing.Unavailable unavailable) {
      String reason = unavailable.reason().label();
      count(reason);
      paced.info(label() + reason, "jobs of " + label() + " not read: " + reason);
      return;
    }
    count("failed");
    UnexpectedFailure.report(
        log,
        "the reading of jobs of " + label(),
        failure == null
            ? new NullPointerException("a source answered null")
            : UnexpectedFailure.cause(failure));
  }

  private String label() {
    return source.origin().name().toLowerCase(Locale.ROOT);
  }

  private void count(String outcome) {
    outcomes
        .computeIfAbsent(
            outcome,
            first -> {
              LongAdder count = new LongAdder();
              meters.counter(
                  "headgate.jobs.readings",
                  "Readings of a source's list of jobs, by how they ended.",
                  count::sum,
                  "source",
                  label(),
                  "outcome",
                  outcome);
              return count;
            })
        .increment();
  }
}
