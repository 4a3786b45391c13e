package io.headgate.kit;

import java.time.Duration;

/**
 * Tells when a gateway with one event loop has read what was sent to it. A loop serves every
 * connection that is ready before it looks again, so whatever was on its way before a request to
 * the same loop has been read once that was answered twice in a row.
 */
public final class LoopTurns implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String REQUEST = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n";

  private final RawClient client;
  private final int length;

  /**
   * @param port of a gateway with {@code http.instances} 1
   */
  public LoopTurns(int port) {
    client = new RawClient(port);
    length = client.send(REQUEST).receive(Duration.ofMillis(500)).bytes().length;
  }

  /** Returns when everything that was sent before has been read. */
  public void await() {
    for (int turn = 0; turn < 2; turn++) {
      if (client.send(REQUEST).read(length, PATIENCE) != length) {
        throw new IllegalStateException("the event loop does not turn");
      }
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
