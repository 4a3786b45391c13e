package io.headgate.state;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The key of one cell of bundle state: descriptor, transform, which of its states, window, user
 * key. Only its bytes matter, and two cells are equal if all of these are. Immutable.
 *
 * <p>Cells have an order so that a hash map full of keys that a harness chose to collide still
 * finds one quickly.
 */
public final class StateCell implements Comparable<StateCell> {
  private final byte[] encoded;

  private StateCell(byte[] encoded) {
    this.encoded = encoded;
  }

  /**
   * The cell that these name together.
   *
   * @param descriptor state is never shared between descriptors, since the ids below are unique in
   *     one pipeline only
   */
  public static StateCell of(
      String descriptor, String transform, String name, byte[] window, byte[] key) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(descriptor.getBytes(StandardCharsets.UTF_8), out);
    put(transform.getBytes(StandardCharsets.UTF_8), out);
    put(name.getBytes(StandardCharsets.UTF_8), out);
    put(window, out);
    put(key, out);
    return new StateCell(out.toByteArray());
  }

  /** The cell that {@link #toBytes} gave. */
  public static StateCell fromBytes(byte[] bytes) {
    return new StateCell(bytes.clone());
  }

  /** What all cells of {@code descriptor}, and no others, begin with. */
  public static byte[] prefix(String descriptor) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(descriptor.getBytes(StandardCharsets.UTF_8), out);
    return out.toByteArray();
  }

  /** The length in front of each part keeps two different cells from ever looking alike. */
  private static void put(byte[] part, ByteArrayOutputStream out) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.write(part.length >>> shift);
    }
    out.writeBytes(part);
  }

  /** Its bytes, to be kept or sent. */
  public byte[] toBytes() {
    return encoded.clone();
  }

  /** How many bytes it has. */
  public int length() {
    return encoded.length;
  }

  /** Whether it belongs to the descriptor of this {@link #prefix}. */
  public boolean startsWith(byte[] prefix) {
    return encoded.length >= prefix.length
        && Arrays.equals(encoded, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Override
  public int compareTo(StateCell other) {
    return Arrays.compare(encoded, other.encoded);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StateCell cell && Arrays.equals(encoded, cell.encoded);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encoded);
  }
}
