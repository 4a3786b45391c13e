package io.headgate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Call;
import io.headgate.graph.JobLister;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When sources are read, and what is left of a reading, on a clock that the test turns. */
class JobsReaderTest {
  private static final long SECOND = 1_000_000_000;

  private final Meters meters = new Meters();
  private final List<Task> tasks = new ArrayList<>();
  private final Script first = new Script();
  private final Script second = new Script();
  private long now;

  private record Task(long at, Runnable task) {}

  /** A source whose answers the test gives. */
  private static final class Script implements JobLister {
    final List<CompletableFuture<JobListing>> answers = new ArrayList<>();
    final List<CompletableFuture<Void>> ends = new ArrayList<>();

    @Override
    public Call<JobListing> list(int most, io.headgate.graph.Deadline deadline) {
      answers.add(new CompletableFuture<>());
      ends.add(new CompletableFuture<>());
      return new Call<>(answers.get(answers.size() - 1), ends.get(ends.size() - 1));
    }

    int readings() {
      return answers.size();
    }

    void answer(JobListing listing) {
      answers.get(answers.size() - 1).complete(listing);
      ends.get(ends.size() - 1).complete(null);
    }

    void answer(long... ids) {
      answer(
          new JobListing.Read(
              LongStream.of(ids)
                  .mapToObj(id -> new JobSummary(id, null, JobStatus.RUNNING, true, null, null))
                  .toList(),
              true));
    }

    void fail() {
      answer(new JobListing.Unavailable(Unavailability.UNREACHABLE));
    }
  }

  private JobsReader started(JobLister... listers) {
    List<ListedSource> sources = new ArrayList<>();
    for (int i = 0; i < listers.length; i++) {
      sources.add(new ListedSource(i == 0 ? Origin.ZETA : Origin.DIRECTORY, listers[i]));
    }
    JobsReader reader =
        new JobsReader(
            sources,
            (nanos, task) -> {
              Task timed = new Task(now + nanos, task);
              tasks.add(timed);
              return () -> tasks.remove(timed);
            },
            Runnable::run,
            () -> now,
            meters);
    reader.start();
    pass(0);
    return reader;
  }

  /** Turns the clock and runs what is due. */
  private void pass(long seconds) {
    now += seconds * SECOND;
    for (Task task : List.copyOf(tasks)) {
      if (task.at <= now && tasks.remove(task)) {
        task.task.run();
      }
    }
  }

  private static JobsSnapshot list(JobsReader reader) {
    return Objects.requireNonNull(reader.snapshot());
  }

  private String metric(String nameAndLabels) {
    return meters
        .scrape()
        .lines()
        .filter(line -> line.startsWith(nameAndLabels + " "))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("none");
  }

  @Test
  void the_first_reading_begins_at_the_start_and_the_list_is_there_when_it_ends() {
    JobsReader reader = started(first, second);
    assertThat(reader.snapshot()).isNull();

    first.answer(1, 2);
    assertThat(reader.snapshot()).as("while one source is being read").isNull();
    second.answer(3);

    assertThat(list(reader).jobs()).isEqualTo(3);
    assertThat(list(reader).complete()).isTrue();
  }

  @Test
  void the_next_reading_begins_thirty_seconds_after_the_last_began() {
    started(first);
    pass(10);
    first.answer(1);
    pass(19);
    assertThat(first.readings()).isEqualTo(1);
    pass(1);
    assertThat(first.readings()).isEqualTo(2);
  }

  @Test
  void after_a_slow_reading_as_much_time_passes_as_it_took() {
    started(first);
    pass(40);
    first.answer(1);
    pass(39);
    assertThat(first.readings()).isEqualTo(1);
    pass(1);
    assertThat(first.readings()).isEqualTo(2);
  }

  @Test
  void the_age_counts_from_the_beginning_of_the_reading() {
    JobsReader reader = started(first);
    pass(10);
    first.answer(1);
    pass(5);
    assertThat(list(reader).ageNanos(now)).isEqualTo(15 * SECOND);
  }

  @Test
  void of_a_source_that_fails_what_was_read_before_stays_and_grows_old() {
    JobsReader reader = started(first, second);
    first.answer(1, 2);
    second.answer(3);
    pass(30);
    first.fail();
    second.answer(3, 4);

    assertThat(list(reader).jobs()).isEqualTo(4);
    assertThat(list(reader).complete()).isFalse();
    assertThat(list(reader).ageNanos(now)).isEqualTo(30 * SECOND);

    pass(30);
    first.answer(1);
    second.answer(3);
    assertThat(list(reader).jobs()).isEqualTo(2);
    assertThat(list(reader).complete()).isTrue();
    assertThat(list(reader).ageNanos(now)).isZero();
  }

  @Test
  void there_is_no_list_before_any_source_was_read_and_then_only_an_incomplete_one() {
    JobsReader reader = started(first, second);
    first.fail();
    second.fail();
    assertThat(reader.snapshot()).isNull();

    pass(30);
    first.answer(1);
    second.fail();
    assertThat(list(reader).jobs()).isEqualTo(1);
    assertThat(list(reader).complete()).isFalse();
  }

  @Test
  void a_source_that_has_more_jobs_or_cant_list_them_makes_the_list_incomplete() {
    JobsReader reader = started(first);
    first.answer(new JobListing.Read(List.of(), false));
    assertThat(list(reader).complete()).isFalse();

    assertThat(list(started(JobLister.NONE)).complete()).isFalse();
    assertThat(list(started(JobLister.NONE)).jobs()).isZero();
  }

  @Test
  void a_source_that_does_not_answer_is_given_up_after_a_minute_and_not_asked_again_meanwhile() {
    JobsReader reader = started(first, second);
    second.answer(3);
    pass(59);
    assertThat(reader.snapshot()).isNull();
    pass(1);
    assertThat(list(reader).jobs()).isEqualTo(1);
    assertThat(list(reader).complete()).isFalse();

    pass(60);
    assertThat(second.readings()).isEqualTo(2);
    assertThat(first.readings()).as("its call is still open").isEqualTo(1);
    second.answer(3);
    first.answer(1);
    assertThat(list(reader).jobs()).as("without what came too late").isEqualTo(1);

    pass(30);
    assertThat(first.readings()).isEqualTo(2);
    first.answer(1);
    second.answer(3);
    assertThat(list(reader).jobs()).isEqualTo(2);
    assertThat(list(reader).complete()).isTrue();
    assertThat(metric("headgate_jobs_readings_total{outcome=\"deadline\",source=\"zeta\"}"))
        .isEqualTo("1.0");
    assertThat(metric("headgate_jobs_readings_total{outcome=\"unfinished\",source=\"zeta\"}"))
        .isEqualTo("1.0");
  }

  @Test
  void a_source_that_throws_or_fails_is_one_that_was_not_read() {
    JobLister throwing =
        (most, deadline) -> {
          throw new IllegalStateException("s3cret");
        };
    JobLister failing =
        (most, deadline) -> Call.of(CompletableFuture.failedFuture(new IllegalStateException()));
    for (JobLister lister : List.of(throwing, failing)) {
      JobsReader reader = started(lister, second);
      second.answer(3);
      assertThat(list(reader).jobs()).isEqualTo(1);
      assertThat(list(reader).complete()).isFalse();
    }
    assertThat(metric("headgate_jobs_readings_total{outcome=\"failed\",source=\"zeta\"}"))
        .isEqualTo("1.0");
  }

  @Test
  void nothing_is_read_once_it_is_closed() {
    JobsReader reader = started(first);
    reader.close();
    first.answer(1);
    pass(600);
    assertThat(first.readings()).isEqualTo(1);
    assertThat(tasks).isEmpty();
  }

  @Test
  void metrics_tell_size_age_and_how_long_it_took() {
    started(first);
    assertThat(metric("headgate_jobs_listed")).isEqualTo("NaN");
    pass(2);
    first.answer(1, 2);
    pass(1);

    assertThat(metric("headgate_jobs_listed")).isEqualTo("2.0");
    assertThat(metric("headgate_jobs_complete")).isEqualTo("1.0");
    assertThat(metric("headgate_jobs_age_seconds")).isEqualTo("3.0");
    assertThat(metric("headgate_jobs_reading_seconds")).isEqualTo("2.0");
    assertThat(metric("headgate_jobs_readings_total{outcome=\"whole\",source=\"zeta\"}"))
        .isEqualTo("1.0");
  }

  @Test
  void the_pauses_are_those_of_the_documents() {
    assertThat(JobsReader.PERIOD).isEqualTo(Duration.ofSeconds(30));
    assertThat(JobsReader.TIME).isEqualTo(Duration.ofSeconds(60));
  }
}
