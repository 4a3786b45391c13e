package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which JSON values have one digest: those that differ in the order of members alone. */
class JsonDigestTest {
  /** A value that can be spelled with its members in any order. */
  sealed interface Value {
    record Scalar(String text) implements Value {}

    record Array(List<Value> elements) implements Value {}

    /** One member a letter, from a on. */
    record Members(List<Value> values) implements Value {}
  }

  @Provide
  Arbitrary<Value> values() {
    return values(3);
  }

  private static Arbitrary<Value> values(int depth) {
    Arbitrary<Value> scalars =
        Arbitraries.<Value>of(
            new Value.Scalar("1"), new Value.Scalar("\"1\""), new Value.Scalar("null"));
    if (depth == 0) {
      return scalars;
    }
    Arbitrary<List<Value>> lists = values(depth - 1).list().ofMaxSize(4);
    return Arbitraries.oneOf(scalars, lists.map(Value.Array::new), lists.map(Value.Members::new));
  }

  @Property(tries = 1_000)
  void the_order_of_members_and_white_space_do_not_count(
      @ForAll("values") Value value, @ForAll Random random) {
    assertThat(digest(spelled(value, random))).isEqualTo(digest(spelled(value, new Random(1))));
  }

  @Property(tries = 1_000)
  void values_that_differ_have_different_digests(
      @ForAll("values") Value one, @ForAll("values") Value other) {
    boolean equal = one.equals(other);
    Random random = new Random(1);
    assertThat(digest(spelled(one, random)).equals(digest(spelled(other, random))))
        .isEqualTo(equal);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1,2] | [2,1]",
        "{\"a\":1} | {\"a\":\"1\"}",
        "{\"a\":1} | {\"b\":1}",
        "{\"a\":{}} | {\"a\":[]}",
        "{\"a\":1,\"a\":2} | {\"a\":2,\"a\":1}",
        "{\"a\":1,\"a\":1} | {\"a\":1}",
        "[[1],2] | [[1,2]]",
        "[\"a,b\"] | [\"a\",\"b\"]",
        "{\"a\":{\"b\":1}} | {\"a\":{},\"b\":1}",
        "1.0 | 1",
      })
  void what_differs_in_more_than_order_differs(String one, String other) {
    assertThat(digest(one)).isNotEqualTo(digest(other));
  }

  @Test
  void a_value_is_digested_from_where_it_stands() {
    byte[] text = "[ {\"a\":1}, {\"b\":2} ]".getBytes(StandardCharsets.UTF_8);
    assertThat(new JsonDigest(text).of(10))
        .isEqualTo(new JsonDigest("{\"b\":2}".getBytes(StandardCharsets.UTF_8)).of(0));
  }

  private static String spelled(Value value, Random random) {
    String space = random.nextBoolean() ? "" : " ";
    if (value instanceof Value.Scalar scalar) {
      return scalar.text();
    }
    if (value instanceof Value.Array array) {
      return "["
          + space
          + String.join(
              "," + space, array.elements().stream().map(e -> spelled(e, random)).toList())
          + "]";
    }
    List<Value> values = ((Value.Members) value).values();
    List<String> members = new java.util.ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      members.add("\"" + (char) ('a' + i) + "\"" + space + ":" + spelled(values.get(i), random));
    }
    java.util.Collections.shuffle(members, random);
    return "{" + String.join("," + space, members) + space + "}";
  }

  @Test
  void an_object_with_too_many_members_has_no_digest_however_deep_it_stands() {
    String most = "{" + "\"a\":0,".repeat(JsonDigest.MAX_MEMBERS - 1) + "\"b\":0}";
    String more = "{" + "\"a\":0,".repeat(JsonDigest.MAX_MEMBERS) + "\"b\":0}";
    assertThat(digest("[" + most + "," + most + "]")).hasSize(64);
    for (String json :
        List.of(more, "[1," + more + ",2]", "{\"c\":[{\"d\":" + more + "}],\"e\":1}")) {
      assertThat(new JsonDigest(json.getBytes(StandardCharsets.UTF_8)).of(0)).isNull();
    }
  }

  private static String digest(String json) {
    byte[] digest = new JsonDigest(json.getBytes(StandardCharsets.UTF_8)).of(0);
    return digest == null ? "none" : HexFormat.of().formatHex(digest);
  }
}
