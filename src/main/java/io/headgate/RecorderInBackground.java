package io.headgate;

import io.headgate.admission.Workers;
import io.headgate.observe.Meters;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.live.RecorderDrain;
import io.headgate.timeline.live.SchemaEvolutionRecorder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.security.SecureRandom;

/**
 * The recorder for decisions of an embedding service, with the thread and the timer that it needs.
 * Used on the event loop that is named, but for what {@link #recorder} gives.
 */
final class RecorderInBackground {
  private static final long NONE = -1;

  private final Workers worker = new Workers("headgate-recorder", 1);
  private final Context context;
  private final RecorderDrain drain;
  private long timer = NONE;

  RecorderInBackground(TimelineStore store, Context context, Meters meters) {
    this.context = context;
    this.drain = new RecorderDrain(store, worker, System::nanoTime, new SecureRandom()::nextLong);
    observe(meters);
  }

  private void observe(Meters meters) {
    SchemaEvolutionRecorder recorder = drain.recorder();
    for (SchemaEvolutionRecorder.Fate fate : SchemaEvolutionRecorder.Fate.values()) {
      meters.counter(
          "headgate.recorder.events",
          "Decisions of the Java recorder, by what became of them.",
          () -> recorder.count(fate),
          "outcome",
          Meters.label(fate));
    }
    meters.gauge("headgate.recorder.waiting", "Decisions that wait.", recorder::waiting);
    meters.gauge("headgate.recorder.waiting.bytes", "Bytes of those.", recorder::waitingBytes);
    meters.gauge("headgate.recorder.open", "Its calls of the store.", drain::open);
  }

  /** Where decisions are said; what is said before the start waits for it. */
  SchemaEvolutionRecorder recorder() {
    return drain.recorder();
  }

  /** Begins to store what was said, once the store can. */
  void start() {
    if (timer == NONE) {
      timer = context.owner().setPeriodic(RecorderDrain.PERIOD.toMillis(), turn -> drain.turn());
    }
  }

  /** Stores what still waits, for half a second at most; while the store still can. */
  Future<?> close() {
    start(); // or nothing looks at the time
    return Future.fromCompletionStage(drain.close(), context)
        .eventually(
            () -> {
              context.owner().cancelTimer(timer);
              worker.close();
              return Future.succeededFuture();
            });
  }
}
