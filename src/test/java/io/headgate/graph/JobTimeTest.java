package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How times of jobs are read and written. */
class JobTimeTest {
  @Test
  void an_engine_s_local_time_stays_without_a_zone() {
    assertThat(JobTime.ofEngine("2026-11-30 09:41:54")).hasToString("2026-11-30T09:41:54");
    assertThat(JobTime.ofEngine("2026-11-30 09:41:00")).hasToString("2026-11-30T09:41:00");
    assertThat(JobTime.ofEngine("0001-01-01 00:00:00")).hasToString("0001-01-01T00:00:00");
    assertThat(JobTime.ofEngine("9999-12-31 23:59:59")).hasToString("9999-12-31T23:59:59");
  }

  @Test
  void an_instant_is_written_in_utc() {
    long millis = Instant.parse("2026-11-30T09:41:54.120Z").toEpochMilli();
    assertThat(JobTime.ofMillis(millis)).hasToString("2026-11-30T09:41:54.120Z");
    assertThat(JobTime.ofMillis(millis - millis % 60_000)).hasToString("2026-11-30T09:41:00Z");
  }

  @Test
  void what_is_no_time_with_a_year_of_four_digits_is_none() {
    for (String text :
        new String[] {
          "",
          "now",
          "2026-11-30",
          "2026-13-30 09:41:54",
          "+10000-01-01 00:00:00",
          "2026-11-30T09:41:54"
        }) {
      assertThat(JobTime.ofEngine(text)).as(text).isNull();
    }
    assertThat(JobTime.ofMillis(Long.MIN_VALUE)).isNull();
    assertThat(JobTime.ofMillis(Long.MAX_VALUE)).isNull();
    assertThatThrownBy(() -> new JobTime(Long.MAX_VALUE, true))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
