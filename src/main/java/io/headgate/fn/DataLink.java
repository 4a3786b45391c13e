package io.headgate.fn;

import io.vertx.core.buffer.Buffer;

/** The gateway's end of a harness's Data stream. On the loop. */
public interface DataLink {
  /** Whether the stream takes another piece now; {@link Harness#dataHasRoom} says when it does. */
  boolean hasRoom();

  /** Sends a piece of one logical stream; an empty one ends it. */
  void send(String bundle, PortId port, Buffer piece);

  /** Takes no more bytes from the harness, but for what is on its way already. */
  void pause();

  /** Takes bytes from the harness again. */
  void resume();
}
