package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers and texts as they are stored. */
class PackedBytesTest {
  @Property
  void what_is_written_is_read_back(
      @ForAll List<Long> numbers, @ForAll byte[] bytes, @ForAll long seed) {
    PackedWriter out = new PackedWriter(0, 1 << 20);
    String text = "a\u00e9\u4e2d\ud83d\ude00\"".repeat((int) (seed & 7));
    out.octet(200);
    for (long number : numbers) {
      out.number(number);
      out.signed(number);
    }
    out.text(text);
    out.bytes(bytes);
    out.text("plain");
    PackedReader in = new PackedReader(out.toByteArray());
    assertThat(in.octet()).isEqualTo(200);
    for (long number : numbers) {
      assertThat(in.number()).isEqualTo(number);
      assertThat(in.signed()).isEqualTo(number);
    }
    assertThat(in.text()).isEqualTo(text);
    PackedReader part = in.part();
    for (byte b : bytes) {
      assertThat((byte) part.octet()).isEqualTo(b);
    }
    assertThat(part.hasMore()).as("left of the part").isFalse();
    assertThat(in.text()).isEqualTo("plain");
    assertThat(in.hasMore()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1",
    "63, 1, 1",
    "64, 1, 2",
    "127, 1, 2",
    "128, 2, 2",
    "-1, 10, 1",
    "-64, 10, 1",
    "-65, 10, 2",
    "9223372036854775807, 9, 10",
    "-9223372036854775808, 10, 10"
  })
  void a_number_takes_as_few_bytes_as_its_size_asks_for(long value, int plain, int signed) {
    PackedWriter out = new PackedWriter(16, 100);
    out.number(value);
    assertThat(out.toByteArray()).hasSize(plain);
    out = new PackedWriter(16, 100);
    out.signed(value);
    assertThat(out.toByteArray()).hasSize(signed);
  }

  @Test
  void nothing_is_written_past_the_cap() {
    PackedWriter out = new PackedWriter(16, 4);
    out.text("abc");
    assertThatThrownBy(() -> out.octet(1)).isInstanceOf(CapExceededException.class);
  }

  @Test
  void a_length_that_is_longer_than_what_is_left_is_refused_before_anything_is_allocated() {
    byte[] huge = {-1, -1, -1, -1, 7, 'x'};
    assertThatThrownBy(() -> new PackedReader(huge).text()).isInstanceOf(unreadable());
    assertThatThrownBy(() -> new PackedReader(huge).bytes()).isInstanceOf(unreadable());
    assertThatThrownBy(() -> new PackedReader(huge).part()).isInstanceOf(unreadable());
    assertThatThrownBy(() -> new PackedReader(huge).count(1)).isInstanceOf(unreadable());
    byte[] negative = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 'x'};
    assertThatThrownBy(() -> new PackedReader(negative).bytes()).isInstanceOf(unreadable());
    byte[] two = {2, 0, 0, 0};
    assertThat(new PackedReader(two).count(1)).isEqualTo(2);
    assertThatThrownBy(() -> new PackedReader(two).count(2)).isInstanceOf(unreadable());
  }

  @Test
  void what_ends_early_or_never_is_refused() {
    assertThatThrownBy(() -> new PackedReader(new byte[0]).octet()).isInstanceOf(unreadable());
    assertThatThrownBy(() -> new PackedReader(new byte[] {-128}).number())
        .isInstanceOf(unreadable());
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) -128);
    assertThatThrownBy(() -> new PackedReader(endless).number()).isInstanceOf(unreadable());
  }

  private static Class<UnreadableBytesException> unreadable() {
    return UnreadableBytesException.class;
  }
}
