package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids in decimal (L3): one spelling for each number, in both directions. */
class DecimalTest {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  /** Spellings around numbers: real ones, near misses, far too large ones, and noise. */
  @Provide
  Arbitrary<String> spellings() {
    Arbitrary<String> numbers =
        Arbitraries.bigIntegers()
            .between(MIN.multiply(BigInteger.valueOf(12)), MAX.multiply(BigInteger.valueOf(12)))
            .map(BigInteger::toString);
    Arbitrary<String> longs = Arbitraries.longs().map(value -> Long.toString(value));
    Arbitrary<String> edges =
        Arbitraries.integers()
            .between(-3, 3)
            .map(BigInteger::valueOf)
            .flatMap(
                near ->
                    Arbitraries.of(MIN.add(near), MAX.add(near), near).map(BigInteger::toString));
    Arbitrary<String> prefixed =
        Combinators.combine(Arbitraries.of("", "-", "+", "0", "00", "-0", " ", "--"), longs)
            .as((prefix, number) -> prefix + number);
    Arbitrary<String> noise =
        Arbitraries.strings().withChars("0123456789-+ .eE\u0662\uFF11x").ofMaxLength(21);
    return Arbitraries.oneOf(List.of(numbers, longs, edges, prefixed, noise));
  }

  @Property(tries = 5_000)
  void L3_a_spelling_is_canonical_if_it_is_how_the_number_is_written(
      @ForAll("spellings") String text) {
    assertThat(Decimal.isCanonical(text)).as("\"%s\"", text).isEqualTo(isCanonical(text));
  }

  private static boolean isCanonical(String text) {
    BigInteger value;
    try {
      value = new BigInteger(text);
    } catch (NumberFormatException e) {
      return false;
    }
    return value.toString().equals(text) && value.compareTo(MIN) >= 0 && value.compareTo(MAX) <= 0;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "9",
        "-1",
        "10",
        "9223372036854775807",
        "-9223372036854775808",
        "1000000000000000000"
      })
  void L3_canonical_spellings(String text) {
    assertThat(Decimal.isCanonical(text)).isTrue();
    assertThat(Long.toString(Long.parseLong(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+1",
        "-0",
        "00",
        "01",
        "-01",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "0x1",
        "\u0661",
        "\uFF11",
        "1\u0000",
        "9223372036854775808",
        "-9223372036854775809",
        "9999999999999999999",
        "-9999999999999999999",
        "18446744073709551616",
        "18446744073709551617",
        "99999999999999999999",
        "10000000000000000000000000000000000000000000000000000000000000000001"
      })
  void L3_spellings_that_are_not_canonical(String text) {
    assertThat(Decimal.isCanonical(text)).isFalse();
  }

  @Property
  void L3_a_number_is_written_as_the_library_writes_it(@ForAll long value) {
    assertWritten(value);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 9, 10, -1, -9, -10, Long.MIN_VALUE, Long.MAX_VALUE})
  void L3_the_numbers_where_the_length_changes(long value) {
    assertWritten(value);
  }

  @Test
  void L3_every_power_of_ten_and_its_neighbours() {
    long power = 1;
    for (int digits = 1; digits <= 19; digits++) {
      for (long near = power - 1; near <= power + 1; near++) {
        assertWritten(near);
        assertWritten(-near);
      }
      power *= 10;
    }
  }

  @Property
  void L3_a_canonical_spelling_is_read_wherever_it_stands(@ForAll long value) {
    byte[] text = ("12" + value + "34").getBytes(StandardCharsets.US_ASCII);
    int length = Long.toString(value).length();
    assertThat(Decimal.isCanonical(text, 2, length)).isTrue();
    assertThat(Decimal.parse(text, 2, length)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 7, -7, 10, 99_999_999, -9_999_999, 1_000, -1})
  void L3_short_numbers_are_packed_as_they_are_written(long value) {
    CappedBuffer buffer = new CappedBuffer(64, 64);
    buffer.putPacked(Decimal.packed(value), Decimal.length(value));
    assertThat(new String(buffer.toByteArray(), StandardCharsets.US_ASCII))
        .isEqualTo(Long.toString(value));
  }

  private static void assertWritten(long value) {
    CappedBuffer buffer = new CappedBuffer(64, 64);
    buffer.putDecimal(value);
    assertThat(new String(buffer.toByteArray(), StandardCharsets.US_ASCII))
        .isEqualTo(Long.toString(value));
    assertThat(Decimal.length(value)).as("length of %d", value).isEqualTo(buffer.length());
  }
}
