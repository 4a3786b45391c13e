package io.headgate.observe.access;

import java.io.IOException;

/** Where lines go. Used by one thread at a time, which may block here. */
public interface LineOutput extends AutoCloseable {
  /**
   * Takes whole lines, each with its line feed.
   *
   * @param lines ASCII
   * @throws IOException if they could not be written, or only in part
   */
  void write(StringBuilder lines) throws IOException;

  /**
   * Whether people read along, who are spared lines of what a page brings with it where nothing
   * went wrong.
   */
  default boolean isReadAlong() {
    return false;
  }

  @Override
  default void close() {}
}
