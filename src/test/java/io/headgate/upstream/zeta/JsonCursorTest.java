package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.wire.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Going through well-formed JSON value by value, against a tree. */
class JsonCursorTest {
  private static final ObjectMapper TREES = new ObjectMapper();
  private static final byte[][] NO_NAMES = {};

  @Property(tries = 1_000)
  void every_value_is_met_in_its_place_and_read_for_what_it_is(@ForAll Random random)
      throws Exception {
    String json = object(random, 4);
    List<String> met = new ArrayList<>();
    walk(new JsonCursor(json.getBytes(StandardCharsets.UTF_8)), met);
    List<String> expected = new ArrayList<>();
    walk(TREES.readTree(json), expected);
    assertThat(met).as(json).isEqualTo(expected);
  }

  @Property(tries = 1_000)
  void a_skipped_value_leaves_the_cursor_behind_it(@ForAll Random random) {
    String json = "[" + value(random, 4) + " ,\n" + value(random, 3) + ",\"end\"]";
    JsonCursor cursor = new JsonCursor(json.getBytes(StandardCharsets.UTF_8));
    cursor.enter();
    for (int i = 0; i < 2; i++) {
      assertThat(cursor.nextElement()).isTrue();
      cursor.skip();
    }
    assertThat(cursor.nextElement()).isTrue();
    assertThat(cursor.readString()).as(json).isTrue();
    assertThat(cursor.string()).as(json).isEqualTo("end");
    assertThat(cursor.nextElement()).isFalse();
  }

  @Property(tries = 1_000)
  void a_string_that_is_cut_keeps_whole_characters_and_escapes(
      @ForAll Random random, @ForAll @IntRange(max = 30) int bytes) {
    String json = string(random);
    JsonCursor cursor = new JsonCursor(json.getBytes(StandardCharsets.UTF_8));
    assertThat(cursor.readString()).isTrue();
    String whole = cursor.string();
    int rawBytes = cursor.stringBytes();
    assertThat(cursor.cutString(bytes)).isEqualTo(rawBytes > bytes);
    assertThat(whole).as(json).startsWith(cursor.string());
    assertThat(cursor.stringBytes()).isLessThanOrEqualTo(Math.max(bytes, 0));
    assertThat(Math.min(rawBytes, bytes) - cursor.stringBytes()).isLessThan(6);
  }

  @Test
  void a_member_is_told_by_its_name_however_it_is_spelled() {
    byte[][] names = {"a".getBytes(StandardCharsets.UTF_8), "bc".getBytes(StandardCharsets.UTF_8)};
    JsonCursor cursor =
        new JsonCursor(
            "{\"bc\":1,\"b\\u0063\":2,\"b\":3,\"bcd\":4,\"\":5,\"a\":6}"
                .getBytes(StandardCharsets.UTF_8));
    List<String> met = new ArrayList<>();
    cursor.enter();
    for (int m; (m = cursor.nextMember(names)) != JsonCursor.END; ) {
      assertThat(cursor.readInteger()).isTrue();
      met.add(m + "=" + cursor.integer());
    }
    assertThat(met).containsExactly("1=1", "1=2", "-2=3", "-2=4", "-2=5", "0=6");
  }

  @Test
  void a_value_as_deep_as_may_be_is_skipped_without_a_stack() {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    JsonCursor cursor = new JsonCursor(("[" + deep + ",1]").getBytes(StandardCharsets.UTF_8));
    cursor.enter();
    cursor.nextElement();
    cursor.skip();
    assertThat(cursor.nextElement()).isTrue();
    assertThat(cursor.readInteger()).isTrue();
  }

  private static void walk(JsonCursor cursor, List<String> met) {
    switch (cursor.peek()) {
      case '{' -> {
        met.add("{");
        cursor.enter();
        while (cursor.nextMember(NO_NAMES) != JsonCursor.END) {
          met.add(cursor.string() + ":");
          walk(cursor, met);
        }
        met.add("}");
      }
      case '[' -> {
        met.add("[");
        cursor.enter();
        while (cursor.nextElement()) {
          walk(cursor, met);
        }
        met.add("]");
      }
      case '"' -> {
        assertThat(cursor.readString()).isTrue();
        met.add("string " + cursor.string());
      }
      default -> met.add(cursor.readInteger() ? "integer " + cursor.integer() : "other");
    }
  }

  private static void walk(JsonNode tree, List<String> met) {
    if (tree.isObject()) {
      met.add("{");
      for (Map.Entry<String, JsonNode> member : tree.properties()) {
        met.add(member.getKey() + ":");
        walk(member.getValue(), met);
      }
      met.add("}");
    } else if (tree.isArray()) {
      met.add("[");
      tree.forEach(element -> walk(element, met));
      met.add("]");
    } else if (tree.isTextual()) {
      met.add("string " + tree.textValue());
    } else {
      met.add(tree.canConvertToLong() && tree.isIntegralNumber() ? "integer " + tree : "other");
    }
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 5)) {
      case 0 -> string(random);
      case 1 -> Long.toString(random.nextBoolean() ? random.nextLong() : random.nextInt(20) - 9);
      case 2 ->
          List.of("1.5", "-0.1", "1e3", "2E-7", "12345678901234567890").get(random.nextInt(5));
      case 3 -> List.of("true", "false", "null").get(random.nextInt(3));
      case 4 -> "\"\"";
      case 5 -> array(random, depth - 1);
      default -> object(random, depth - 1);
    };
  }

  private static String object(Random random, int depth) {
    StringBuilder json = new StringBuilder("{").append(space(random));
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      // The number keeps names apart; a tree would keep only the last of two.
      json.append(i == 0 ? "" : ",")
          .append(space(random))
          .append(string(random).replaceFirst("\"$", i + "\""))
          .append(space(random))
          .append(':')
          .append(space(random))
          .append(value(random, depth))
          .append(space(random));
    }
    return json.append('}').toString();
  }

  private static String array(Random random, int depth) {
    StringBuilder json = new StringBuilder("[").append(space(random));
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      json.append(i == 0 ? "" : ",")
          .append(space(random))
          .append(value(random, depth))
          .append(space(random));
    }
    return json.append(']').toString();
  }

  private static String string(Random random) {
    List<String> pieces =
        List.of(
            "a",
            "longer than eight",
            "\u00e4",
            "\u20ac",
            "\uD83D\uDE00",
            "\n",
            "\"",
            "\\",
            "{",
            "]",
            ",");
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(pieces.get(random.nextInt(pieces.size())));
    }
    return Shapes.varied(random).string(text.toString());
  }

  private static String space(Random random) {
    return List.of("", "", " ", "\n\t", "\r ").get(random.nextInt(5));
  }
}
