package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A response is built whole or not at all (L13). */
class CappedBufferTest {
  @Property
  void L13_it_holds_what_was_put_and_never_more_than_its_cap(
      @ForAll @IntRange(max = 300) int hint,
      @ForAll @IntRange(min = 1, max = 300) int cap,
      @ForAll Random random) {
    CappedBuffer buffer = new CappedBuffer(hint, cap);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < 40; i++) {
      byte[] piece = put(buffer, expected, random, cap);
      if (piece != null) {
        assertThat(expected.size() + piece.length).as("refused at cap %d", cap).isGreaterThan(cap);
        return;
      }
      assertThat(expected.size()).as("accepted at cap %d", cap).isLessThanOrEqualTo(cap);
      assertThat(buffer.length()).isEqualTo(expected.size());
      assertThat(buffer.toByteArray()).isEqualTo(expected.toByteArray());
      assertThat(buffer.array().length).as("bytes reserved").isLessThanOrEqualTo(cap);
    }
  }

  /** Puts one piece into both; returns the piece if the buffer refused it. */
  private static byte[] put(
      CappedBuffer buffer, ByteArrayOutputStream expected, Random random, int cap) {
    byte[] piece = new byte[random.nextInt(20)];
    random.nextBytes(piece);
    try {
      switch (random.nextInt(7)) {
        case 0 -> {
          piece = new byte[] {(byte) random.nextInt()};
          buffer.put(piece[0]);
        }
        case 1 -> buffer.put(piece);
        case 2 -> {
          byte[] around = new byte[piece.length + 5];
          System.arraycopy(piece, 0, around, 2, piece.length);
          buffer.put(around, 2, piece.length);
        }
        case 3 -> {
          long value = random.nextBoolean() ? random.nextLong() : random.nextInt(2_000) - 1_000;
          piece = Long.toString(value).getBytes(StandardCharsets.US_ASCII);
          buffer.putDecimal(value);
        }
        case 4 -> {
          for (int i = 0; i < piece.length; i++) {
            piece[i] = (byte) (piece[i] & 0x7F);
          }
          buffer.putAscii(new String(piece, StandardCharsets.US_ASCII));
        }
        case 5 -> {
          long packed = random.nextLong();
          piece = new byte[random.nextInt(9)];
          for (int i = 0; i < piece.length; i++) {
            piece[i] = (byte) (packed >>> 8 * i);
          }
          buffer.putPacked(packed, piece.length);
        }
        default -> {
          int from = random.nextInt(expected.size() + 1);
          int count = random.nextInt(expected.size() - from + 1);
          piece = new byte[count];
          System.arraycopy(expected.toByteArray(), from, piece, 0, count);
          buffer.repeat(from, count);
        }
      }
    } catch (CapExceededException e) {
      return piece;
    }
    expected.writeBytes(piece);
    return null;
  }

  static Stream<Arguments> puts() {
    return Stream.of(
        Arguments.of("put(byte)", 1, put(buffer -> buffer.put((byte) 'x'))),
        Arguments.of("put(byte[])", 3, put(buffer -> buffer.put(new byte[3]))),
        Arguments.of("put(byte[], int, int)", 2, put(buffer -> buffer.put(new byte[9], 3, 2))),
        Arguments.of("putAscii", 5, put(buffer -> buffer.putAscii("hello"))),
        Arguments.of("putDecimal", 3, put(buffer -> buffer.putDecimal(-12))),
        Arguments.of("putDecimal, the longest", 20, put(b -> b.putDecimal(Long.MIN_VALUE))),
        Arguments.of("putPacked", 3, put(buffer -> buffer.putPacked(0x636261, 3))),
        Arguments.of("putPacked, the longest", 8, put(buffer -> buffer.putPacked(-1, 8))),
        Arguments.of("repeat", 4, put(buffer -> buffer.repeat(1, 4))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("puts")
  void L13_exactly_at_the_cap_is_put_and_one_byte_over_is_refused(
      String what, int bytes, Consumer<CappedBuffer> put) {
    byte[] before = new byte[30];
    CappedBuffer fits = new CappedBuffer(0, 30 + bytes);
    fits.put(before);
    put.accept(fits);
    assertThat(fits.length()).isEqualTo(30 + bytes);
    CappedBuffer tooSmall = new CappedBuffer(0, 30 + bytes - 1);
    tooSmall.put(before);
    assertThatThrownBy(() -> put.accept(tooSmall))
        .isInstanceOf(CapExceededException.class)
        .hasMessage("more than " + (29 + bytes) + " bytes");
  }

  private static Consumer<CappedBuffer> put(Consumer<CappedBuffer> put) {
    return put;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 15, 16, 17})
  void L13_a_very_small_cap_holds_too(int cap) {
    CappedBuffer buffer = new CappedBuffer(1_000_000, cap);
    buffer.put(new byte[cap]);
    assertThatThrownBy(() -> buffer.put((byte) 0)).isInstanceOf(CapExceededException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void a_cap_below_one_is_a_mistake(int cap) {
    assertThatThrownBy(() -> new CappedBuffer(16, cap))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cap: " + cap);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE})
  void any_hint_will_do(long hint) {
    CappedBuffer buffer = new CappedBuffer(hint, 100);
    buffer.putAscii("x".repeat(100));
    assertThat(buffer.toByteArray()).hasSize(100).containsOnly('x');
  }

  @Test
  void a_good_hint_saves_the_growing() {
    CappedBuffer buffer = new CappedBuffer(1_000, 1_000_000);
    byte[] reserved = buffer.array();
    buffer.put(new byte[1_000]);
    assertThat(buffer.array()).isSameAs(reserved).hasSize(1_000);
  }

  @Test
  void the_exception_carries_no_stack_trace() {
    CappedBuffer buffer = new CappedBuffer(1, 1);
    assertThatThrownBy(() -> buffer.put(new byte[2]))
        .satisfies(failure -> assertThat(failure.getStackTrace()).isEmpty());
  }

  @Test
  void a_copy_does_not_follow_the_buffer() {
    CappedBuffer buffer = new CappedBuffer(16, 16);
    buffer.putAscii("ab");
    byte[] copy = buffer.toByteArray();
    buffer.array()[0] = 'z';
    assertThat(copy).containsExactly('a', 'b');
  }

  @Test
  void what_is_cut_off_is_gone_and_a_failed_put_is_forgotten() {
    CappedBuffer out = new CappedBuffer(4, 8);
    out.putAscii("abcdef");
    assertThatThrownBy(() -> out.putAscii("ghi")).isInstanceOf(CapExceededException.class);
    out.cutTo(3);
    out.putAscii("xyz12");
    assertThat(new String(out.toByteArray(), StandardCharsets.US_ASCII)).isEqualTo("abcxyz12");
    assertThatThrownBy(() -> out.cutTo(9)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.cutTo(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
