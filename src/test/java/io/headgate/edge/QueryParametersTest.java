package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.timeline.Outcome;
import io.headgate.timeline.TimelineQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The query of the timeline's route, from raw text to what is asked for (T13). */
class QueryParametersTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "&", "&&", "color=red", "Limit=0", "limit[]=0", "color=%zz", "%zz=1"})
  void T13_parameters_that_are_not_known_are_passed_over(String query) {
    assertThat(TimelineRoute.parse(query)).isEqualTo(TimelineQuery.DEFAULT);
    assertThat(TimelineRoute.parse(null)).isEqualTo(TimelineQuery.DEFAULT);
  }

  @Test
  void T13_known_ones_may_come_in_any_order() {
    TimelineQuery expected = new TimelineQuery(7, 9, "shop.orders", Outcome.APPLIED);
    assertThat(
            TimelineRoute.parse("outcome=APPLIED&x=1&table=shop.orders&beforeSequence=9&limit=7"))
        .isEqualTo(expected);
    assertThat(TimelineRoute.parse("limit=501").limit()).isEqualTo(500);
    assertThat(TimelineRoute.parse("limit=99999999999999999999").limit()).isEqualTo(500);
  }

  @ParameterizedTest
  @CsvSource({
    "shop.orders,shop.orders",
    "shop%2Eorders,shop.orders",
    "a+b,a b",
    "a%2Bb,a+b",
    "a%26b%3Dc,a&b=c",
    "%E2%82%AC,\u20ac",
    "%F0%9D%84%9E,\uD834\uDD1E",
    "a=b,a=b"
  })
  void T13_a_table_is_decoded_as_forms_are(String raw, String table) {
    assertThat(TimelineRoute.parse("table=" + raw).table()).isEqualTo(table);
    assertThat(TimelineRoute.parse("%74able=" + raw).table()).isEqualTo(table);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=",
        "limit",
        "limit=0",
        "limit=-1",
        "limit=+1",
        "limit=01",
        "limit=1.0",
        "limit=a",
        "limit=%d9%a7",
        "limit=1&limit=1",
        "limit=1&%6cimit=1",
        "beforeSequence=0",
        "beforeSequence=-5",
        "beforeSequence=",
        "beforeSequence=1&beforeSequence=2",
        "table=",
        "table=a&table=a",
        "table=%",
        "table=%4",
        "table=%g0",
        "table=%ff",
        "table=%c0%af",
        "table=%ed%a0%80",
        "outcome=",
        "outcome=applied",
        "outcome=UNKNOWN",
        "outcome=NOT_REPORTED",
        "outcome=FAILED&outcome=FAILED"
      })
  void T13_a_bad_or_repeated_parameter_is_refused(String query) {
    assertThat(TimelineRoute.parse(query)).isNull();
    assertThat(TimelineRoute.parse("x=1&" + query)).isNull();
  }
}
