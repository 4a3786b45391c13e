package io.headgate.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Calls for a few jobs, offered by many threads and answered by others. */
class OverlappingCallsTest {
  private static final int THREADS = 4;
  private static final int JOBS = 3;
  private static final int CALLS = 3_000;

  private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final ExecutorService store = Executors.newFixedThreadPool(THREADS);
  private final OrderedCalls<String> calls = new OrderedCalls<>(worker, "refused");

  @Test
  void L30_no_two_calls_of_a_job_overlap_and_none_is_lost() throws Exception {
    Map<Long, AtomicInteger> open = new ConcurrentHashMap<>();
    AtomicInteger overlaps = new AtomicInteger();
    List<Future<List<CompletableFuture<String>>>> offers = new ArrayList<>();
    try {
      for (int thread = 0; thread < THREADS; thread++) {
        offers.add(callers.submit(() -> offerAll(open, overlaps)));
      }
      int answered = 0;
      for (Future<List<CompletableFuture<String>>> each : offers) {
        for (CompletableFuture<String> answer : each.get(60, TimeUnit.SECONDS)) {
          assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("done");
          answered++;
        }
      }
      assertThat(answered).isPositive();
      assertThat(overlaps).hasValue(0);
    } finally {
      callers.shutdownNow();
      for (ExecutorService each : List.of(store, worker)) {
        each.shutdown(); // the last calls end on either
        assertThat(each.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      }
    }
    assertThat(calls.underWay()).isZero();
  }

  private List<CompletableFuture<String>> offerAll(
      Map<Long, AtomicInteger> open, AtomicInteger overlaps) {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      long job = i % JOBS;
      AtomicInteger ofJob = open.computeIfAbsent(job, id -> new AtomicInteger());
      CompletableFuture<String> answer = calls.offer(job, () -> call(ofJob, overlaps));
      if (answer != null) {
        answers.add(answer);
        calls.work();
      }
    }
    return answers;
  }

  private Call<String> call(AtomicInteger ofJob, AtomicInteger overlaps) {
    if (ofJob.incrementAndGet() > 1) {
      overlaps.incrementAndGet();
    }
    CompletableFuture<String> answer = new CompletableFuture<>();
    CompletableFuture<String> ended = new CompletableFuture<>();
    store.execute(
        () -> {
          answer.complete("done");
          ofJob.decrementAndGet();
          ended.complete("ended");
        });
    return new Call<>(answer, ended);
  }
}
