package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strings as JSON, escaped minimally (L2), and their measure. */
class JsonTextTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Any UTF-16, well-formed or not, with much of what is written in a way of its own. */
  @Provide
  Arbitrary<String> utf16() {
    Arbitrary<Character> plain = Arbitraries.chars().range(' ', '~');
    Arbitrary<Character> controls = Arbitraries.chars().range((char) 0, (char) 0x1F);
    Arbitrary<Character> surrogates = Arbitraries.chars().range('\uD800', '\uDFFF');
    Arbitrary<Character> any = Arbitraries.chars().all();
    Arbitrary<String> single =
        Arbitraries.oneOf(plain, controls, surrogates, any).map(String::valueOf);
    Arbitrary<String> pair =
        Arbitraries.integers().between(0x10000, 0x10FFFF).map(Character::toString);
    return Arbitraries.oneOf(single, single, single, pair)
        .list()
        .ofMaxSize(12)
        .map(pieces -> String.join("", pieces));
  }

  @Test
  void L2_control_characters_are_escaped_by_name_or_with_upper_case_digits() {
    String[] escapes = new String[0x20];
    for (int c = 0; c < 0x20; c++) {
      escapes[c] = String.format("\\u%04X", c);
    }
    escapes['\b'] = "\\b";
    escapes['\f'] = "\\f";
    escapes['\n'] = "\\n";
    escapes['\r'] = "\\r";
    escapes['\t'] = "\\t";
    for (char c = 0; c < 0x20; c++) {
      assertThat(json("a" + c + "b")).as("U+%04X", (int) c).isEqualTo("\"a" + escapes[c] + "b\"");
    }
    assertThat(json("\u001f\u000b")).isEqualTo("\"\\u001F\\u000B\"");
  }

  @Test
  void L2_quote_and_backslash_are_escaped_and_no_other_printable_character_is() {
    for (char c = 0x20; c < 0x100; c++) {
      String expected = c == '"' || c == '\\' ? "\"\\" + c + "\"" : "\"" + c + "\"";
      assertThat(json(String.valueOf(c))).as("U+%04X", (int) c).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'/', slash",
    "'\u007F', delete",
    "'\u0080', the first of two bytes",
    "'\u07FF', the last of two bytes",
    "'\u0800', the first of three bytes",
    "'\u2028', line separator",
    "'\uD7FF', the last before the surrogates",
    "'\uE000', the first after the surrogates",
    "'\uFEFF', byte order mark",
    "'\uFFFF', the last of three bytes",
    "'\uD800\uDC00', the first astral one",
    "'\uD83D\uDE00', a face",
    "'\uDBFF\uDFFF', the last astral one",
    "'<>&''', what HTML would escape"
  })
  void L2_everything_else_is_plain_UTF_8(String text, String what) {
    assertThat(json(text)).isEqualTo("\"" + text + "\"");
    assertThat(json("\n" + text)).as("beside an escape").isEqualTo("\"\\n" + text + "\"");
  }

  @Property(tries = 2_000)
  void L2_a_string_comes_back_as_it_went_in(@ForAll("utf16") String any) throws IOException {
    String text = wellFormed(any);
    assertThat(JSON.readTree(bytes(text)).textValue()).isEqualTo(text);
    assertThat(json(text)).hasSizeLessThanOrEqualTo(2 + 6 * text.length());
  }

  @Property(tries = 2_000)
  void L12_the_measure_is_the_length_in_UTF_8(@ForAll("utf16") String any) {
    String text = wellFormed(any);
    assertThat(JsonText.isWellFormed(text)).isTrue();
    assertThat(JsonText.utf8Length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }

  @Property(tries = 2_000)
  void L10_well_formed_is_what_the_encoder_of_the_library_can_encode(@ForAll("utf16") String text) {
    assertThat(JsonText.isWellFormed(text))
        .isEqualTo(StandardCharsets.UTF_8.newEncoder().canEncode(text));
  }

  @ParameterizedTest
  @CsvSource({
    "'\uD83D', a high surrogate alone",
    "'\uDE00', a low surrogate alone",
    "'\uDE00\uD83D', the wrong way round",
    "'\uD83D\uD83D\uDE00', one too many",
    "'\uD83D\uDE00\uDE00', one too many behind",
    "'x\uD83Dx\uDE00x', parted"
  })
  void L10_lone_surrogates_are_ill_formed_and_count_three_bytes(String text, String what) {
    assertThat(JsonText.isWellFormed(text)).isFalse();
    assertThat(JsonText.isPlain(text)).isFalse();
    int pairs = (int) text.codePoints().filter(point -> point > 0xFFFF).count();
    int lone = (int) text.codePoints().filter(point -> point >= 0xD800 && point < 0xE000).count();
    int plain = (int) text.codePoints().filter(point -> point < 0x80).count();
    assertThat(JsonText.utf8Length(text)).isEqualTo(4 * pairs + 3 * lone + plain);
  }

  @Property(tries = 2_000)
  void L2_plain_is_what_stands_in_its_JSON_as_it_is(@ForAll("utf16") String any) {
    String text = wellFormed(any);
    boolean ascii = text.chars().allMatch(c -> c < 0x80);
    assertThat(JsonText.isPlain(text)).isEqualTo(ascii && json(text).equals('"' + text + '"'));
  }

  @ParameterizedTest
  @CsvSource({"abc", "'ä\uD83D\uDE00\u0001'", "'\"\"'", "''"})
  void L13_the_cap_holds_inside_a_string(String text) {
    int length = bytes(text).length;
    for (int cap = 1; cap < length; cap++) {
      CappedBuffer out = new CappedBuffer(16, cap);
      assertThatThrownBy(() -> JsonText.writeQuoted(text, false, out))
          .as("cap %d of %d", cap, length)
          .isInstanceOf(CapExceededException.class);
    }
  }

  /** The same text with question marks for lone surrogates. */
  private static String wellFormed(String any) {
    return new String(any.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static String json(String text) {
    return new String(bytes(text), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    CappedBuffer out = new CappedBuffer(16, 1 << 20);
    JsonText.writeQuoted(text, JsonText.isPlain(text), out);
    return out.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "\uD83D\uDE00, \uD83D\uDE00",
    "\uD83D, \uFFFD",
    "a\uDE00b, a\uFFFDb",
    "\uD83D\uD83D\uDE00\uDE00, \uFFFD\uD83D\uDE00\uFFFD",
  })
  void half_a_surrogate_pair_is_mended(String text, String mended) {
    assertThat(JsonText.wellFormed(text)).isEqualTo(mended);
    assertThat(JsonText.isWellFormed(mended)).isTrue();
  }
}
