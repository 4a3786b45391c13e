package io.headgate.directory;

import static io.headgate.graph.JobStatus.CREATED;
import static io.headgate.graph.JobStatus.FINISHED;
import static io.headgate.graph.JobStatus.RUNNING;
import static io.headgate.graph.JobStatus.SAVEPOINT_DONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.directory.JobGraphPublisher.Outcome;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobStatus;
import io.headgate.graph.ReportedGraph;
import io.headgate.graph.Unavailability;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A service that publishes its jobs from Java, before a store that does what it is told. */
class EmbeddedPublisherTest {
  private static final Instant NOON = Publications.NOON;
  private static final JobGraph GRAPH = ReportedGraph.chain(3).checked();

  private final ScriptedDirectory directory = new ScriptedDirectory();
  private final JobGraphPublisher publisher = publisher(directory, DirectoryConfig.DEFAULT);

  private static JobGraphPublisher publisher(JobDirectory directory, DirectoryConfig config) {
    return new JobGraphPublisher(directory, config, Runnable::run);
  }

  private static DirectoryConfig bounds(int jobs, int bytes) {
    return new DirectoryConfig(Duration.ofHours(1), jobs, 1 << 20, bytes);
  }

  @Test
  void L25_an_execution_s_life_is_published_step_by_step() {
    assertOutcome(publisher.started(7, 1, NOON), Outcome.PUBLISHED);
    assertOutcome(publisher.graph(7, 1, GRAPH), Outcome.PUBLISHED);
    assertOutcome(publisher.transition(7, 1, RUNNING), Outcome.PUBLISHED);
    assertOutcome(publisher.finished(7, 1, SAVEPOINT_DONE), Outcome.PUBLISHED);
    assertOutcome(publisher.started(7, 2, NOON), Outcome.PUBLISHED);
    assertThat(directory.told)
        .containsExactly(
            Publications.of(1, CREATED, null),
            Publications.of(1, CREATED, Publications.GRAPH),
            Publications.of(1, RUNNING, null),
            Publications.of(1, SAVEPOINT_DONE, null),
            Publications.of(2, CREATED, null));
    assertThat(directory.records.get(7L).retained().run().graph()).isEqualTo(Publications.GRAPH);
    assertThat(publisher.count(Outcome.PUBLISHED)).isEqualTo(5);
    assertThat(publisher.underWay()).isZero();
  }

  @Test
  void L30_every_step_may_be_repeated_without_harm() {
    for (int i = 0; i < 3; i++) {
      Outcome expected = i == 0 ? Outcome.PUBLISHED : Outcome.UNCHANGED;
      assertOutcome(publisher.started(7, 1, NOON.plusSeconds(i)), expected);
    }
    for (int i = 0; i < 3; i++) {
      Outcome expected = i == 0 ? Outcome.PUBLISHED : Outcome.UNCHANGED;
      assertOutcome(publisher.graph(7, 1, GRAPH), expected);
    }
    publisher.transition(7, 1, RUNNING);
    assertOutcome(publisher.started(7, 1, NOON), Outcome.UNCHANGED);
    for (int i = 0; i < 3; i++) {
      Outcome expected = i == 0 ? Outcome.PUBLISHED : Outcome.UNCHANGED;
      assertOutcome(publisher.finished(7, 1, FINISHED), expected);
    }
    for (int i = 0; i < 3; i++) {
      assertOutcome(publisher.removed(7), i == 0 ? Outcome.PUBLISHED : Outcome.UNCHANGED);
    }
    assertThat(publisher.count(Outcome.UNCHANGED)).isEqualTo(9);
  }

  @Test
  void L30_a_graph_that_is_ready_only_after_the_end_is_published_with_the_end() {
    publisher.started(7, 1, NOON);
    publisher.finished(7, 1, FINISHED);
    assertOutcome(publisher.graph(7, 1, GRAPH), Outcome.PUBLISHED);
    assertThat(directory.records.get(7L).retained().run().graph()).isEqualTo(Publications.GRAPH);
  }

  @Test
  void L30_what_can_not_be_is_said_at_once() {
    assertOutcome(publisher.graph(7, 1, GRAPH), Outcome.NOT_STARTED);
    publisher.started(7, 2, NOON);
    assertOutcome(publisher.transition(7, 3, RUNNING), Outcome.NOT_STARTED);
    assertOutcome(publisher.transition(7, 1, RUNNING), Outcome.STALE_EPOCH);
    assertOutcome(publisher.started(7, 1, NOON), Outcome.STALE_EPOCH);
    publisher.finished(7, 2, FINISHED);
    assertOutcome(publisher.transition(7, 2, RUNNING), Outcome.ENDED);
    publisher.removed(7);
    assertOutcome(publisher.graph(7, 2, GRAPH), Outcome.NOT_STARTED);
    assertThat(directory.told).hasSize(2);
  }

  @Test
  void L30_what_only_the_owner_knows_comes_back_from_it() {
    directory.records.put(7L, Publications.record(Publications.of(5, RUNNING, null)));
    assertOutcome(publisher.started(7, 4, NOON), Outcome.STALE_EPOCH);
    directory.records.put(8L, Publications.record(Publications.of(5, FINISHED, null)));
    assertOutcome(publisher.started(8, 5, NOON), Outcome.ENDED);
  }

  @ParameterizedTest
  @EnumSource(PublishOutcome.class)
  void L30_every_answer_of_the_owner_has_an_outcome_of_its_name(PublishOutcome answer) {
    JobDirectory one =
        new JobDirectory() {
          @Override
          public Call<PublishOutcome> publish(Publication publication) {
            return Call.of(answer);
          }

          @Override
          public Call<Boolean> remove(long jobId) {
            return Call.of(true);
          }

          @Override
          public Call<@Nullable JobRecord> read(long jobId, Deadline deadline) {
            throw new AssertionError("a publisher reads nothing");
          }
        };
    JobGraphPublisher told = publisher(one, DirectoryConfig.DEFAULT);
    assertThat(join(told.started(7, 1, NOON)).name()).isEqualTo(answer.name());
  }

  @Test
  void L30_what_failed_is_said_again_with_the_next_step() {
    directory.failure = new DirectoryUnavailableException(Unavailability.STORE_FAILED);
    assertOutcome(publisher.started(7, 1, NOON), Outcome.UNAVAILABLE);
    assertOutcome(publisher.transition(7, 1, RUNNING), Outcome.UNAVAILABLE);
    directory.failure = null;
    assertOutcome(publisher.graph(7, 1, GRAPH), Outcome.PUBLISHED);
    assertThat(directory.records.get(7L))
        .isEqualTo(Publications.record(Publications.of(1, RUNNING, Publications.GRAPH)));
  }

  @Test
  void L30_calls_for_one_job_are_made_one_after_the_other_and_for_others_beside_them() {
    directory.manual = true;
    CompletionStage<Outcome> first = publisher.started(7, 1, NOON);
    CompletionStage<Outcome> second = publisher.finished(7, 1, FINISHED);
    CompletionStage<Outcome> third = publisher.removed(7);
    publisher.started(8, 1, NOON);
    assertThat(directory.told).extracting(Publication::jobId).containsExactly(7L, 8L);
    assertThat(publisher.underWay()).isEqualTo(4);
    directory.answerNext();
    assertOutcome(first, Outcome.PUBLISHED);
    assertThat(directory.told).hasSize(3);
    assertThat(isDone(second)).isFalse();
    directory.answerNext();
    directory.answerNext();
    assertOutcome(second, Outcome.PUBLISHED);
    directory.answerNext();
    assertOutcome(third, Outcome.PUBLISHED);
    assertThat(directory.records).containsOnlyKeys(8L);
  }

  @Test
  void L16_a_call_that_was_answered_but_goes_on_still_holds_back_the_next_for_its_job() {
    CompletableFuture<Object> ended = new CompletableFuture<>();
    List<Publication> told = new ArrayList<>();
    JobDirectory late =
        new JobDirectory() {
          @Override
          public Call<PublishOutcome> publish(Publication publication) {
            told.add(publication);
            return new Call<>(
                CompletableFuture.failedStage(
                    new DirectoryUnavailableException(Unavailability.DEADLINE)),
                ended);
          }

          @Override
          public Call<Boolean> remove(long jobId) {
            return Call.of(true);
          }

          @Override
          public Call<@Nullable JobRecord> read(long jobId, Deadline deadline) {
            throw new AssertionError("a publisher reads nothing");
          }
        };
    JobGraphPublisher waiting = publisher(late, DirectoryConfig.DEFAULT);
    assertOutcome(waiting.started(7, 1, NOON), Outcome.UNAVAILABLE);
    CompletionStage<Outcome> next = waiting.transition(7, 1, RUNNING);
    assertThat(told).hasSize(1);
    assertThat(isDone(next)).isFalse();
    ended.complete("");
    assertThat(told).hasSize(2);
  }

  @Test
  void L30_past_the_bound_a_publication_is_refused_at_once_and_leaves_nothing_behind() {
    directory.manual = true;
    for (int i = 1; i <= JobGraphPublisher.MAX_UNDER_WAY; i++) {
      publisher.started(1 + i % 10, 1 + i / 10, NOON);
    }
    assertThat(publisher.underWay()).isEqualTo(JobGraphPublisher.MAX_UNDER_WAY);
    assertOutcome(publisher.started(99, 1, NOON), Outcome.BUSY);
    assertOutcome(publisher.removed(99), Outcome.BUSY);
    assertOutcome(publisher.transition(99, 1, RUNNING), Outcome.NOT_STARTED);
    assertThat(publisher.jobs()).isEqualTo(10);
    directory.answerNext();
    assertThat(isDone(publisher.started(99, 1, NOON))).isFalse();
    while (!directory.open.isEmpty()) {
      directory.answerNext();
    }
    assertThat(publisher.underWay()).isZero();
    assertThat(publisher.count(Outcome.BUSY)).isEqualTo(2);
  }

  @Test
  void L30_the_caller_waits_for_neither_the_workers_nor_the_store() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    JobGraphPublisher idle = new JobGraphPublisher(directory, DirectoryConfig.DEFAULT, tasks::add);
    CompletionStage<Outcome> first = idle.started(7, 1, NOON);
    CompletionStage<Outcome> second = idle.graph(7, 1, GRAPH);
    idle.started(8, 1, NOON);
    assertThat(directory.told).as("told by the caller's thread").isEmpty();
    assertThat(tasks).as("workers in use at once").hasSize(1);
    tasks.remove().run();
    assertOutcome(first, Outcome.PUBLISHED);
    assertOutcome(second, Outcome.PUBLISHED);
    assertThat(directory.told).hasSize(3);
    assertThat(tasks).isEmpty();
  }

  @Test
  void L30_a_publisher_whose_workers_are_gone_says_so() {
    JobGraphPublisher stopped =
        new JobGraphPublisher(
            directory,
            DirectoryConfig.DEFAULT,
            task -> {
              throw new RejectedExecutionException();
            });
    assertOutcome(stopped.started(7, 1, NOON), Outcome.UNAVAILABLE);
    assertOutcome(stopped.graph(7, 1, GRAPH), Outcome.UNAVAILABLE);
    assertThat(stopped.underWay()).isZero();
  }

  @Test
  void L12_a_graph_past_the_bytes_of_a_publication_is_too_large() {
    int length = Publications.GRAPH.length;
    assertOutcome(graphUnder(length), Outcome.PUBLISHED);
    assertOutcome(graphUnder(length - 1), Outcome.TOO_LARGE);
  }

  private CompletionStage<Outcome> graphUnder(int bytes) {
    JobGraphPublisher small = publisher(directory, bounds(10, bytes));
    directory.records.clear();
    small.started(7, 1, NOON);
    return small.graph(7, 1, GRAPH);
  }

  @Test
  void L30_executions_are_remembered_within_a_bound_and_can_be_started_again() {
    JobGraphPublisher small = publisher(directory, bounds(2, 1 << 20));
    for (long job = 1; job <= 3; job++) {
      small.started(job, 1, NOON);
    }
    assertThat(small.jobs()).isEqualTo(2);
    assertOutcome(small.transition(1, 1, RUNNING), Outcome.NOT_STARTED);
    assertOutcome(small.transition(3, 1, RUNNING), Outcome.PUBLISHED);
    assertOutcome(small.started(1, 1, NOON), Outcome.UNCHANGED);
    assertOutcome(small.transition(1, 1, RUNNING), Outcome.PUBLISHED);
  }

  @Test
  void L30_a_fault_of_the_store_s_own_is_a_failure_and_holds_nothing_back() {
    directory.failure = new IllegalStateException();
    assertThat(publisher.started(7, 1, NOON).toCompletableFuture()).isCompletedExceptionally();
    directory.failure = null;
    assertOutcome(publisher.transition(7, 1, RUNNING), Outcome.PUBLISHED);
    JobGraphPublisher broken = publisher(null, DirectoryConfig.DEFAULT);
    assertThat(broken.started(7, 1, NOON).toCompletableFuture()).isCompletedExceptionally();
    assertThat(broken.underWay()).isZero();
  }

  @Test
  void L30_arguments_that_are_never_right_are_refused() {
    publisher.started(7, 1, NOON);
    List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> wrong =
        List.of(
            () -> publisher.started(0, 1, NOON),
            () -> publisher.started(7, 0, NOON),
            () -> publisher.graph(8, 1, GRAPH),
            () -> publisher.finished(7, 1, RUNNING));
    for (var call : wrong) {
      assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(directory.told).hasSize(1);
  }

  @Property(tries = 300)
  void L30_however_calls_of_several_jobs_overlap_each_job_ends_as_if_they_had_not(
      @ForAll long seed) {
    Random random = new Random(seed);
    ScriptedDirectory slow = new ScriptedDirectory();
    slow.manual = true;
    ScriptedDirectory quick = new ScriptedDirectory();
    JobGraphPublisher overlapping = publisher(slow, DirectoryConfig.DEFAULT);
    JobGraphPublisher alone = publisher(quick, DirectoryConfig.DEFAULT);
    Map<CompletionStage<Outcome>, Outcome> expected = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      long job = 1 + random.nextInt(3);
      long call = random.nextLong();
      expected.put(
          step(overlapping, job, new Random(call)), join(step(alone, job, new Random(call))));
      while (!slow.open.isEmpty() && random.nextInt(3) == 0) {
        slow.answerNext();
      }
    }
    while (!slow.open.isEmpty()) {
      slow.answerNext();
    }
    expected.forEach(EmbeddedPublisherTest::assertOutcome);
    assertThat(slow.records).isEqualTo(quick.records);
  }

  private static CompletionStage<Outcome> step(
      JobGraphPublisher publisher, long job, Random random) {
    long epoch = 1 + random.nextInt(3);
    JobStatus status = JobStatus.values()[random.nextInt(JobStatus.values().length)];
    ReportedGraph chain = ReportedGraph.chain(2 + random.nextInt(2));
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> publisher.started(job, epoch, NOON);
      case 3, 4 ->
          publisher.graph(
              job, epoch, new ReportedGraph(job, chain.nodes(), chain.edges()).checked());
      case 5, 6 -> publisher.transition(job, epoch, status);
      default -> publisher.removed(job);
    };
  }

  private static void assertOutcome(CompletionStage<Outcome> stage, Outcome expected) {
    assertThat(join(stage)).isEqualTo(expected);
  }

  private static Outcome join(CompletionStage<Outcome> stage) {
    assertThat(isDone(stage)).as("answered").isTrue();
    return stage.toCompletableFuture().join();
  }

  private static boolean isDone(CompletionStage<?> stage) {
    return stage.toCompletableFuture().isDone();
  }
}
