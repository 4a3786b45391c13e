package io.headgate.edge;

import io.headgate.admission.UnwrittenBytes;
import io.headgate.observe.access.RequestRecord;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * Writes a large body in pieces, each when the client has taken enough of those before, so that
 * what waits in a connection's own buffers stays small and progress can be seen. On the event loop
 * of the response.
 */
final class PiecewiseWrite {
  private final HttpServerResponse response;
  private final Reply reply;
  private final UnwrittenBytes.Write write;
  private final @Nullable RequestRecord record;
  private int written;

  /**
   * @param record what is told when the last byte is out, or null
   */
  PiecewiseWrite(
      HttpServerResponse response,
      Reply reply,
      UnwrittenBytes.Write write,
      @Nullable RequestRecord record) {
    this.response = response;
    this.reply = reply;
    this.write = write;
    this.record = record;
  }

  void start() {
    response.exceptionHandler(broken -> write.end());
    response.closeHandler(closed -> write.end());
    response.setWriteQueueMaxSize(Committer.PIECE_BYTES);
    response.drainHandler(drained -> proceed());
    proceed();
  }

  private void proceed() {
    if (written > 0) {
      write.progressed();
    }
    while (!response.closed() && !response.ended()) {
      int end = Math.min(written + Committer.PIECE_BYTES, reply.length());
      var piece = reply.part(written, end);
      written = end;
      if (end == reply.length()) {
        Committer.end(response, piece, write, record);
        return;
      }
      response.write(piece);
      if (response.writeQueueFull()) {
        return;
      }
    }
  }
}
