package io.headgate.timeline.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import io.headgate.timeline.OwnedTimelines;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLook;
import io.headgate.timeline.TimelineQuery;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import io.headgate.timeline.live.JobPresence.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The watch over jobs with a timeline (T12), on a timer that the test turns. */
class EndWatchTest {
  private static final long SECOND = 1_000_000_000;
  private static final TimelineLook OPEN = new TimelineLook(true, Timeline.NEVER, 0);

  private final Meters meters = new Meters();
  private final List<Task> tasks = new ArrayList<>();
  private final TreeMap<Long, TimelineLook> timelines = new TreeMap<>();
  private final List<TimelineChange> told = new ArrayList<>();
  private final List<Long> asked = new ArrayList<>();
  private final List<CompletableFuture<JobPresence>> answers = new ArrayList<>();
  private boolean storeDown;
  private boolean atEase = true;
  private long now;

  private record Task(long at, Runnable task) {}

  private static <T> Call<T> down() {
    return Call.of(
        CompletableFuture.failedStage(
            new TimelineUnavailableException(Unavailability.CLUSTER_TOO_SMALL)));
  }

  private final OwnedTimelines owned =
      new OwnedTimelines() {
        @Override
        public Call<Set<Long>> jobs(Deadline deadline) {
          return storeDown ? down() : Call.of(new TreeSet<>(timelines.keySet()));
        }

        @Override
        public Call<@Nullable TimelineLook> look(long jobId, Deadline deadline) {
          return storeDown
              ? down()
              : Call.of(CompletableFuture.completedStage(timelines.get(jobId)));
        }
      };

  private final TimelineStore store =
      new TimelineStore() {
        @Override
        public Call<Receipt> apply(TimelineChange change, Deadline deadline) {
          if (storeDown) {
            return down();
          }
          told.add(change);
          return Call.of(Receipt.NOTHING);
        }

        @Override
        public Call<byte @Nullable []> page(
            long jobId, TimelineQuery query, boolean errors, int cap, Deadline deadline) {
          throw new AssertionError("nobody asks for pages");
        }
      };

  private EndWatch started() {
    EndWatch.Reach reach = new EndWatch.Reach(owned, store, this::ask, () -> atEase);
    EndWatch watch =
        new EndWatch(
            reach,
            Duration.ofDays(1),
            (nanos, task) -> {
              Task timed = new Task(now + nanos, task);
              tasks.add(timed);
              return () -> tasks.remove(timed);
            },
            InstantSource.system(),
            EndWatch.PERIOD,
            meters);
    watch.start();
    return watch;
  }

  private CompletionStage<JobPresence> ask(long jobId) {
    asked.add(jobId);
    answers.add(new CompletableFuture<>());
    return answers.get(answers.size() - 1);
  }

  /** Turns the clock by so many steps of a quarter of a second and runs what is due. */
  private void quarters(int count) {
    for (int i = 0; i < count; i++) {
      now += SECOND / 4 + 1_000_000;
      runDue();
    }
  }

  private void runDue() {
    for (boolean more = true; more; ) {
      more = false;
      for (Task task : List.copyOf(tasks)) {
        if (task.at <= now && tasks.remove(task)) {
          task.task.run();
          more = true;
        }
      }
    }
  }

  private void minute() {
    now += 60 * SECOND;
    runDue();
  }

  private void answer(Kind kind) {
    answers.get(answers.size() - 1).complete(new JobPresence(kind, "ok"));
  }

  private double metric(String nameAndLabels) {
    return meters
        .scrape()
        .lines()
        .filter(line -> line.startsWith(nameAndLabels + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }

  @Test
  void T12_a_job_with_active_records_is_asked_after_once_a_minute() {
    timelines.put(7L, OPEN);
    started();
    runDue();
    assertThat(asked).as("not at the start").isEmpty();
    for (int minute = 1; minute <= 3; minute++) {
      minute();
      assertThat(asked).hasSize(minute);
      answer(Kind.ACTIVE);
      quarters(100);
      assertThat(asked).as("nor before the minute is over").hasSize(minute);
    }
    assertThat(told).isEmpty();
    assertThat(metric("headgate_timeline_watch_questions_total{answer=\"active\"}")).isEqualTo(3);
    assertThat(metric("headgate_timeline_watch_jobs")).isEqualTo(1);
  }

  @Test
  void T12_its_end_is_told_to_its_timeline_and_so_is_that_it_runs_again() {
    timelines.put(7L, OPEN);
    started();
    minute();
    answer(Kind.ENDED);
    assertThat(told).containsExactly(new TimelineChange.Ended(7));
    timelines.put(7L, new TimelineLook(true, 5, 6));
    quarters(2);
    minute();
    answer(Kind.ACTIVE);
    assertThat(told).last().isEqualTo(new TimelineChange.Resumed(7));
    assertThat(metric("headgate_timeline_watch_changes_total{change=\"ended\"}")).isEqualTo(1);
    assertThat(metric("headgate_timeline_watch_changes_total{change=\"resumed\"}")).isEqualTo(1);
  }

  @Test
  void T12_one_question_is_open_at_a_time_and_there_is_a_pause_behind_each() {
    for (long job = 1; job <= 5; job++) {
      timelines.put(job, OPEN);
    }
    started();
    minute();
    quarters(500);
    assertThat(asked).as("while the first one is open").hasSize(1);
    for (int more = 2; more <= 5; more++) {
      answer(Kind.ACTIVE);
      runDue();
      assertThat(asked).hasSize(more - 1);
      quarters(1);
      assertThat(asked).hasSize(more);
    }
    assertThat(asked).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void T12_where_clients_need_the_permits_a_job_is_left_for_the_next_round() {
    timelines.put(7L, OPEN);
    timelines.put(8L, OPEN);
    atEase = false;
    started();
    minute();
    quarters(3);
    assertThat(asked).isEmpty();
    assertThat(metric("headgate_timeline_watch_questions_total{answer=\"skipped\"}")).isEqualTo(2);
    atEase = true;
    minute();
    assertThat(asked).containsExactly(7L);
  }

  @Test
  void T12_a_store_or_source_that_fails_does_not_end_the_watch() {
    timelines.put(7L, OPEN);
    storeDown = true;
    started();
    minute();
    minute();
    storeDown = false;
    minute();
    assertThat(asked).hasSize(1);
    answer(Kind.UNSAID);
    quarters(2);
    minute();
    assertThat(asked).hasSize(2);
    storeDown = true;
    answer(Kind.ENDED);
    quarters(2);
    assertThat(metric("headgate_timeline_watch_changes_total{change=\"failed\"}")).isEqualTo(1);
    storeDown = false;
    minute();
    answer(Kind.ENDED);
    assertThat(told).containsExactly(new TimelineChange.Ended(7));
  }

  @Test
  void once_closed_it_asks_no_more() {
    timelines.put(7L, OPEN);
    timelines.put(8L, OPEN);
    EndWatch watch = started();
    minute();
    watch.close();
    answer(Kind.ACTIVE);
    quarters(4);
    minute();
    assertThat(asked).containsExactly(7L);
    assertThat(tasks).isEmpty();
  }
}
