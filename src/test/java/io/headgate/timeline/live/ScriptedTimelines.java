package io.headgate.timeline.live;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.timeline.Applied;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLimits;
import io.headgate.timeline.TimelineQuery;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that notes what it is told and does what its {@link #mood} says. For one thread
 * at a time.
 */
final class ScriptedTimelines implements TimelineStore {
  /** How it takes calls. */
  enum Mood {
    ANSWERS,
    FAILS,
    /** Never answers; {@link ScriptedTimelines#answerNext} does. */
    HANGS,
    /** Does not even return. */
    THROWS
  }

  final List<TimelineChange.Decided> told = new ArrayList<>();
  final Map<Long, Timeline> timelines = new HashMap<>();
  final Queue<Runnable> open = new ArrayDeque<>();
  Mood mood = Mood.ANSWERS;
  TimelineLimits limits = TimelineLimits.DEFAULT;

  @Override
  public Call<Receipt> apply(TimelineChange change, Deadline deadline) {
    told.add((TimelineChange.Decided) change);
    return switch (mood) {
      case ANSWERS -> Call.of(applied(change));
      case FAILS ->
          Call.of(
              CompletableFuture.failedStage(
                  new TimelineUnavailableException(Unavailability.STORE_BUSY)));
      case THROWS -> throw new IllegalStateException("a store with a fault");
      case HANGS -> {
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        open.add(() -> answer.complete(applied(change)));
        yield Call.of(answer);
      }
    };
  }

  private Receipt applied(TimelineChange change) {
    Timeline known = timelines.get(change.jobId());
    Applied applied = Timeline.apply(known, change, 1_000, limits);
    timelines.put(change.jobId(), applied.timeline());
    return applied.receipt();
  }

  void answerNext() {
    open.remove().run();
  }

  @Override
  public Call<byte @Nullable []> page(
      long jobId, TimelineQuery query, boolean errorSummaries, int cap, Deadline deadline) {
    throw new AssertionError("a recorder reads nothing");
  }
}
