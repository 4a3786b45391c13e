package io.headgate.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.headgate.admission.UnwrittenBytes.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** L19: bytes on their way to clients, with the time passed in. */
class UnwrittenBytesTest {
  private static final long LONG = Duration.ofHours(1).toNanos();

  private final AtomicLong clock = new AtomicLong();
  private final UnwrittenBytes bytes = new UnwrittenBytes(100, clock::get);
  private final List<String> closed = new ArrayList<>();

  private Write begin(Object buffer, long length, long nanos, String name) {
    Write write = bytes.begin(buffer, length, nanos, () -> closed.add(name));
    assertNotNull(write);
    return write;
  }

  @Test
  void L19_a_shared_buffer_counts_once_until_its_last_response_is_out() {
    Object shared = new Object();
    Write one = begin(shared, 60, LONG, "one");
    Write two = begin(shared, 60, LONG, "two");
    assertThat(bytes.held()).isEqualTo(60);
    one.end();
    one.end();
    assertThat(bytes.held()).isEqualTo(60);
    two.end();
    assertThat(bytes.held()).isZero();
  }

  @Test
  void L19_equal_buffers_that_are_not_the_same_count_each() {
    begin("x".repeat(2), 40, LONG, "one");
    begin("x".repeat(2), 40, LONG, "two");
    assertThat(bytes.held()).isEqualTo(80);
  }

  @Test
  void L19_a_full_budget_closes_who_has_gone_longest_without_progress() {
    Write old = begin(new Object(), 50, LONG, "old, but moving");
    clock.addAndGet(10);
    begin(new Object(), 50, LONG, "stalled");
    clock.addAndGet(10);
    old.progressed();
    begin(new Object(), 30, LONG, "new");
    assertThat(closed).containsExactly("stalled");
    assertThat(bytes.held()).isEqualTo(80);
    assertThat(bytes.evicted()).isEqualTo(1);
  }

  @Test
  void L19_as_many_are_closed_as_it_takes() {
    Object shared = new Object();
    begin(shared, 70, LONG, "first reader");
    clock.incrementAndGet();
    begin(shared, 70, LONG, "second reader");
    clock.incrementAndGet();
    begin(new Object(), 30, LONG, "small");
    clock.incrementAndGet();
    begin(new Object(), 60, LONG, "new");
    assertThat(closed).containsExactly("first reader", "second reader");
    assertThat(bytes.held()).isEqualTo(90);
  }

  @Test
  void L19_more_than_the_whole_budget_is_not_taken_in_and_exactly_it_is() {
    assertThat(bytes.begin(new Object(), 101, LONG, () -> closed.add("x"))).isNull();
    begin(new Object(), 100, LONG, "all of it");
    assertThat(closed).isEmpty();
    assertThat(bytes.held()).isEqualTo(100);
  }

  @Test
  void L19_a_response_past_its_time_or_without_progress_is_closed() {
    begin(new Object(), 10, 50, "past its time");
    Write moving = begin(new Object(), 10, LONG, "moving");
    begin(new Object(), 10, LONG, "stalled");
    clock.addAndGet(49);
    bytes.closeOverdue(60);
    assertThat(closed).isEmpty();
    clock.addAndGet(1);
    bytes.closeOverdue(60);
    assertThat(closed).containsExactly("past its time");
    moving.progressed();
    clock.addAndGet(10);
    bytes.closeOverdue(60);
    assertThat(closed).containsExactly("past its time", "stalled");
    assertThat(bytes.held()).isEqualTo(10);
    assertThat(bytes.cut()).isEqualTo(2);
    moving.end();
    assertThat(bytes.held()).isZero();
  }
}
