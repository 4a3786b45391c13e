package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Where a run of ordinary bytes inside a JSON string ends: eight bytes at a time against one. */
class StringRunTest {
  /** Mostly ordinary bytes, and every byte that is next to one that matters. */
  @Provide
  Arbitrary<byte[]> chunks() {
    Arbitrary<Byte> ordinary = Arbitraries.bytes().between((byte) 'a', (byte) 'z');
    Arbitrary<Byte> borders =
        Arbitraries.of(0x00, 0x01, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80)
            .map(Integer::byteValue);
    Arbitrary<Byte> high =
        Arbitraries.of(0x81, 0x9F, 0xA0, 0xA2, 0xDC, 0xFF).map(Integer::byteValue);
    return Arbitraries.oneOf(List.of(ordinary, ordinary, ordinary, ordinary, high, borders))
        .array(byte[].class)
        .ofMaxSize(40);
  }

  @Property(tries = 5_000)
  void a_run_ends_at_the_first_quote_backslash_or_control_character(
      @ForAll("chunks") byte[] chunk, @ForAll @IntRange(max = 40) int from) {
    int begin = Math.min(from, chunk.length);
    int end = begin;
    while (end < chunk.length && !endsRun(chunk[end])) {
      end++;
    }
    assertThat(StringRuns.end(chunk, begin)).isEqualTo(end);
  }

  @Test
  void every_byte_is_judged_rightly_in_every_place() {
    for (int place = 0; place < 16; place++) {
      for (int b = 0; b < 0x100; b++) {
        byte[] chunk = "abcdefghijklmnop".getBytes(StandardCharsets.US_ASCII);
        chunk[place] = (byte) b;
        assertThat(StringRuns.end(chunk, 0))
            .as("byte %02X in place %d", b, place)
            .isEqualTo(endsRun((byte) b) ? place : 16);
      }
    }
  }

  private static boolean endsRun(byte b) {
    return b == '"' || b == '\\' || b >= 0 && b < 0x20;
  }
}
