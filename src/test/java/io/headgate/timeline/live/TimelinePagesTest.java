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
import io.headgate.timeline.live.JobPresence.Kind;
import io.headgate.timeline.live.TimelineAnswer.Outcome;
import io.headgate.wire.Digests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From what store and sources say to the kind of answer (T13, T15). */
class TimelinePagesTest {
  private static final Deadline FAR = Deadline.in(Duration.ofHours(1));

  private final CompletableFuture<byte @Nullable []> page = new CompletableFuture<>();
  private final CompletableFuture<Void> pageEnded = new CompletableFuture<>();
  private final CompletableFuture<JobPresence> presence = new CompletableFuture<>();
  private final CompletableFuture<String> history = new CompletableFuture<>();
  private final CompletableFuture<Void> historyEnded = new CompletableFuture<>();
  private int cap;
  private int questions;

  private final TimelineStore store =
      new TimelineStore() {
        @Override
        public Call<Receipt> apply(TimelineChange change, Deadline deadline) {
          throw new AssertionError("a question changes nothing");
        }

        @Override
        public Call<byte @Nullable []> page(
            long jobId, TimelineQuery query, boolean errors, int most, Deadline deadline) {
          cap = most;
          return new Call<>(page, pageEnded);
        }
      };

  private Call<TimelineAnswer> begun(Executor workers) {
    return new TimelinePages(
            store, deadline -> new Call<>(history, historyEnded), false, 1024, workers)
        .begin(
            7,
            TimelineQuery.DEFAULT,
            FAR,
            jobId -> {
              questions++;
              return presence;
            });
  }

  private static TimelineAnswer answer(Call<TimelineAnswer> call) {
    return call.answer().toCompletableFuture().getNow(null);
  }

  private static boolean ended(Call<TimelineAnswer> call) {
    return call.ended().toCompletableFuture().isDone();
  }

  @Test
  void T13_what_is_stored_is_the_answer_and_no_source_is_asked() {
    Call<TimelineAnswer> call = begun(Runnable::run);
    byte[] bytes = "{}".getBytes(StandardCharsets.US_ASCII);
    page.complete(bytes);
    assertThat(answer(call).outcome()).isEqualTo(Outcome.OK);
    assertThat(answer(call).body()).isEqualTo(bytes);
    assertThat(answer(call).etag()).isEqualTo(Digests.etag(bytes, bytes.length));
    assertThat(questions).isZero();
    assertThat(cap).as("never less").isEqualTo(TimelinePages.LEAST_BYTES);
  }

  @Test
  void T15_the_permit_stays_taken_until_the_last_call_has_ended() {
    Call<TimelineAnswer> call = begun(Runnable::run);
    page.complete(null);
    presence.complete(new JobPresence(Kind.ACTIVE, "ok"));
    history.complete("0123456789abcdef");
    assertThat(answer(call).outcome()).isEqualTo(Outcome.OK);
    assertThat(ended(call)).isFalse();
    pageEnded.complete(null);
    assertThat(ended(call)).isFalse();
    historyEnded.complete(null);
    assertThat(ended(call)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void T13_without_records_the_sources_decide(Kind kind) {
    Call<TimelineAnswer> call = begun(Runnable::run);
    page.complete(null);
    assertThat(questions).isEqualTo(1);
    presence.complete(new JobPresence(kind, "word"));
    history.complete("0123456789abcdef");
    TimelineAnswer answer = answer(call);
    assertThat(answer.outcome())
        .isEqualTo(
            switch (kind) {
              case ACTIVE, ENDED -> Outcome.OK;
              case ABSENT -> Outcome.NOT_FOUND;
              case UNSAID -> Outcome.TEMPORARILY_UNAVAILABLE;
              case FAILED -> Outcome.INTERNAL_ERROR;
            });
    if (answer.outcome() == Outcome.OK) {
      assertThat(new String(answer.body(), StandardCharsets.UTF_8))
          .contains("\"jobId\":\"7\",\"historyId\":\"0123456789abcdef\",\"records\":[]");
    } else {
      assertThat(answer.reason()).isEqualTo("word");
    }
  }

  @ParameterizedTest
  @EnumSource(Unavailability.class)
  void T15_a_store_that_can_say_nothing_is_503_and_no_source_is_asked(Unavailability reason) {
    Call<TimelineAnswer> call = begun(Runnable::run);
    page.completeExceptionally(new TimelineUnavailableException(reason));
    assertThat(answer(call))
        .isEqualTo(TimelineAnswer.without(Outcome.TEMPORARILY_UNAVAILABLE, reason.label()));
    assertThat(questions).isZero();
  }

  @Test
  void T15_no_history_for_an_empty_list_is_503_and_never_an_unknown_job() {
    Call<TimelineAnswer> call = begun(Runnable::run);
    page.complete(null);
    presence.complete(new JobPresence(Kind.ACTIVE, "ok"));
    history.completeExceptionally(new TimelineUnavailableException(Unavailability.STORE_FAILED));
    assertThat(answer(call).outcome()).isEqualTo(Outcome.TEMPORARILY_UNAVAILABLE);
  }

  @Test
  void T15_a_gateway_that_is_being_stopped_says_so() {
    Call<TimelineAnswer> call =
        begun(
            task -> {
              throw new RejectedExecutionException();
            });
    page.complete(new byte[0]);
    assertThat(answer(call))
        .isEqualTo(TimelineAnswer.without(Outcome.TEMPORARILY_UNAVAILABLE, "stopping"));
  }
}
