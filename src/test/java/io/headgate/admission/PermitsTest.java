package io.headgate.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** Permits and the workers behind them under contention. */
class PermitsTest {
  @Test
  void L15_never_more_than_the_limit_and_every_try_is_counted() throws Exception {
    Permits permits = new Permits(10);
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    LongAdder granted = new LongAdder();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 100; t++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                for (int i = 0; i < 1_000; i++) {
                  Permits.Permit permit = permits.tryAcquire();
                  if (permit != null) {
                    granted.increment();
                    most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                    Thread.yield();
                    inFlight.decrementAndGet();
                    permit.end(Permits.Ending.SUCCESS);
                    permit.end(Permits.Ending.DROPPED); // changes nothing
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join(30_000);
    }
    assertThat(most.get()).isBetween(2, 10);
    assertThat(permits.inUse()).isZero();
    assertThat(permits.granted()).isEqualTo(granted.sum());
    assertThat(permits.granted() + permits.refused()).isEqualTo(100_000);
    assertThat(permits.ended(Permits.Ending.SUCCESS)).isEqualTo(granted.sum());
    assertThat(permits.ended(Permits.Ending.DROPPED)).isZero();
  }

  @Test
  void L15_workers_have_a_bounded_queue_and_end_when_closed() throws Exception {
    Workers workers = new Workers("test-worker", 2);
    CountDownLatch hold = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(2);
    Runnable task =
        () -> {
          begun.countDown();
          try {
            hold.await(10, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    for (int i = 0; i < 4; i++) {
      workers.execute(task);
    }
    assertThat(begun.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(workers.active()).isEqualTo(2);
    assertThat(workers.queued()).isEqualTo(2);
    assertThatThrownBy(() -> workers.execute(task)).isInstanceOf(RejectedExecutionException.class);
    workers.close();
    assertThatThrownBy(() -> workers.execute(task)).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void L15_each_pool_has_its_own_permits_and_there_is_a_worker_for_each_of_them() throws Exception {
    Vertx vertx = Vertx.vertx();
    Admission admission = Admission.open(vertx, AdmissionConfig.DEFAULT);
    CountDownLatch all = new CountDownLatch(6);
    try {
      Permits publications = admission.permits(Pool.PUBLICATIONS);
      assertThat(publications.tryAcquire()).isNotNull();
      assertThat(publications.tryAcquire()).isNotNull();
      assertThat(publications.tryAcquire()).as("a third publication").isNull();
      Permits lineage = admission.permits(Pool.LINEAGE);
      for (int i = 0; i < 4; i++) {
        assertThat(lineage.tryAcquire()).isNotNull();
      }
      assertThat(lineage.tryAcquire()).as("a fifth lookup").isNull();

      for (int i = 0; i < 6; i++) {
        admission.workers().execute(() -> meet(all));
      }
      assertThat(all.await(10, TimeUnit.SECONDS)).as("six work at the same time").isTrue();
    } finally {
      admission.close();
      vertx.close().await(10, TimeUnit.SECONDS);
    }
  }

  private static void meet(CountDownLatch all) {
    all.countDown();
    try {
      all.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_limit_below_one_is_refused() {
    assertThatThrownBy(() -> new Permits(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
