package io.headgate.kit;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.timeline.Applied;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLimits;
import io.headgate.timeline.TimelinePage;
import io.headgate.timeline.TimelineQuery;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Timelines in this process: a store that does what a cluster does, or what it can't. */
public final class MemoryTimelines implements TimelineStore {
  private static final int PAGE_CAP = 64 << 20;

  private final TimelineLimits limits;
  private final Map<Long, Timeline> timelines = new ConcurrentHashMap<>();
  private final AtomicInteger changes = new AtomicInteger();
  private final List<CompletableFuture<Void>> held = new ArrayList<>();
  private boolean holding;
  private volatile long failingJob;
  private volatile long pauseMillis;
  private volatile @Nullable RuntimeException failure;

  public MemoryTimelines(TimelineLimits limits) {
    this.limits = limits;
  }

  @Override
  public Call<Receipt> apply(TimelineChange change, Deadline deadline) {
    changes.incrementAndGet();
    RuntimeException fault = failure;
    if (fault != null) {
      return Call.of(CompletableFuture.failedStage(fault));
    }
    if (change.jobId() == failingJob) {
      return Call.of(
          CompletableFuture.failedStage(
              new TimelineUnavailableException(Unavailability.STORE_FAILED)));
    }
    CompletableFuture<Void> turn = new CompletableFuture<>();
    synchronized (this) {
      if (holding) {
        held.add(turn);
      } else if (pauseMillis > 0) {
        turn.completeOnTimeout(null, pauseMillis, TimeUnit.MILLISECONDS);
      } else {
        turn.complete(null);
      }
    }
    return Call.of(turn.thenApply(now -> applied(change)));
  }

  private Receipt applied(TimelineChange change) {
    Receipt[] receipt = new Receipt[1];
    timelines.compute(
        change.jobId(),
        (job, current) -> {
          Applied applied = Timeline.apply(current, change, System.currentTimeMillis(), limits);
          receipt[0] = applied.receipt();
          return applied.timeline();
        });
    return receipt[0];
  }

  @Override
  public Call<byte @Nullable []> page(
      long jobId, TimelineQuery query, boolean errorSummaries, int cap, Deadline deadline) {
    RuntimeException fault = failure;
    if (fault != null) {
      return Call.of(CompletableFuture.failedStage(fault));
    }
    CompletableFuture<byte @Nullable []> page = new CompletableFuture<>();
    Timeline timeline = timelines.get(jobId);
    page.complete(
        timeline == null
            ? null
            : TimelinePage.write(timeline, query, errorSummaries, cap).toByteArray());
    return Call.of(page);
  }

  /** The newest records of a job as JSON, or null if nothing was reported of it. */
  public @Nullable String json(long jobId) {
    Timeline timeline = timelines.get(jobId);
    return timeline == null ? null : json(timeline);
  }

  /** All that can be told of a timeline, as JSON. */
  public static String json(Timeline timeline) {
    TimelineQuery all = new TimelineQuery(TimelineQuery.MAX_LIMIT, Long.MAX_VALUE, null, null);
    byte[] page = TimelinePage.write(timeline, all, true, PAGE_CAP).toByteArray();
    return new String(page, java.nio.charset.StandardCharsets.UTF_8);
  }

  /** How many records a job has. */
  public int records(long jobId) {
    Timeline timeline = timelines.get(jobId);
    return timeline == null ? 0 : timeline.size();
  }

  /** How many changes have been asked for so far. */
  public int changes() {
    return changes.get();
  }

  /** From now on changes are neither made nor answered. */
  public synchronized void hold() {
    holding = true;
  }

  /** Makes the changes that are held, and lets others through. */
  public void release() {
    List<CompletableFuture<Void>> turns;
    synchronized (this) {
      holding = false;
      turns = List.copyOf(held);
      held.clear();
    }
    turns.forEach(turn -> turn.complete(null));
  }

  /** From now on every change takes this long. */
  public void slow(Duration pause) {
    pauseMillis = pause.toMillis();
  }

  /** From now on everything fails with this, or with null not any more. */
  public void fail(@Nullable RuntimeException with) {
    failure = with;
  }

  /** From now on changes of this job fail, or with 0 those of none. */
  public void failFor(long jobId) {
    failingJob = jobId;
  }
}
