package io.headgate.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Execution;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.ReportedGraph;
import io.headgate.kit.LoggedLines;
import io.headgate.lineage.LineageAnswer.Outcome;
import io.headgate.state.ExecutionFence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults of ours or of a source (L21): 500, a log line without foreign text, and nothing stuck. */
class InternalFailureTest {
  private static final String SENTINEL = "s3cr3t-sentinel";
  private static final Lookup FOUND =
      new Lookup.Found(
          ReportedGraph.chain(3).checked(), Execution.ofLocalTime("2026-11-30 09:41:54"), false);
  private static final JobGraphSource WORKING = (job, deadline) -> Call.of(FOUND);
  private static final ExecutionFence OPEN =
      (graph, execution, form) ->
          CompletableFuture.completedStage(new ExecutionFence.Passed.Serve(graph));

  private final LoggedLines log = LoggedLines.insteadOf(LineageService.class);

  @AfterEach
  void stopListening() {
    log.close();
  }

  static Stream<Arguments> failures() {
    RuntimeException failure = new IllegalStateException(SENTINEL);
    return Stream.of(
        Arguments.of(
            "the source throws",
            service(
                (job, deadline) -> {
                  throw failure;
                })),
        Arguments.of("the source's answer fails", service((job, d) -> failed(failure))),
        Arguments.of(
            "the source's answer fails with a cause",
            service((job, d) -> failed(new CompletionException(SENTINEL, failure)))),
        Arguments.of(
            "the source's answer is cancelled",
            service(
                (job, deadline) -> {
                  CompletableFuture<Lookup> cancelled = new CompletableFuture<>();
                  cancelled.cancel(true);
                  return Call.of(cancelled);
                })),
        Arguments.of(
            "the source's class can't be linked",
            service(
                (job, deadline) -> {
                  throw new NoClassDefFoundError(SENTINEL);
                })),
        Arguments.of(
            "the source answers null",
            service((job, d) -> Call.of(CompletableFuture.completedStage(null)))),
        Arguments.of(
            "the fence throws",
            new LineageService(
                WORKING,
                (graph, execution, form) -> {
                  throw failure;
                },
                1 << 20,
                Runnable::run)),
        Arguments.of(
            "the fence's answer fails",
            new LineageService(
                WORKING,
                (graph, execution, form) -> CompletableFuture.failedStage(failure),
                1 << 20,
                Runnable::run)),
        Arguments.of(
            "the fence answers null",
            new LineageService(
                WORKING,
                (graph, execution, form) -> CompletableFuture.completedStage(null),
                1 << 20,
                Runnable::run)),
        Arguments.of("the cap is no cap", new LineageService(WORKING, OPEN, 0, Runnable::run)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failures")
  void L21_an_unexpected_failure_is_an_internal_error_and_ends_the_call(
      String what, LineageService service) {
    Call<LineageAnswer> call = service.begin(7, Deadline.in(Duration.ofHours(1)));
    assertThat(call.answer().toCompletableFuture())
        .isCompletedWithValue(LineageAnswer.without(Outcome.INTERNAL_ERROR, "internal"));
    assertThat(call.ended().toCompletableFuture()).as("the permit can come back").isCompleted();
  }

  @Test
  void L21_workers_that_take_nothing_more_belong_to_a_gateway_that_stops() {
    Executor closed =
        task -> {
          throw new RejectedExecutionException(SENTINEL);
        };
    Call<LineageAnswer> call =
        new LineageService(WORKING, OPEN, 1 << 20, closed)
            .begin(7, Deadline.in(Duration.ofHours(1)));
    assertThat(call.answer().toCompletableFuture())
        .isCompletedWithValue(LineageAnswer.without(Outcome.TEMPORARILY_UNAVAILABLE, "stopping"));
    assertThat(call.ended().toCompletableFuture()).as("the permit can come back").isCompleted();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failures")
  void L21_the_log_names_the_kind_of_failure_and_no_foreign_text(
      String what, LineageService service) {
    service.begin(7, Deadline.in(Duration.ofHours(1)));
    assertThat(log.events()).singleElement().satisfies(InternalFailureTest::assertClean);
  }

  private static void assertClean(ILoggingEvent event) {
    assertThat(event.getFormattedMessage())
        .containsPattern("(Exception|Error) at ")
        .doesNotContain(SENTINEL);
    assertThat(event.getThrowableProxy()).as("a stack trace carries its message").isNull();
  }

  @Test
  void L16_the_end_of_the_work_may_fail_without_harm() {
    CompletableFuture<Void> ended = CompletableFuture.failedFuture(new RuntimeException(SENTINEL));
    Call<Lookup> lookup =
        new Call<>(CompletableFuture.completedStage(new Lookup.NotFound()), ended);
    Call<LineageAnswer> call =
        service((job, deadline) -> lookup).begin(7, Deadline.in(Duration.ofHours(1)));
    assertThat(call.answer().toCompletableFuture())
        .isCompletedWithValueMatching(answer -> answer.outcome() == Outcome.NOT_FOUND);
    assertThat(call.ended().toCompletableFuture()).isCompleted();
  }

  @Test
  void L21_a_fatal_error_of_the_JVM_is_not_swallowed() {
    List<Throwable> seen = new ArrayList<>();
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
    thread.setUncaughtExceptionHandler((where, error) -> seen.add(error));
    try {
      Error fatal = new InternalError(SENTINEL);
      Call<LineageAnswer> call =
          service((job, deadline) -> failed(fatal)).begin(7, Deadline.in(Duration.ofHours(1)));
      assertThat(seen).containsExactly(fatal);
      assertThat(call.answer().toCompletableFuture())
          .isCompletedWithValue(LineageAnswer.without(Outcome.INTERNAL_ERROR, "internal"));
    } finally {
      thread.setUncaughtExceptionHandler(before);
    }
  }

  private static LineageService service(JobGraphSource source) {
    return new LineageService(source, OPEN, 1 << 20, Runnable::run);
  }

  private static Call<Lookup> failed(Throwable failure) {
    CompletionStage<Lookup> answer = CompletableFuture.failedStage(failure);
    return Call.of(answer);
  }
}
