package io.headgate.timeline.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.headgate.kit.LoggedLines;
import io.headgate.timeline.ChangeReference;
import io.headgate.timeline.DecisionEvent;
import io.headgate.timeline.EventDigest;
import io.headgate.timeline.Stage;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.live.SchemaEvolutionRecorder.Fate;
import io.headgate.timeline.live.ScriptedTimelines.Mood;
import io.headgate.wire.Digests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whoever records goes on at once; what can't be kept is dropped and counted (T3). */
class EmbeddedRecorderTest {
  private final ScriptedTimelines store = new ScriptedTimelines();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private long now;
  private final RecorderDrain drain = new RecorderDrain(store, tasks::add, () -> now, () -> 77);
  private final SchemaEvolutionRecorder recorder = drain.recorder();

  private static DecisionEvent event(long job, String key) {
    return said(job, key).build();
  }

  private static DecisionEvent.Builder said(long job, String key) {
    return DecisionEvent.of(job, ChangeReference.ByKey.of(key), Stage.OBSERVED).sourceTable(key);
  }

  private void record(long job, int from, int to) {
    IntStream.rangeClosed(from, to).forEach(i -> recorder.record(event(job, "change " + i)));
  }

  /** Time goes on by this much, with all turns and tasks that are due. */
  private void pass(Duration time) {
    for (long until = now + time.toNanos(); now - until < 0; ) {
      now += RecorderDrain.PERIOD.toNanos();
      drain.turn();
      runTasks();
    }
  }

  private void runTasks() {
    for (Runnable task; (task = tasks.poll()) != null; ) {
      task.run();
    }
  }

  private Map<Fate, Long> fates() {
    Map<Fate, Long> fates = new EnumMap<>(Fate.class);
    for (Fate fate : Fate.values()) {
      if (recorder.count(fate) > 0) {
        fates.put(fate, recorder.count(fate));
      }
    }
    return fates;
  }

  @Test
  void T3_what_is_recorded_reaches_the_store_in_the_order_of_its_job() {
    for (int i = 1; i <= 250; i++) {
      record(1, i, i);
      record(2, i, i);
    }
    assertThat(store.told).as("nothing is stored by the caller").isEmpty();
    pass(RecorderDrain.PERIOD);
    for (long job : new long[] {1, 2}) {
      List<DecisionEvent> stored = new ArrayList<>();
      for (TimelineChange.Decided change : store.told) {
        if (change.jobId() == job) {
          stored.addAll(change.events());
          assertThat(change.events()).hasSizeLessThanOrEqualTo(RecorderDrain.MAX_EVENTS);
        }
      }
      assertThat(stored.stream().map(DecisionEvent::change))
          .isEqualTo(
              IntStream.rangeClosed(1, 250)
                  .<ChangeReference>mapToObj(i -> ChangeReference.ByKey.of("change " + i))
                  .toList());
      assertThat(store.timelines.get(job).size()).isEqualTo(250);
    }
    assertThat(fates()).isEqualTo(Map.of(Fate.RECORDED, 500L));
    assertThat(recorder.waiting()).isZero();
    assertThat(recorder.waitingBytes()).isZero();
  }

  @Test
  void T3_with_a_store_that_hangs_the_caller_goes_on_and_drops_are_counted() {
    store.mood = Mood.HANGS;
    record(1, 1, 10);
    pass(RecorderDrain.PERIOD);
    record(1, 11, 5_000);
    pass(RecorderDrain.PERIOD);
    assertThat(drain.open()).as("one call a job").isEqualTo(1);
    assertThat(recorder.waiting()).isEqualTo(SchemaEvolutionRecorder.MAX_EVENTS);
    long tooMany = 4_990 - SchemaEvolutionRecorder.MAX_EVENTS;
    assertThat(fates()).isEqualTo(Map.of(Fate.NO_ROOM, tooMany));

    pass(RecorderDrain.PATIENCE);
    assertThat(fates()).as("and late").containsEntry(Fate.FAILED, 10L);
    assertThat(store.told).as("nothing overtakes a call that is open").hasSize(1);

    store.mood = Mood.ANSWERS;
    store.answerNext();
    pass(RecorderDrain.PERIOD);
    assertThat(recorder.waiting()).isZero();
    assertThat(fates())
        .isEqualTo(
            Map.of(
                Fate.NO_ROOM,
                tooMany,
                Fate.FAILED,
                10L,
                Fate.RECORDED,
                (long) SchemaEvolutionRecorder.MAX_EVENTS));
  }

  @Test
  void T3_jobs_that_hang_take_no_more_than_their_places() {
    store.mood = Mood.HANGS;
    for (long job = 1; job <= 2 * RecorderDrain.MAX_CALLS; job++) {
      record(job, 1, 1);
    }
    pass(RecorderDrain.PATIENCE.plusSeconds(1));
    assertThat(drain.open()).isEqualTo(RecorderDrain.MAX_CALLS);
    assertThat(store.open).hasSize(RecorderDrain.MAX_CALLS);
    assertThat(fates()).isEqualTo(Map.of(Fate.FAILED, (long) RecorderDrain.MAX_CALLS));
    store.mood = Mood.ANSWERS;
    store.answerNext();
    pass(RecorderDrain.PERIOD);
    assertThat(recorder.waiting()).isZero();
    assertThat(fates()).containsEntry(Fate.RECORDED, (long) RecorderDrain.MAX_CALLS);
  }

  @Test
  void T3_with_a_store_that_fails_every_event_is_counted_and_none_is_kept() {
    for (Mood mood : List.of(Mood.FAILS, Mood.THROWS)) {
      store.mood = mood;
      record(1, 1, 300);
      pass(RecorderDrain.PERIOD);
    }
    assertThat(fates()).isEqualTo(Map.of(Fate.FAILED, 600L));
    assertThat(drain.open()).isZero();
    assertThat(recorder.waiting()).isZero();
    store.mood = Mood.ANSWERS;
    record(1, 1, 1);
    pass(RecorderDrain.PERIOD);
    assertThat(fates()).containsEntry(Fate.RECORDED, 1L);
  }

  @Test
  void T3_what_the_timeline_does_not_take_is_counted() {
    ChangeReference unknown = new ChangeReference.BySequence(7, null);
    recorder.record(DecisionEvent.of(1, unknown, Stage.COMPLETED));
    recorder.record(said(1, "a"));
    pass(RecorderDrain.PERIOD);
    assertThat(fates()).isEqualTo(Map.of(Fate.REFUSED, 1L, Fate.RECORDED, 1L));
  }

  @Test
  void T3_the_bytes_that_wait_are_bounded() {
    DecisionEvent large = said(1, "a").error("\u20ac".repeat(1_300)).build();
    int fit = (int) (SchemaEvolutionRecorder.MAX_BYTES / large.cost());
    for (int i = 0; i < fit + 5; i++) {
      recorder.record(large);
    }
    assertThat(recorder.waiting()).isEqualTo(fit).isLessThan(SchemaEvolutionRecorder.MAX_EVENTS);
    assertThat(fates()).isEqualTo(Map.of(Fate.NO_ROOM, 5L));
  }

  @Test
  void T3_nothing_that_is_recorded_throws() {
    assertThatCode(
            () -> {
              recorder.record((DecisionEvent) null);
              recorder.record((DecisionEvent.Builder) null);
              recorder.record(said(0, "no such job"));
              recorder.record(said(1, "x".repeat(2_000)));
              recorder.record(said(1, "\ud800"));
            })
        .doesNotThrowAnyException();
    assertThat(fates()).isEqualTo(Map.of(Fate.INVALID, 5L));
  }

  @Test
  void T3_a_worker_that_takes_nothing_is_asked_again() {
    AtomicInteger asked = new AtomicInteger();
    RecorderDrain held =
        new RecorderDrain(
            store,
            task -> {
              if (asked.incrementAndGet() < 3) {
                throw new RejectedExecutionException();
              }
              task.run();
            },
            () -> now,
            () -> 77);
    held.recorder().record(event(1, "a"));
    held.turn();
    held.turn();
    assertThat(store.told).isEmpty();
    held.turn();
    assertThat(store.told).hasSize(1);
  }

  @Test
  void T3_there_is_one_line_a_second_at_most_about_what_was_dropped() {
    try (LoggedLines log = LoggedLines.insteadOf(RecorderDrain.class)) {
      store.mood = Mood.FAILS;
      for (int i = 0; i < 60; i++) {
        record(1, 1, 10);
        pass(RecorderDrain.PERIOD);
      }
      pass(Duration.ofSeconds(2));
      assertThat(log.events()).hasSizeBetween(3, 4);
      assertThat(log.events().stream().mapToLong(line -> (Long) line.getArgumentArray()[0]).sum())
          .as("all are told of")
          .isEqualTo(600);
    }
  }

  @Test
  void T3_a_stop_stores_what_waits_and_takes_nothing_more() {
    record(1, 1, 500);
    CompletionStage<?> closed = drain.close();
    runTasks();
    pass(RecorderDrain.PERIOD);
    assertThat(closed.toCompletableFuture()).isDone();
    record(1, 501, 502);
    assertThat(fates()).isEqualTo(Map.of(Fate.RECORDED, 500L, Fate.CLOSED, 2L));
  }

  @Test
  void T3_a_stop_does_not_wait_for_a_store_that_hangs() {
    store.mood = Mood.HANGS;
    record(1, 1, 150);
    pass(RecorderDrain.PERIOD);
    CompletionStage<?> closed = drain.close();
    pass(RecorderDrain.FLUSH.minus(RecorderDrain.PERIOD.multipliedBy(2)));
    assertThat(closed.toCompletableFuture()).isNotDone();
    pass(RecorderDrain.PERIOD.multipliedBy(2));
    assertThat(closed.toCompletableFuture()).isDone();
    assertThat(fates()).isEqualTo(Map.of(Fate.FAILED, 100L, Fate.CLOSED, 50L));
    store.answerNext();
    pass(RecorderDrain.PERIOD);
    assertThat(fates()).as("nothing counts twice").hasSize(2);
  }

  @Test
  void a_key_is_the_same_whichever_way_it_comes() {
    byte[] text = "orders-17".getBytes(StandardCharsets.UTF_8);
    assertThat(ChangeReference.ByKey.of("orders-17").key())
        .isEqualTo(EventDigest.of(Digests.sha256().digest(text)));
  }
}
