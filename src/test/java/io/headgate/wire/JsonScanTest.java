package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a JSON value in memory ends, and whether it is one: against a strict parser. */
class JsonScanTest {
  private static final JsonFactory STRICT = new JsonFactory();

  /** Texts that are JSON, nearly JSON, and pieces of JSON in any order. */
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"\\u00e4\\n\"",
            "\"\\x\"",
            "\"\\u00g0\"",
            "1",
            "-0.5e+9",
            "01",
            "-",
            "1.",
            "true",
            "null",
            "fals",
            " ",
            "\n",
            "\"open",
            "\u0001");
    Arbitrary<String> soup = pieces.list().ofMaxSize(9).map(list -> String.join("", list));
    return Arbitraries.oneOf(soup, values(3), values(3).map(value -> " " + value + "\t"));
  }

  private static Arbitrary<String> values(int depth) {
    Arbitrary<String> scalars = Arbitraries.of("1", "-2.5E-3", "\"x\\\"y\"", "true", "null", "0");
    if (depth == 0) {
      return scalars;
    }
    Arbitrary<List<String>> lists = values(depth - 1).list().ofMaxSize(3);
    return Arbitraries.oneOf(
        scalars,
        lists.map(list -> "[" + String.join(" , ", list) + "]"),
        lists.map(
            list -> "{" + String.join(",", list.stream().map(v -> "\"k\" :" + v).toList()) + "}"));
  }

  @Property(tries = 5_000)
  void the_verdict_on_a_text_is_that_of_a_strict_parser(@ForAll("texts") String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    JsonScan scan = new JsonScan(bytes);
    int end = scan.value(0);
    boolean whole = end >= 0 && scan.space(end) == bytes.length;
    assertThat(whole).as(text).isEqualTo(strictly(bytes));
  }

  @Property(tries = 1_000)
  void a_beginning_of_a_value_is_cut_and_not_broken(@ForAll("texts") String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    String array = "[" + text.strip() + "]";
    byte[] whole = array.getBytes(StandardCharsets.UTF_8);
    if (!strictly(bytes)) {
      return;
    }
    for (int length = 0; length < whole.length; length++) {
      assertThat(new JsonScan(Arrays.copyOf(whole, length)).value(0))
          .as("%d bytes of %s", length, array)
          .isEqualTo(JsonScan.CUT);
    }
    assertThat(new JsonScan(whole).value(0)).isEqualTo(whole.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "[0]1", "[[], {}]2", "{\"a\":[{}]}3"})
  void the_depth_of_a_value_is_told(String text) {
    int end = text.length() == 1 ? 1 : text.length() - 1;
    JsonScan scan = new JsonScan(text.getBytes(StandardCharsets.UTF_8));
    assertThat(scan.value(0)).isEqualTo(end);
    assertThat(scan.depth()).isEqualTo(text.charAt(text.length() - 1) - '0');
  }

  @Test
  void a_million_levels_take_no_stack() {
    byte[] deep = new byte[2_000_000];
    Arrays.fill(deep, 0, 1_000_000, (byte) '[');
    Arrays.fill(deep, 1_000_000, 2_000_000, (byte) ']');
    JsonScan scan = new JsonScan(deep);
    assertThat(scan.value(0)).isEqualTo(deep.length);
    assertThat(scan.depth()).isEqualTo(1_000_000);
  }

  @Test
  void values_are_checked_one_by_one() {
    JsonScan scan = new JsonScan("[1,2]  {\"a\":true} x".getBytes(StandardCharsets.UTF_8));
    int first = scan.value(0);
    int second = scan.value(first);
    assertThat(List.of(first, second, scan.value(second))).containsExactly(5, 17, JsonScan.BROKEN);
  }

  private static boolean strictly(byte[] text) {
    try (JsonParser json = STRICT.createParser(text)) {
      int depth = 0;
      int values = 0;
      for (JsonToken token; (token = json.nextToken()) != null; ) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        values += depth == 0 ? 1 : 0;
      }
      return values == 1;
    } catch (IOException e) {
      return false;
    }
  }
}
