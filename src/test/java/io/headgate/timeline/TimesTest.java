package io.headgate.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.wire.CappedBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Points in time as text, both ways, against the platform's calendar. */
class TimesTest {
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  @Property(tries = 10_000)
  void a_time_is_written_as_the_platform_writes_it_and_read_back(
      @ForAll @LongRange(max = 253_402_300_799_999L) long millis) {
    String text = FORM.format(Instant.ofEpochMilli(millis));
    assertThat(written(millis)).isEqualTo('"' + text + '"');
    assertThat(Times.parse(text)).isEqualTo(millis);
  }

  @Test
  void every_day_of_four_centuries_is_the_right_one() {
    for (long day = 0; day < 146_097; day++) {
      long millis = day * 86_400_000;
      assertThat(written(millis)).isEqualTo('"' + FORM.format(Instant.ofEpochMilli(millis)) + '"');
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Times.NONE, -1, 253_402_300_800_000L, Long.MAX_VALUE})
  void what_four_digits_of_a_year_can_t_say_is_no_time(long millis) {
    assertThat(Times.isUsable(millis)).isFalse();
    assertThat(written(millis)).isEqualTo("null");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-30T10:00:00Z, 1796032800000",
    "2026-11-30T10:00:00.1234567Z, 1796032800123",
    "2026-11-30T11:30:00+01:30, 1796032800000",
    "1970-01-01T00:00Z, 0",
  })
  void other_spellings_of_ISO_8601_are_read(String text, long millis) {
    assertThat(Times.parse(text)).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-11-30",
        "2026-11-30T10:00:00",
        "1969-12-31T23:59:59Z",
        "+999999999-01-01T00:00:00Z",
        "-999999999-01-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
      })
  void a_text_that_is_no_usable_time_is_none(String text) {
    assertThat(Times.parse(text)).isEqualTo(Times.NONE);
  }

  private static String written(long millis) {
    CappedBuffer out = new CappedBuffer(32, 64);
    Times.write(millis, out);
    return new String(out.toByteArray(), StandardCharsets.US_ASCII);
  }
}
