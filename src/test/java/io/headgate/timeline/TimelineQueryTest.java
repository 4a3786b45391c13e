package io.headgate.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parameters of a query (T13). */
class TimelineQueryTest {
  private static final List<String> NONE = List.of();

  @Test
  void T13_without_parameters_the_newest_100_are_meant() {
    assertThat(TimelineQuery.parse(NONE, NONE, NONE, NONE))
        .isEqualTo(new TimelineQuery(100, Long.MAX_VALUE, null, null));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "100,100", "500,500", "501,500", "2147483648,500", "99999999999999999999,500"})
  void T13_a_limit_is_at_least_1_and_capped_at_500(String text, int limit) {
    TimelineQuery query = TimelineQuery.parse(List.of(text), NONE, NONE, NONE);
    assertThat(query).isEqualTo(new TimelineQuery(limit, Long.MAX_VALUE, null, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "+1", "01", "1.0", "1e2", " 1", "ten", "\u0661"})
  void T13_a_number_that_is_none_is_refused(String text) {
    assertThat(TimelineQuery.parse(List.of(text), NONE, NONE, NONE)).isNull();
    assertThat(TimelineQuery.parse(NONE, List.of(text), NONE, NONE)).isNull();
  }

  @Test
  void T13_a_cursor_may_be_any_positive_number() {
    assertThat(before("1")).isEqualTo(1);
    assertThat(before("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThat(before("92233720368547758070")).isEqualTo(Long.MAX_VALUE);
  }

  private static long before(String text) {
    @Nullable TimelineQuery query = TimelineQuery.parse(NONE, List.of(text), NONE, NONE);
    assertThat(query).isNotNull();
    return query == null ? 0 : query.beforeSequence();
  }

  @ParameterizedTest
  @ValueSource(strings = {"APPLIED", "IGNORED", "FILTERED", "FAILED", "PARTIALLY_APPLIED"})
  void T13_an_outcome_is_one_of_the_requirement_s(String word) {
    assertThat(TimelineQuery.parse(NONE, NONE, NONE, List.of(word)))
        .isEqualTo(new TimelineQuery(100, Long.MAX_VALUE, null, Outcome.valueOf(word)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "UNKNOWN", "applied", "IN_PROGRESS", "APPLIED,FAILED"})
  void T13_another_outcome_is_refused(String word) {
    assertThat(TimelineQuery.parse(NONE, NONE, NONE, List.of(word))).isNull();
  }

  @Test
  void T13_a_table_is_a_name_within_its_bound() {
    assertThat(TimelineQuery.parse(NONE, NONE, List.of("x".repeat(1_024)), NONE)).isNotNull();
    assertThat(TimelineQuery.parse(NONE, NONE, List.of("x".repeat(1_025)), NONE)).isNull();
    assertThat(TimelineQuery.parse(NONE, NONE, List.of("\u20ac".repeat(342)), NONE)).isNull();
    assertThat(TimelineQuery.parse(NONE, NONE, List.of(""), NONE)).isNull();
    assertThat(TimelineQuery.parse(NONE, NONE, List.of("\uD800"), NONE)).isNull();
  }

  @Test
  void T13_a_repeated_parameter_is_refused_even_with_equal_values() {
    assertThat(TimelineQuery.parse(List.of("1", "1"), NONE, NONE, NONE)).isNull();
    assertThat(TimelineQuery.parse(NONE, List.of("1", "1"), NONE, NONE)).isNull();
    assertThat(TimelineQuery.parse(NONE, NONE, List.of("t", "t"), NONE)).isNull();
    assertThat(TimelineQuery.parse(NONE, NONE, NONE, List.of("FAILED", "FAILED"))).isNull();
  }
}
