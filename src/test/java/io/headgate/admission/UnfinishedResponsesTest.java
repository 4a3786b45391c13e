package io.headgate.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** L19: however few bytes they share, unfinished responses are bounded too. */
class UnfinishedResponsesTest {
  private static final long LONG = Duration.ofHours(1).toNanos();
  private static final Duration AT_ONCE = Duration.ofSeconds(2);

  private final AtomicLong clock = new AtomicLong();
  private final UnwrittenBytes bytes = new UnwrittenBytes(100, clock::get);
  private final List<Integer> closed = new ArrayList<>();

  private UnwrittenBytes.Write begin(Object buffer, long length, int number) {
    clock.incrementAndGet();
    return bytes.begin(buffer, length, LONG, () -> closed.add(number));
  }

  @Test
  void L19_one_too_many_closes_who_has_gone_longest_without_progress() {
    Object shared = new Object();
    UnwrittenBytes.Write first = begin(shared, 60, 0);
    for (int i = 1; i < UnwrittenBytes.MOST_RESPONSES; i++) {
      begin(shared, 60, i);
    }
    first.progressed();
    assertThat(closed).isEmpty();

    begin(shared, 60, -1);

    assertThat(closed).containsExactly(1);
    assertThat(bytes.responses()).isEqualTo(UnwrittenBytes.MOST_RESPONSES);
    assertThat(bytes.held()).isEqualTo(60);
  }

  @Test
  void L19_to_close_them_all_takes_no_time_to_speak_of() {
    Object shared = new Object();
    for (int i = 0; i < UnwrittenBytes.MOST_RESPONSES; i++) {
      begin(shared, 60, i);
    }
    long began = System.nanoTime();
    begin(new Object(), 60, -1);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
    assertThat(closed).hasSize(UnwrittenBytes.MOST_RESPONSES);
    assertThat(bytes.held()).isEqualTo(60);
  }

  @Test
  void L19_a_response_that_has_ended_or_was_closed_moves_and_ends_no_more() {
    UnwrittenBytes.Write ended = begin(new Object(), 60, 0);
    ended.end();
    ended.progressed();
    ended.end();
    assertThat(bytes.held()).isZero();
    assertThat(bytes.responses()).isZero();

    UnwrittenBytes.Write evicted = begin(new Object(), 60, 1);
    begin(new Object(), 60, 2);
    evicted.progressed();
    evicted.end();
    assertThat(closed).containsExactly(1);
    assertThat(bytes.held()).isEqualTo(60);
    assertThat(bytes.responses()).isEqualTo(1);
  }
}
