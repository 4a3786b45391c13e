package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Mending bytes that are no UTF-8, with the strict decoder of the library as judge. */
class IllFormedBytesTest {
  /** Bytes near the borders of UTF-8's ranges, where mistakes would be. */
  @Provide
  Arbitrary<byte[]> bytes() {
    Arbitrary<Byte> borders =
        Arbitraries.of(
                0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
                0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF)
            .map(Integer::byteValue);
    return Arbitraries.oneOf(List.of(borders, Arbitraries.bytes()))
        .array(byte[].class)
        .ofMaxSize(12);
  }

  @Property(tries = 5_000)
  void L10_bytes_are_mended_exactly_where_the_strict_decoder_refuses(
      @ForAll("bytes") byte[] bytes) {
    byte[] mended = bytes.clone();
    boolean changed = Utf8.mend(mended, mended.length);
    assertThat(changed).isEqualTo(!isUtf8(bytes));
    assertThat(isUtf8(mended)).as("mended to %s", Arrays.toString(mended)).isTrue();
    if (!changed) {
      assertThat(mended).isEqualTo(bytes);
    }
    for (int i = 0; i < bytes.length; i++) {
      assertThat(mended[i] == bytes[i] || mended[i] == '?').as("byte %d", i).isTrue();
    }
  }

  @Property(tries = 5_000)
  void L10_every_well_formed_sequence_stays_and_every_other_byte_is_replaced(
      @ForAll("bytes") byte[] bytes) {
    byte[] mended = bytes.clone();
    Utf8.mend(mended, mended.length);
    assertThat(mended).isEqualTo(naivelyMended(bytes));
  }

  /**
   * From left to right: the sequence that begins here if the decoder takes it, else a question
   * mark.
   */
  private static byte[] naivelyMended(byte[] bytes) {
    byte[] mended = bytes.clone();
    for (int i = 0; i < bytes.length; ) {
      int size = 0;
      for (int candidate = 1; candidate <= 4 && i + candidate <= bytes.length; candidate++) {
        byte[] sequence = Arrays.copyOfRange(bytes, i, i + candidate);
        if (size == 0 && isUtf8(sequence)) {
          size = candidate;
        }
      }
      if (size == 0) {
        mended[i] = '?';
      }
      i += Math.max(1, size);
    }
    return mended;
  }

  @Test
  void L10_all_code_points_survive() {
    StringBuilder all = new StringBuilder();
    for (int point = 0; point <= Character.MAX_CODE_POINT; point += point < 0x11000 ? 1 : 251) {
      if (point < 0xD800 || point > 0xDFFF) {
        all.appendCodePoint(point);
      }
    }
    byte[] bytes = all.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(Utf8.mend(bytes, bytes.length)).isFalse();
    assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(all.toString());
  }

  @Test
  void L10_all_sequences_of_two_bytes_are_judged_as_the_decoder_judges() {
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < 0x10000; i++) {
      byte[] bytes = {(byte) (i >> 8), (byte) i};
      if (Utf8.mend(bytes.clone(), 2) == isUtf8(bytes)) {
        wrong.add(Integer.toHexString(i));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void L10_only_the_given_length_is_looked_at() {
    byte[] bytes = {'a', (byte) 0xC3, (byte) 0xA4, (byte) 0xFF};
    assertThat(Utf8.mend(bytes, 3)).isFalse();
    assertThat(bytes[3]).isEqualTo((byte) 0xFF);
    assertThat(Utf8.mend(bytes, 2)).as("a sequence cut by the length").isTrue();
    assertThat(bytes).containsExactly('a', '?', 0xA4, 0xFF);
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
