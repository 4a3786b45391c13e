package io.headgate.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.Lookup;
import io.headgate.graph.Unavailability;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The directory asked as a source, with a store that says what it is told. */
class DirectoryLookupTest {
  private static final Deadline FAR = Deadline.in(Duration.ofHours(1));

  private final CompletableFuture<@Nullable JobRecord> record = new CompletableFuture<>();
  private final CompletableFuture<JobListing.Read> listing = new CompletableFuture<>();
  private final CompletableFuture<Object> ended = new CompletableFuture<>();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final DirectoryJobSource source =
      new DirectoryJobSource(
          new ReadOnly(),
          GraphLimits.DEFAULT,
          Clock.fixed(Publications.NOON, ZoneOffset.UTC),
          tasks::add);

  private final class ReadOnly implements JobDirectory {
    @Override
    public Call<PublishOutcome> publish(Publication publication) {
      throw new AssertionError("a lookup publishes nothing");
    }

    @Override
    public Call<Boolean> remove(long jobId) {
      throw new AssertionError("a lookup removes nothing");
    }

    @Override
    public Call<@Nullable JobRecord> read(long jobId, Deadline deadline) {
      assertThat(jobId).isEqualTo(7);
      assertThat(deadline).isEqualTo(FAR);
      return new Call<>(record, ended);
    }

    @Override
    public Call<JobListing.Read> list(int most, Deadline deadline) {
      assertThat(most).isEqualTo(9);
      assertThat(deadline).isEqualTo(FAR);
      return new Call<>(listing, ended);
    }
  }

  @Test
  void the_jobs_of_the_directory_are_listed_or_the_reason_why_not() {
    JobListing.Read jobs =
        new JobListing.Read(
            List.of(new JobSummary(7, null, JobStatus.RUNNING, true, null, null)), true);
    Call<JobListing> call = source.list(9, FAR);
    listing.complete(jobs);
    assertThat(call.answer().toCompletableFuture()).isCompletedWithValue(jobs);
    assertThat(isDone(call.ended())).as("while the store has something open").isFalse();
    ended.complete("");
    assertThat(isDone(call.ended())).isTrue();
  }

  @Test
  void jobs_that_cant_be_listed_are_told_with_the_reason() {
    listing.completeExceptionally(
        new DirectoryUnavailableException(Unavailability.CLUSTER_TOO_SMALL));
    assertThat(source.list(9, FAR).answer().toCompletableFuture())
        .isCompletedWithValue(new JobListing.Unavailable(Unavailability.CLUSTER_TOO_SMALL));
  }

  @Test
  void L25_a_job_without_a_record_is_not_found() {
    record.complete(null);
    assertThat(answered()).isEqualTo(new Lookup.NotFound());
  }

  @Test
  void L25_the_record_is_read_as_of_the_clock_and_its_graph_decoded_on_a_worker() {
    Call<Lookup> call = source.lookup(7, FAR);
    record.complete(Publications.record(Publications.of(1, JobStatus.RUNNING, Publications.GRAPH)));
    assertThat(isDone(call.answer())).as("decoded by the store's thread").isFalse();
    tasks.remove().run();
    assertThat(call.answer().toCompletableFuture().join()).isInstanceOf(Lookup.Found.class);
  }

  @Test
  void L22_a_record_that_has_expired_is_not_found_although_the_store_still_has_it() {
    Publication ended = Publications.of(1, JobStatus.FINISHED, Publications.GRAPH);
    record.complete(
        JobRecord.publish(null, ended, Publications.NOW - 60_000, Publications.HISTORY).record());
    assertThat(answered()).isEqualTo(new Lookup.NotFound());
  }

  @ParameterizedTest
  @EnumSource(Unavailability.class)
  void L21_a_store_that_can_not_answer_is_unavailable(Unavailability reason) {
    record.completeExceptionally(new DirectoryUnavailableException(reason));
    assertThat(answered()).isEqualTo(new Lookup.Unavailable(reason));
  }

  @Test
  void L21_any_other_failure_stays_one() {
    record.completeExceptionally(new IllegalStateException());
    Call<Lookup> call = source.lookup(7, FAR);
    tasks.forEach(Runnable::run);
    assertThat(call.answer().toCompletableFuture()).isCompletedExceptionally();
  }

  @Test
  void L16_the_call_ends_with_the_store_s_and_not_before_its_answer() {
    Call<Lookup> call = source.lookup(7, FAR);
    ended.complete("");
    assertThat(isDone(call.ended())).as("ended before its answer").isFalse();
    record.complete(null);
    tasks.remove().run();
    assertThat(isDone(call.ended())).isTrue();
  }

  private Lookup answered() {
    Call<Lookup> call = source.lookup(7, FAR);
    tasks.forEach(Runnable::run);
    assertThat(isDone(call.ended())).as("ended while the store's call is open").isFalse();
    return call.answer().toCompletableFuture().join();
  }

  private static boolean isDone(CompletionStage<?> stage) {
    return stage.toCompletableFuture().isDone();
  }
}
