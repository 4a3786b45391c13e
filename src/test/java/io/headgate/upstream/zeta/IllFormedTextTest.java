package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.GraphLimits;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.Lookup;
import io.headgate.graph.ReportedGraph;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings that are no well-formed Unicode (L10), in raw bytes and in escapes, in every shape. */
class IllFormedTextTest {
  private static final Lookup ILL_FORMED =
      new Lookup.Inconsistent(Inconsistency.ILL_FORMED_TEXT, false);
  private static final String BACKSLASH = "\\";

  /** Shape A with a place for the name of its first node. */
  private static final String A =
      Shapes.plain().a(ReportedGraph.chain(2)).replace("\"n1\"", "\"<%s>\"");

  /** The same in shape M. */
  private static final String M =
      Shapes.plain().m(ReportedGraph.chain(2)).replace("\"n1\"", "\"<%s>\"");

  @ParameterizedTest(name = "{1}")
  @CsvSource({
    "80, a lone continuation byte",
    "C3, a sequence cut by the quote",
    "C328, a continuation byte that is none",
    "C0AF, an overlong slash",
    "C1BF, an overlong two-byte sequence",
    "E08080, an overlong three-byte sequence",
    "EDA080, an encoded high surrogate",
    "EDBFBF, an encoded low surrogate",
    "EDA0BDEDB880, a pair of encoded surrogates",
    "F0808080, an overlong four-byte sequence",
    "F4908080, a code point past U+10FFFF",
    "F5808080, a first byte that never occurs",
    "FF, a byte that never occurs",
    "F09F98, a four-byte sequence without its end"
  })
  void L10_raw_bytes_that_are_no_UTF_8_in_a_name(String hex, String what) {
    byte[] bad = HexFormat.of().parseHex(hex);
    assertThat(read(raw(A, bad))).as("shape A").isEqualTo(ILL_FORMED);
    assertThat(read(raw(M, bad))).as("shape M").isEqualTo(ILL_FORMED);
    String s = Shapes.plain().string(M.replace("%s", "PLACE")).replace("PLACE", "%s");
    assertThat(read(raw(s, bad))).as("shape S").isEqualTo(ILL_FORMED);
  }

  @Test
  void L10_raw_bytes_that_are_no_UTF_8_in_a_path_that_is_never_shown() {
    String dag = A.replace("<%s>", "n").replaceFirst("\\[\\]", "[\"%s\"]");
    assertThat(dag).contains("\"tablePaths\":[\"%s\"]");
    assertThat(read(raw(dag, new byte[] {(byte) 0xFF}))).isEqualTo(ILL_FORMED);
  }

  @Test
  void L14_raw_bytes_that_are_no_UTF_8_among_what_is_passed_over_are_no_matter() {
    byte[] bytes = bytes("{\"jobName\":\"", new byte[] {(byte) 0xFF}, "\",");
    byte[] rest =
        Shapes.plain()
            .active(7, A.replace("%s", "n"))
            .substring(1)
            .getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(bytes);
    body.writeBytes(rest);
    assertThat(Reading.read(body.toByteArray(), 7)).isInstanceOf(Lookup.Found.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-ud83d", "-ude00", "-ude00-ud83d", "-ud83dx-ude00", "-ud83d-ud83d-ude00"})
  void L10_surrogate_escapes_without_their_other_half(String dashed) {
    String escapes = dashed.replace("-", BACKSLASH);
    assertThat(read(A.formatted(escapes))).as("shape A").isEqualTo(ILL_FORMED);
    assertThat(read(M.formatted(escapes))).as("shape M").isEqualTo(ILL_FORMED);
    assertThat(read(Shapes.plain().string(M.formatted(escapes))))
        .as("shape S, escaped in the inner text")
        .isEqualTo(ILL_FORMED);
    assertThat(read(inOuterString(escapes)))
        .as("shape S, escaped in the outer string")
        .isEqualTo(ILL_FORMED);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "-ud83d-ude00, both halves in the outer string",
    "--ud83d--ude00, both halves in the inner text",
    "-u005cud83d-u005cude00, both halves in the inner text behind an escaped backslash",
    "\uD83D\uDE00, raw bytes"
  })
  void L26_a_pair_in_shape_S_is_one_character_however_it_is_escaped(String dashed, String what) {
    String dag = inOuterString(dashed.replace("-", BACKSLASH));
    byte[] body = Shapes.plain().active(7, dag).getBytes(StandardCharsets.UTF_8);
    for (int chunk = 1; chunk < 20; chunk++) {
      assertThat(Reading.json(Reading.read(body, 7, chunk, GraphLimits.DEFAULT)))
          .as("in pieces of %d bytes", chunk)
          .contains("\"name\":\"<\uD83D\uDE00>\"");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "-ud83d--ude00, the first half outside and the second inside",
    "--ud83d-ude00, the first half inside and the second outside",
    "-ud83d<RAW>, the first half escaped and the second in raw bytes",
    "-ud83d-n-ude00, halves parted by an escape"
  })
  void L10_a_pair_in_shape_S_whose_halves_are_not_escaped_alike_is_ill_formed(
      String dashed, String what) {
    String dag = inOuterString(dashed.replace("-", BACKSLASH).replace("<RAW>", "%s"));
    byte[] low = {(byte) 0xED, (byte) 0xB8, (byte) 0x80};
    Lookup lookup = read(dag.contains("%s") ? raw(dag, low) : raw(dag + "%s", new byte[0]));
    if (dashed.contains("-n")) {
      // A raw line feed inside a string is no JSON at all.
      assertThat(lookup).isEqualTo(new Lookup.Inconsistent(Inconsistency.UNREADABLE_GRAPH, false));
    } else {
      assertThat(lookup).isEqualTo(ILL_FORMED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-u0000{}", "{-u0000}-u0000", "-u0000-u0000-u0000{", "{-u0000-u0000-u0000"})
  void L14_a_graph_in_a_string_is_never_taken_for_UTF_16_or_UTF_32(String dashed) {
    assertThat(read('"' + dashed.replace("-", BACKSLASH) + '"'))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.UNREADABLE_GRAPH, false));
  }

  @Test
  void L26_a_whole_graph_spelled_in_UTF_16_inside_the_string_is_unreadable() {
    String wide = M.replace("%s", "n").replaceAll("(?s)(.)", "$1\u0000");
    assertThat(read(Shapes.plain().string(wide)))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.UNREADABLE_GRAPH, false));
  }

  @Test
  void L26_every_escape_of_JSON_is_decoded_in_the_inner_text_and_in_the_outer_string() {
    String inner = "-\"---/-b-f-n-r-t-u0041".replace("-", BACKSLASH);
    String quoted = Shapes.plain().string(inner);
    String outer = quoted.substring(1, quoted.length() - 1) + "-/-u0042".replace("-", BACKSLASH);
    assertThat(Reading.json(read(inOuterString(outer))))
        .contains("\"name\":\"<" + "-\"--/-b-f-n-r-tA/B".replace("-", BACKSLASH) + ">\"");
  }

  /** Shape S with {@code text} as it stands in the outer string. */
  private static String inOuterString(String text) {
    return Shapes.plain().string(M.replace("%s", "PLACE")).replace("PLACE", text);
  }

  private static Lookup read(String dag) {
    return Reading.read(Shapes.plain().active(7, dag));
  }

  private static Lookup read(byte[] body) {
    return Reading.read(body, 7);
  }

  private static byte[] raw(String dagWithPlace, byte[] bytes) {
    String body = Shapes.plain().active(7, dagWithPlace);
    int place = body.indexOf("%s");
    return bytes(body.substring(0, place), bytes, body.substring(place + 2));
  }

  private static byte[] bytes(String before, byte[] between, String after) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(before.getBytes(StandardCharsets.UTF_8));
    out.writeBytes(between);
    out.writeBytes(after.getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }
}
