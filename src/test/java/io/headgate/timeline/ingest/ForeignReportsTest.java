package io.headgate.timeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.headgate.timeline.EventType;
import io.headgate.timeline.Observation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Event reports that no recording shows: nothing in an event refuses a batch (T1a). */
class ForeignReportsTest {
  private static final int MUTATIONS = Integer.getInteger("fuzz.mutations", 20_000);

  /** A schema event; %s stands for more members. */
  private static final String EVENT =
      "{\"jobId\":\"7\",\"createdTime\":5,\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\"%s}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{}",
        "null",
        "7",
        "\"[]\"",
        "[",
        "[{}",
        "[{},]",
        "[,{}]",
        "[{}]x",
        "[{}][]",
        "[{\"a\":1]",
        "[{\"a\" 1}]",
        "[{'a':1}]",
        "[nul]",
        "[01]",
        "[\"\n\"]",
        "[\"\\x\"]",
        "]",
      })
  void T1a_what_is_no_JSON_array_is_refused(String body) {
    assertThat(EngineReport.parse(body.getBytes(StandardCharsets.UTF_8), false)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | 0 | 0",
        " [ \t ]  | 0 | 0",
        "[1,null,\"x\",[],true] | 0 | 5",
        "[{}] | 0 | 1",
        "[{\"eventType\":null}] | 0 | 1",
        "[{\"eventType\":7}] | 0 | 1",
        "[{\"eventType\":\"LIFECYCLE_READER_OPEN\"}] | 1 | 0",
        "[{\"eventType\":\"SOMETHING_NEW\",\"jobId\":{}}] | 1 | 0",
        "[{\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\"}] | 0 | 1",
        "[{\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\",\"jobId\":null}] | 0 | 1",
        "[{\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\",\"jobId\":\"0\"}] | 0 | 1",
        "[{\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\",\"jobId\":\"07\"}] | 0 | 1",
        "[{\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\",\"jobId\":1.5}] | 0 | 1",
      })
  void T1a_what_can_t_be_read_in_an_array_is_skipped_and_counted(
      String body, int others, int unreadable) {
    EngineReport report = Batches.report(body);
    assertThat(report.otherEvents()).isEqualTo(others);
    assertThat(report.unreadable()).isEqualTo(unreadable);
    assertThat(report.jobs()).isEmpty();
  }

  @Test
  void T1a_what_is_skipped_does_not_take_its_neighbours_along() {
    String deep = "[".repeat(100) + "]".repeat(100);
    String long1025 = "x".repeat(1_025);
    EngineReport report =
        Batches.report(
            "["
                + String.join(
                    ",",
                    EVENT.formatted(""),
                    "7",
                    EVENT.formatted(",\"more\":" + deep),
                    EVENT.formatted(",\"tablePath\":{\"tableName\":\"" + long1025 + "\"}"),
                    EVENT.formatted(",\"tableIdentifier\":{\"tableName\":\"t\"}"))
                + "]");
    assertThat(report.jobs().get(7L)).hasSize(2);
    assertThat(report.unreadable()).isEqualTo(1);
    assertThat(report.overBound()).isEqualTo(2);
  }

  @Test
  void T1a_a_bomb_of_members_is_one_event_over_the_bound() {
    String members = ",\"\":0".repeat(1_000_000);
    EngineReport report =
        Batches.report(
            "["
                + EVENT.formatted(members)
                + ","
                + EVENT.formatted(",\"a\":[{\"b\":0" + members + "}]")
                + "]");
    assertThat(report.overBound()).isEqualTo(2);
    assertThat(one(EVENT.formatted(",\"\":0".repeat(990))).table()).isNull();
  }

  @Test
  void T1a_a_bomb_of_brackets_is_one_event_over_the_bound() {
    int levels = 1_000_000;
    byte[] bomb = new byte[2 * levels + 8];
    Arrays.fill(bomb, (byte) ' ');
    bomb[0] = '[';
    byte[] head = "{\"a\":".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(head, 0, bomb, 1, head.length);
    Arrays.fill(bomb, 6, 6 + levels, (byte) '[');
    Arrays.fill(bomb, 6 + levels, 6 + 2 * levels, (byte) ']');
    bomb[6 + 2 * levels] = '}';
    bomb[7 + 2 * levels] = ']';
    assertThat(Batches.report(bomb).overBound()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "none",
      value = {
        ",\"tableIdentifier\":{\"catalogName\":\"c\",\"databaseName\":\"d\",\"schemaName\":\"s\",\"tableName\":\"t\"} | d.s.t",
        ",\"tableIdentifier\":{\"catalogName\":\"\",\"databaseName\":\"\",\"schemaName\":null,\"tableName\":\"t\"} | t",
        ",\"tableIdentifier\":null,\"tablePath\":{\"databaseName\":\"d\",\"tableName\":\"t\",\"fullName\":\"x\"} | d.t",
        ",\"tableIdentifier\":{},\"tablePath\":{\"databaseName\":\"d\",\"tableName\":\"t\"} | d.t",
        ",\"tableIdentifier\":\"d.t\",\"tablePath\":[1] | none",
        ",\"tableIdentifier\":{\"databaseName\":7,\"tableName\":{\"a\":1}} | none",
        ",\"tableIdentifier\":{\"tableName\":\"\\ud800x\"} | \uFFFDx",
        "`` | none",
      })
  void T1_a_table_is_spelled_as_the_engine_spells_it(String members, String table) {
    assertThat(one(EVENT.formatted(members)).table()).isEqualTo(table);
  }

  @Test
  void T1_a_name_of_1024_bytes_is_taken() {
    String name = "\\u20ac".repeat(341) + "x";
    Observation event =
        one(EVENT.formatted(",\"tableIdentifier\":{\"tableName\":\"" + name + "\"}"));
    assertThat(event.table()).hasSize(342);
  }

  @Test
  void T1_a_job_id_may_be_a_number_and_a_time_may_be_missing() {
    String event = "{\"eventType\":\"SCHEMA_CHANGE_DROP_COLUMN\",\"jobId\":9223372036854775807}";
    EngineReport report = Batches.report("[" + event + "]");
    assertThat(report.jobs()).containsOnlyKeys(Long.MAX_VALUE);
    assertThat(report.jobs().get(Long.MAX_VALUE).get(0).createdAt()).isNegative();
  }

  @ParameterizedTest
  @CsvSource({
    "SCHEMA_CHANGE_RENAME_TABLE, SCHEMA_CHANGE_RENAME_TABLE",
    "SCHEMA_CHANGE_ADD_INDEX, UNKNOWN",
    "SCHEMA_CHANGE_, UNKNOWN",
  })
  void T1_a_kind_of_schema_change_that_is_not_known_is_kept_as_unknown(
      String name, EventType type) {
    assertThat(one("{\"eventType\":\"" + name + "\",\"jobId\":7}").type()).isEqualTo(type);
  }

  @Test
  void T1_a_very_long_kind_is_not_made_a_text() {
    String name = "SCHEMA_CHANGE_ADD_COLUMN" + "x".repeat(100_000);
    assertThat(one("{\"eventType\":\"" + name + "\",\"jobId\":7}").type())
        .isEqualTo(EventType.UNKNOWN);
  }

  @Test
  void T1_nested_events_are_listed_by_kind_up_to_100() {
    String nested =
        "{\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\",\"jobId\":null,\"column\":\"c\"},"
            + "{\"eventType\":\"SCHEMA_CHANGE_X\"},{\"column\":{\"name\":\"c\"}},"
            + "{\"eventType\":\"LIFECYCLE_READER_OPEN\"},7";
    Observation event = one(EVENT.formatted(",\"events\":[" + nested + "]"));
    assertThat(event.nested())
        .containsExactly(
            EventType.SCHEMA_CHANGE_ADD_COLUMN,
            EventType.UNKNOWN,
            EventType.UNKNOWN,
            EventType.UNKNOWN);
    assertThat(event.nestedCut()).isFalse();
    String one = "{\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\"}";
    assertThat(one(EVENT.formatted(",\"events\":" + repeated(one, 100))).nestedCut()).isFalse();
    Observation many = one(EVENT.formatted(",\"events\":" + repeated(one, 101)));
    assertThat(many.nested()).hasSize(100);
    assertThat(many.nestedCut()).isTrue();
  }

  private static String repeated(String element, int times) {
    return "[" + (element + ",").repeat(times - 1) + element + "]";
  }

  @Test
  void T4_schema_events_past_the_bound_of_a_batch_are_skipped_and_counted() {
    EngineReport report = Batches.report(repeated(EVENT.formatted(""), 4_010));
    assertThat(report.schemaEvents()).isEqualTo(4_000);
    assertThat(report.overBound()).isEqualTo(10);
  }

  @Test
  void T1a_of_a_body_that_was_cut_at_its_bound_the_whole_events_are_taken() {
    String first = EVENT.formatted(",\"tableIdentifier\":{\"tableName\":\"first\"}");
    byte[] body =
        ("[" + first + ", " + EVENT.formatted(",\"more\":\"\u20ac\"") + "]")
            .getBytes(StandardCharsets.UTF_8);
    int firstEnds = 1 + first.length();
    for (int length = 0; length <= body.length; length++) {
      EngineReport report = EngineReport.parse(Arrays.copyOf(body, length), true);
      assertThat(report).as("%d bytes", length).isNotNull();
      if (report != null) {
        int expected = length == 0 || length < firstEnds ? 0 : length < body.length - 1 ? 1 : 2;
        assertThat(report.schemaEvents()).as("%d bytes", length).isEqualTo(expected);
      }
      if (length < body.length) {
        assertThat(EngineReport.parse(Arrays.copyOf(body, length), false)).isNull();
      }
    }
  }

  @Test
  void T1a_bytes_that_are_no_UTF_8_do_not_refuse_a_batch() {
    byte[] body =
        ("[" + EVENT.formatted(",\"tableIdentifier\":{\"tableName\":\"a\u00e4b\"}") + "]")
            .getBytes(StandardCharsets.ISO_8859_1);
    EngineReport report = Batches.report(body);
    assertThat(report.jobs().get(7L).get(0).table()).isEqualTo("a?b");
  }

  /**
   * Damaged batches: the verdict on what is a JSON array is a strict parser's, and never a throw.
   */
  @Test
  void E_B5_damaged_batches_are_refused_exactly_where_they_are_no_array() throws IOException {
    List<byte[]> bodies =
        List.of(
            Batches.recorded(Batches.OLD_ENGINE, "50_cdc_event_batch_02"),
            Batches.recorded(Batches.OLD_ENGINE, "50_cdc_event_batch_03"),
            Batches.recorded(Batches.OLD_ENGINE, "50_cdc_event_batch_05"));
    Random random = new Random(Long.getLong("fuzz.seed", 20_261_130L));
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] body = damaged(bodies.get(i % bodies.size()), random);
      EngineReport report = EngineReport.parse(body.clone(), false);
      assertThat(report != null)
          .as(() -> new String(body, StandardCharsets.ISO_8859_1))
          .isEqualTo(isArray(body));
      refused += report == null ? 1 : 0;
    }
    assertThat(refused).isBetween(MUTATIONS / 10, 9 * MUTATIONS / 10);
  }

  private static byte[] damaged(byte[] body, Random random) {
    byte[] copy = body.clone();
    int at = random.nextInt(copy.length);
    byte[] bytes = "\"{}[]:,0 \\e-ntf".getBytes(StandardCharsets.US_ASCII);
    switch (random.nextInt(4)) {
      case 0 -> copy[at] = bytes[random.nextInt(bytes.length)];
      case 1 -> copy[at] = (byte) (32 + random.nextInt(95));
      case 2 -> System.arraycopy(body, at, copy, at / 2, Math.min(4, copy.length - at));
      default -> {
        return random.nextInt(4) == 0 ? Arrays.copyOf(copy, at) : copy;
      }
    }
    return copy;
  }

  private static boolean isArray(byte[] body) {
    try (JsonParser json = new JsonFactory().createParser(body)) {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        return false;
      }
      json.skipChildren();
      return json.currentToken() == JsonToken.END_ARRAY && json.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static Observation one(String event) {
    EngineReport report = Batches.report("[" + event + "]");
    assertThat(report.jobs().get(7L)).as(event).hasSize(1);
    return report.jobs().get(7L).get(0);
  }
}
