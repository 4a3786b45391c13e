package io.headgate.timeline.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineQuery;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The changes of one report on their way to the store (T1a). */
class ChangeBatchTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Receipt DONE = new Receipt(1, 0, 0, 0, 0, List.of());

  /** A store whose calls the test answers, or that answers at once. */
  private static final class Store implements TimelineStore {
    final List<CompletableFuture<Receipt>> answers = new ArrayList<>();
    final List<CompletableFuture<@Nullable Void>> ends = new ArrayList<>();
    boolean atOnce;

    @Override
    public Call<Receipt> apply(TimelineChange change, Deadline deadline) {
      CompletableFuture<Receipt> answer = new CompletableFuture<>();
      CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
      answers.add(answer);
      ends.add(end);
      if (atOnce) {
        answer.complete(new Receipt((int) change.jobId(), 0, 0, 0, 0, List.of()));
        end.complete(null);
      }
      return new Call<>(answer, end);
    }

    void finish(int index) {
      answers.get(index).complete(DONE);
      ends.get(index).complete(null);
    }

    @Override
    public Call<byte @Nullable []> page(
        long jobId, TimelineQuery query, boolean errorSummaries, int cap, Deadline deadline) {
      throw new AssertionError("nobody asks for pages");
    }
  }

  private final Store store = new Store();

  private static List<TimelineChange> changes(int jobs) {
    return LongStream.rangeClosed(1, jobs)
        .<TimelineChange>mapToObj(job -> new TimelineChange.Observed(job, List.of(), 1))
        .toList();
  }

  private Call<List<Receipt>> begin(int jobs, Duration patience, Executor workers) {
    return ChangeBatch.apply(store, changes(jobs), Deadline.in(patience), workers);
  }

  private static Unavailability reason(Call<?> call) {
    Throwable failure =
        call.answer().toCompletableFuture().handle((done, cause) -> cause).getNow(null);
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    assertThat(cause).isInstanceOf(TimelineUnavailableException.class);
    return ((TimelineUnavailableException) cause).reason();
  }

  private static boolean isAnswered(Call<?> call) {
    return call.answer().toCompletableFuture().isDone();
  }

  private static boolean hasEnded(Call<?> call) {
    return call.ended().toCompletableFuture().isDone();
  }

  @Test
  void T1a_all_are_made_a_few_at_a_time_and_the_answer_comes_with_the_last() {
    Call<List<Receipt>> call = begin(40, LONG, Runnable::run);
    assertThat(store.answers).hasSize(16);
    for (int i = 0; i < 39; i++) {
      store.finish(i);
      assertThat(store.answers).hasSize(Math.min(40, 17 + i));
      assertThat(isAnswered(call)).isFalse();
    }
    store.finish(39);
    assertThat(call.answer().toCompletableFuture().join()).hasSize(40).containsOnly(DONE);
    assertThat(hasEnded(call)).isTrue();
  }

  @Test
  void T1a_receipts_come_in_the_order_of_the_changes_however_many_there_are() {
    store.atOnce = true;
    List<Receipt> receipts =
        begin(4_000, LONG, Runnable::run).answer().toCompletableFuture().join();
    assertThat(receipts).extracting(Receipt::recorded).first().isEqualTo(1);
    assertThat(receipts).extracting(Receipt::recorded).last().isEqualTo(4_000);
  }

  @Test
  void T1a_a_report_without_a_schema_event_is_done_at_once() {
    Call<List<Receipt>> call = begin(0, LONG, Runnable::run);
    assertThat(call.answer().toCompletableFuture().join()).isEmpty();
    assertThat(hasEnded(call)).isTrue();
  }

  @Test
  void T1a_after_a_failure_none_begins_and_the_end_comes_when_nothing_is_open() {
    Call<List<Receipt>> call = begin(40, LONG, Runnable::run);
    store
        .answers
        .get(3)
        .completeExceptionally(new TimelineUnavailableException(Unavailability.STORE_FAILED));
    assertThat(reason(call)).isEqualTo(Unavailability.STORE_FAILED);
    for (int i = 0; i < 16; i++) {
      assertThat(hasEnded(call)).as("with %d ended", i).isFalse();
      store.finish(i);
    }
    assertThat(hasEnded(call)).isTrue();
    assertThat(store.answers).hasSize(16);
  }

  @Test
  void T1a_past_the_deadline_none_begins() {
    Call<List<Receipt>> call = begin(40, Duration.ZERO, Runnable::run);
    assertThat(reason(call)).isEqualTo(Unavailability.DEADLINE);
    assertThat(hasEnded(call)).isTrue();
    assertThat(store.answers).isEmpty();
  }

  @Test
  void T1a_a_gateway_that_stops_begins_none_and_lets_what_is_open_end() {
    Call<List<Receipt>> call =
        begin(
            40,
            LONG,
            task -> {
              throw new RejectedExecutionException();
            });
    store.finish(0);
    assertThat(reason(call)).isEqualTo(Unavailability.STOPPING);
    for (int i = 1; i < 16; i++) {
      assertThat(hasEnded(call)).isFalse();
      store.finish(i);
    }
    assertThat(hasEnded(call)).isTrue();
    assertThat(store.answers).hasSize(16);
  }
}
