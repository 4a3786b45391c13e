package io.headgate.observe.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The ring: bounded, in order, nothing lost and nothing twice. */
class BoundedRingTest {
  private static final int THREADS = 8;
  private static final int EACH = 50_000;

  @Test
  void it_takes_as_many_as_it_has_places_and_goes_on_when_one_is_free() {
    BoundedRing<String> ring = new BoundedRing<>(2);
    assertThat(ring.poll()).isNull();
    assertThat(ring.offer("a")).isTrue();
    assertThat(ring.offer("b")).isTrue();
    assertThat(ring.offer("c")).isFalse();
    assertThat(ring.size()).isEqualTo(2);
    assertThat(ring.poll()).isEqualTo("a");
    assertThat(ring.offer("d")).isTrue();
    assertThat(ring.poll()).isEqualTo("b");
    assertThat(ring.poll()).isEqualTo("d");
    assertThat(ring.poll()).isNull();
    assertThat(ring.size()).isZero();
  }

  @Test
  void its_size_is_a_power_of_two() {
    assertThatThrownBy(() -> new BoundedRing<String>(3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void of_many_producers_each_keeps_its_order_and_taken_plus_refused_is_all() throws Exception {
    BoundedRing<int[]> ring = new BoundedRing<>(64);
    AtomicInteger refused = new AtomicInteger();
    List<Thread> producers = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int producer = t;
      producers.add(
          new Thread(
              () -> {
                for (int i = 0; i < EACH; i++) {
                  if (!ring.offer(new int[] {producer, i})) {
                    refused.incrementAndGet();
                  }
                }
              }));
    }
    producers.forEach(Thread::start);
    int[] last = new int[THREADS];
    java.util.Arrays.fill(last, -1);
    int taken = 0;
    while (producers.stream().anyMatch(Thread::isAlive) || ring.size() > 0) {
      int[] next = ring.poll();
      if (next == null) {
        Thread.onSpinWait();
        continue;
      }
      assertThat(next[1]).isGreaterThan(last[next[0]]);
      last[next[0]] = next[1];
      taken++;
    }
    for (Thread producer : producers) {
      producer.join();
    }
    assertThat(taken + refused.get()).isEqualTo(THREADS * EACH);
  }
}
