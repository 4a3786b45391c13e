package io.headgate.fn;

import org.jspecify.annotations.Nullable;

/**
 * What a harness wants of one cell of state. The arrays are handed over.
 *
 * @param port the transform, and which of its states
 * @param window the encoded window
 * @param key the encoded user key
 * @param action what to do
 */
public record StateRequest(PortId port, byte[] window, byte[] key, Action action) {
  /** What to do with the cell. */
  public sealed interface Action {
    /** Read a page: the first, or the one that the token stands for. */
    record Get(byte @Nullable [] token) implements Action {}

    /** Put something behind what is there. */
    record Append(byte[] data) implements Action {}

    /** Take everything away. */
    record Clear() implements Action {}
  }

  boolean isWrite() {
    return !(action instanceof Action.Get);
  }

  /** About how many bytes it keeps alive. */
  int weight() {
    int weight = window.length + key.length;
    return action instanceof Action.Append append ? weight + append.data.length : weight;
  }
}
