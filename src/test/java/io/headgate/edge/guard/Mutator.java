package io.headgate.edge.guard;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Request heads that are almost right, the same ones for the same seed. */
final class Mutator {
  private static final List<byte[]> HEADS =
      FramingVectors.all().stream()
          .map(FramingVectors.Vector::bytes)
          .filter(bytes -> bytes.length < 300)
          .toList();
  private static final List<byte[]> PIECES =
      List.of(
          bytes("\r\n"),
          bytes("\n"),
          bytes("\r"),
          bytes("\r\n\r\n"),
          bytes("\r\n "),
          bytes(" "),
          bytes("\t"),
          bytes(":"),
          bytes(","),
          bytes("\0"),
          bytes("\u0085"),
          bytes("\u00ff"),
          bytes("Host: a\r\n"),
          bytes("Content-Length: 0\r\n"),
          bytes("Content-Length: 3\r\n"),
          bytes("Transfer-Encoding: chunked\r\n"),
          bytes("Connection: close\r\n"),
          bytes("GET /job-lineage/7 HTTP/1.1\r\n"),
          bytes(" HTTP/1.1"),
          bytes("0\r\n\r\n"));

  private final SplittableRandom random;

  Mutator(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The next one: a known request with one to four faults, or the halves of two. */
  byte[] next() {
    byte[] bytes = any(HEADS);
    if (random.nextInt(8) == 0) {
      bytes = spliced(bytes, any(HEADS));
    }
    for (int faults = random.nextInt(1, 5); faults > 0; faults--) {
      bytes = mutated(bytes);
    }
    return bytes;
  }

  private byte[] mutated(byte[] bytes) {
    int at = random.nextInt(bytes.length + 1);
    int end = Math.min(bytes.length, at + 1 + random.nextInt(4));
    byte[] middle =
        switch (random.nextInt(5)) {
          case 0 -> new byte[] {(byte) random.nextInt(256)};
          case 1 -> any(PIECES);
          case 2 -> new byte[0];
          case 3 -> flipped(bytes, at, end);
          default -> doubled(bytes, at, end);
        };
    boolean insert = random.nextBoolean();
    return join(Arrays.copyOf(bytes, at), middle, part(bytes, insert ? at : end, bytes.length));
  }

  private byte[] flipped(byte[] bytes, int from, int to) {
    byte[] part = part(bytes, from, to);
    for (int i = 0; i < part.length; i++) {
      part[i] ^= (byte) (1 << random.nextInt(8));
    }
    return part;
  }

  private static byte[] doubled(byte[] bytes, int from, int to) {
    byte[] part = part(bytes, from, to);
    return join(part, part);
  }

  private byte[] spliced(byte[] one, byte[] other) {
    return join(
        Arrays.copyOf(one, random.nextInt(one.length)),
        part(other, random.nextInt(other.length), other.length));
  }

  private byte[] any(List<byte[]> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static byte[] part(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }
}
