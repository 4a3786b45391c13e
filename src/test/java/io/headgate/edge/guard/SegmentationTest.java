package io.headgate.edge.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.edge.guard.FramingVectors.Vector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a request means does not depend on how the network cuts it. */
class SegmentationTest {
  private static final byte[] FOLLOW_UP =
      "GET /job-lineage/7 HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST_CUTS = 40;
  private static final int SMALL = 10_000;

  static List<Vector> vectors() {
    return FramingVectors.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void in_two_pieces_or_byte_after_byte(Vector vector) {
    byte[] bytes = Arrays.copyOf(vector.bytes(), vector.bytes().length + FOLLOW_UP.length);
    System.arraycopy(FOLLOW_UP, 0, bytes, vector.bytes().length, FOLLOW_UP.length);
    String whole = Decoding.of(bytes).toString();

    int step = Math.max(1, bytes.length / MOST_CUTS);
    int headEnd = vector.bytes().length;
    for (int cut = 1; cut < bytes.length; cut += Math.abs(headEnd - cut) < 8 ? 1 : step) {
      assertThat(Decoding.of(part(bytes, 0, cut), part(bytes, cut, bytes.length)).toString())
          .as("cut at %d", cut)
          .isEqualTo(whole);
    }
    if (bytes.length > SMALL) {
      return;
    }
    byte[][] single = new byte[bytes.length][];
    for (int i = 0; i < bytes.length; i++) {
      single[i] = part(bytes, i, i + 1);
    }
    assertThat(Decoding.of(single).toString()).as("byte after byte").isEqualTo(whole);
  }

  private static byte[] part(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }
}
