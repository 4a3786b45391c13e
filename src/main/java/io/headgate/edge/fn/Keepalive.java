package io.headgate.edge.fn;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;

/**
 * Closes a connection whose other end has gone without a word: one that leaves a PING unanswered
 * until the next is due. Otherwise its harness would count as alive, and could not come back. Event
 * loop only.
 */
final class Keepalive {
  private static final int PING_BYTES = 8;

  private final HttpConnection connection;
  private boolean answered = true;

  private Keepalive(HttpConnection connection) {
    this.connection = connection;
  }

  /** Watches {@code connection} until it is closed. */
  static void watch(Vertx vertx, HttpConnection connection, long everyMillis) {
    Keepalive keepalive = new Keepalive(connection);
    long timer = vertx.setPeriodic(everyMillis, tick -> keepalive.tick());
    connection.closeHandler(closed -> vertx.cancelTimer(timer));
  }

  private void tick() {
    if (!answered) {
      connection.close();
      return;
    }
    answered = false;
    try {
      connection.ping(Buffer.buffer(new byte[PING_BYTES])).onSuccess(pong -> answered = true);
    } catch (UnsupportedOperationException e) {
      answered = true; // HTTP/1, where the guards close what is idle
    }
  }
}
