package io.headgate.edge.fn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much may wait on its way in follows the heap. */
class WindowsTest {
  @Test
  void F10_streams_that_are_not_read_leave_a_small_heap_its_room() {
    long heap = 200L << 20;
    assertThat(1_000L * Windows.of(heap).stream()).isLessThan(heap / 3);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 200L << 20, 1L << 30, 64L << 30, Long.MAX_VALUE})
  void F10_a_harness_that_waits_with_one_stream_can_use_its_others(long heap) {
    Windows windows = Windows.of(heap);
    assertThat(windows.stream()).isBetween(64 << 10, 1 << 20);
    assertThat(windows.connection()).isEqualTo(4 * windows.stream());
  }
}
