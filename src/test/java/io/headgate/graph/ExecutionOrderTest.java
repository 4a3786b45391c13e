package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of two executions certainly began first, within one kind and across both (L22a). */
class ExecutionOrderTest {
  private static final Duration SKEW = Duration.ofHours(2);
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  @Test
  void L22a_of_two_epochs_the_lower_one_is_older_whatever_their_times() {
    Execution first = Execution.ofEpoch(1, NOON.plus(Duration.ofDays(9)));
    Execution second = Execution.ofEpoch(2, NOON);
    assertThat(first.isOlderThan(second, SKEW)).isTrue();
    assertThat(second.isOlderThan(first, SKEW)).isFalse();
    assertThat(first.isOlderThan(first, SKEW)).isFalse();
  }

  @Test
  void L22a_an_epoch_names_an_execution_whatever_its_time() {
    assertThat(Execution.ofEpoch(3, NOON))
        .isEqualTo(Execution.ofEpoch(3, NOON.plusMillis(1)))
        .hasSameHashCodeAs(Execution.ofEpoch(3, NOON.plusMillis(1)))
        .isNotEqualTo(Execution.ofEpoch(4, NOON))
        .isNotEqualTo(Execution.ofLocalTime("2026-11-30 12:00:00"));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void an_epoch_is_positive(long epoch) {
    assertThatThrownBy(() -> Execution.ofEpoch(epoch, NOON))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest(name = "local {0} older than noon UTC: {1}, newer: {2}")
  @CsvSource({
    "2026-11-29 21:59:59, true,  false", // 12 h behind UTC and 2 h of skew, and one second more
    "2026-11-29 22:00:00, false, false",
    "2026-11-30 12:00:00, false, false",
    "2026-12-01 04:00:00, false, false",
    "2026-12-01 04:00:01, false, true", // 14 h ahead of UTC and 2 h of skew, and one second more
  })
  void L22a_a_local_time_and_an_instant_are_ordered_only_where_every_zone_agrees(
      String local, boolean older, boolean newer) {
    Execution engine = Execution.ofLocalTime(local);
    Execution published = Execution.ofEpoch(1, NOON);
    assertThat(engine.isOlderThan(published, SKEW)).isEqualTo(older);
    assertThat(published.isOlderThan(engine, SKEW)).isEqualTo(newer);
  }

  @Property
  void L22a_no_zone_and_no_clock_within_the_skew_makes_a_later_execution_older(
      @ForAll @IntRange(min = -12 * 60, max = 14 * 60) int offsetMinutes,
      @ForAll @LongRange(min = -7_200, max = 7_200) long wrongSeconds,
      @ForAll @LongRange(min = 0, max = 200_000) long laterSeconds) {
    // What an engine in that zone, its clock wrong by so much, calls an instant.
    ZoneOffset zone = ZoneOffset.ofTotalSeconds(offsetMinutes * 60);
    Execution engineLater = local(NOON.plusSeconds(laterSeconds + wrongSeconds), zone);
    Execution engineAtNoon = local(NOON.plusSeconds(wrongSeconds), zone);
    Execution publishedAtNoon = Execution.ofEpoch(1, NOON);
    Execution publishedLater = Execution.ofEpoch(1, NOON.plusSeconds(laterSeconds));
    assertThat(engineLater.isOlderThan(publishedAtNoon, SKEW)).isFalse();
    assertThat(publishedLater.isOlderThan(engineAtNoon, SKEW)).isFalse();
  }

  private static Execution local(Instant time, ZoneOffset zone) {
    return Execution.ofLocalTime(
        LocalDateTime.ofInstant(time, zone)
            .format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "2026-11-30T12:00:00",
        "+999999999-12-31 23:59:59",
        "-999999999-01-01 00:00:00",
        "+10000-01-01 00:00:00",
        "-0001-01-01 00:00:00"
      })
  void L22a_a_text_that_is_no_time_of_four_digit_years_orders_nothing(String text) {
    Execution execution = Execution.ofLocalTime(text);
    assertThat(execution.millis()).isEqualTo(Execution.UNORDERED);
    for (Execution other :
        new Execution[] {
          Execution.ofLocalTime("2026-11-30 12:00:00"),
          Execution.ofEpoch(1, NOON),
          Execution.ofEpoch(1, Instant.MAX)
        }) {
      assertThat(execution.isOlderThan(other, SKEW)).isFalse();
      assertThat(other.isOlderThan(execution, SKEW)).isFalse();
    }
  }

  @Test
  void L22a_an_instant_outside_of_four_digit_years_still_has_its_epoch() {
    Execution far = Execution.ofEpoch(2, Instant.MIN);
    assertThat(Execution.ofEpoch(1, Instant.MAX).isOlderThan(far, SKEW)).isTrue();
    assertThat(far.isOlderThan(Execution.ofLocalTime("2026-11-30 12:00:00"), SKEW)).isFalse();
  }
}
