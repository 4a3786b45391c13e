package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of calls to the cluster, with a cluster, a clock and threads of the test's own. */
class StoreCallsTest {
  private static final Deadline FAR = Deadline.in(Duration.ofHours(1));

  /** What is to run later, in the order it was asked for; null where it was taken back. */
  private final List<@Nullable Runnable> later = new ArrayList<>();

  private final List<Long> pauses = new ArrayList<>();
  private final Deque<Runnable> callbacks = new ArrayDeque<>();
  private final Deque<CompletableFuture<String>> attempts = new ArrayDeque<>();

  private @Nullable Unavailability unusable;

  private final StoreCalls calls =
      new StoreCalls("test", 2, () -> unusable, callbacks::add, this::after);

  private Runnable after(long nanos, Runnable task) {
    int place = later.size();
    later.add(task);
    pauses.add(nanos);
    return () -> later.set(place, null);
  }

  private CompletionStage<String> attempt() {
    attempts.add(new CompletableFuture<>());
    return attempts.getLast();
  }

  private void runCallbacks() {
    for (Runnable next = callbacks.poll(); next != null; next = callbacks.poll()) {
      next.run();
    }
  }

  private void runLater(int index) {
    Runnable task = later.get(index);
    assertThat(task).as("not taken back").isNotNull();
    task.run();
    runCallbacks();
  }

  private static Unavailability reason(Call<?> call) {
    assertThat(call.answer().toCompletableFuture()).isCompletedExceptionally();
    Throwable failure =
        call.answer().handle((answer, thrown) -> thrown).toCompletableFuture().join();
    return StoreException.reason(failure);
  }

  @Test
  void an_answer_comes_on_the_threads_that_were_given() {
    Call<String> call = calls.begin(this::attempt, FAR);
    assertThat(calls.open()).isEqualTo(1);
    attempts.remove().complete("found");
    assertThat(call.answer().toCompletableFuture()).isNotDone();
    runCallbacks();
    assertThat(call.answer().toCompletableFuture()).isCompletedWithValue("found");
    assertThat(call.ended().toCompletableFuture()).isCompleted();
    assertThat(calls.open()).isZero();
    assertThat(later).as("the clock was stopped").containsOnlyNulls();
  }

  @Test
  void at_the_bound_a_call_is_refused_and_not_made() {
    calls.begin(this::attempt, FAR);
    calls.begin(this::attempt, FAR);
    assertThat(reason(calls.begin(this::attempt, FAR))).isEqualTo(Unavailability.STORE_BUSY);
    assertThat(attempts).hasSize(2);
    assertThat(calls.refused()).isEqualTo(1);
    attempts.remove().complete("one");
    runCallbacks();
    assertThat(calls.begin(this::attempt, FAR).answer().toCompletableFuture()).isNotDone();
  }

  @Test
  void L16_a_late_call_fails_at_its_deadline_and_stays_open_until_it_ends() {
    Call<String> call = calls.begin(this::attempt, FAR);
    runLater(0);
    assertThat(reason(call)).isEqualTo(Unavailability.DEADLINE);
    assertThat(call.ended().toCompletableFuture()).isNotDone();
    assertThat(calls.open()).isEqualTo(1);
    attempts.remove().complete("too late");
    runCallbacks();
    assertThat(call.ended().toCompletableFuture()).isCompleted();
    assertThat(calls.open()).isZero();
    assertThat(calls.late()).isEqualTo(1);
    assertThat(calls.failed()).isZero();
  }

  @Test
  void a_call_is_made_again_after_growing_pauses_while_members_are_lost() {
    Call<String> call = calls.begin(this::attempt, FAR);
    for (int i = 1; i <= 7; i++) {
      attempts.remove().completeExceptionally(new IndeterminateOperationStateException("lost"));
      runCallbacks();
      assertThat(attempts).as("not before the pause").isEmpty();
      runLater(i);
    }
    attempts.remove().complete("found");
    runCallbacks();
    assertThat(call.answer().toCompletableFuture()).isCompletedWithValue("found");
    assertThat(pauses.subList(1, 8).stream().map(nanos -> nanos / 1_000_000))
        .containsExactly(10L, 20L, 40L, 80L, 160L, 200L, 200L);
    assertThat(calls.repeated()).isEqualTo(7);
    assertThat(calls.failed()).isZero();
    assertThat(calls.open()).isZero();
  }

  @Test
  void a_call_is_not_made_again_where_its_deadline_would_come_first() {
    Call<String> call = calls.begin(this::attempt, new Deadline(System.nanoTime()));
    attempts.remove().completeExceptionally(new TargetNotMemberException("moved"));
    runCallbacks();
    assertThat(reason(call)).isEqualTo(Unavailability.STORE_FAILED);
    assertThat(calls.failed()).isEqualTo(1);
    assertThat(calls.repeated()).isZero();
  }

  static List<Arguments> failures() {
    return List.of(
        Arguments.of(new SplitBrainProtectionException("few"), Unavailability.CLUSTER_TOO_SMALL),
        Arguments.of(new HazelcastInstanceNotActiveException(), Unavailability.CLUSTER_JOINING),
        Arguments.of(new StoreException(Unavailability.STOPPING), Unavailability.STOPPING),
        Arguments.of(new HazelcastException("s3cr3t"), Unavailability.STORE_FAILED),
        Arguments.of(new IllegalStateException("s3cr3t"), Unavailability.STORE_FAILED));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void what_a_call_fails_with_has_a_reason(RuntimeException failure, Unavailability reason) {
    Call<String> wrapped = calls.begin(this::attempt, FAR);
    attempts
        .remove()
        .completeExceptionally(new CompletionException(new ExecutionException(failure)));
    runCallbacks();
    assertThat(reason(wrapped)).isEqualTo(reason);
    Supplier<CompletionStage<String>> throwing =
        () -> {
          throw failure;
        };
    Call<String> thrown = calls.begin(throwing, FAR);
    runCallbacks();
    assertThat(reason(thrown)).isEqualTo(reason);
    assertThat(calls.open()).isZero();
  }

  @Test
  void an_answer_that_must_not_be_believed_by_now_counts_as_none() {
    Call<String> call = calls.begin(this::attempt, FAR);
    unusable = Unavailability.CLUSTER_TOO_SMALL;
    attempts.remove().complete("what a member says that was cut off");
    runCallbacks();
    assertThat(reason(call)).isEqualTo(Unavailability.CLUSTER_TOO_SMALL);
    assertThat(calls.failed()).isEqualTo(1);
  }
}
