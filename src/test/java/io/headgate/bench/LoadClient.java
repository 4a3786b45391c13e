package io.headgate.bench;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keep-alive clients in a closed loop on one event loop each, {@code depth} requests at a time. It
 * counts bytes instead of parsing: every answer of a run has the same length, which a first request
 * finds out.
 */
final class LoadClient implements AutoCloseable {
  private final Vertx vertx;
  private final NetClient client;
  private final int port;
  private final Buffer batch;
  private final int depth;
  private final long batchBytes;

  LoadClient(Vertx vertx, int port, String request, int depth) throws Exception {
    this.vertx = vertx;
    this.client = vertx.createNetClient();
    this.port = port;
    this.depth = depth;
    this.batch = Buffer.buffer(request.repeat(depth));
    this.batchBytes = answerLength(request) * depth;
  }

  static String get(String path, String... headers) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + String.join("", headers) + "\r\n";
  }

  private long answerLength(String request) throws Exception {
    CompletableFuture<Long> length = new CompletableFuture<>();
    client
        .connect(port, "127.0.0.1")
        .onSuccess(
            socket -> {
              AtomicLong seen = new AtomicLong();
              StringBuilder head = new StringBuilder();
              socket.handler(
                  chunk -> {
                    seen.addAndGet(chunk.length());
                    if (head.indexOf("\r\n\r\n") < 0) {
                      head.append(chunk.toString(StandardCharsets.ISO_8859_1));
                    }
                    long whole = wholeLength(head);
                    if (whole > 0 && seen.get() >= whole) {
                      length.complete(whole);
                      socket.close();
                    }
                  });
              socket.write(request);
            })
        .onFailure(length::completeExceptionally);
    return length.get(20, java.util.concurrent.TimeUnit.SECONDS);
  }

  private static long wholeLength(StringBuilder answer) {
    int end = answer.indexOf("\r\n\r\n");
    if (end < 0) {
      return -1;
    }
    String head = answer.substring(0, end).toLowerCase(java.util.Locale.ROOT);
    int at = head.indexOf("content-length: ");
    if (at < 0) {
      return end + 4;
    }
    int stop = head.indexOf("\r\n", at);
    return end + 4 + Long.parseLong(head.substring(at + 16, stop < 0 ? head.length() : stop));
  }

  /** The bytes of one answer, head and body. */
  long answerBytes() {
    return batchBytes / depth;
  }

  /** Asks {@code requests} times over {@code connections}; returns how long it took, in seconds. */
  double run(int connections, long requests) throws Exception {
    AtomicLong batchesLeft = new AtomicLong(requests / depth);
    AtomicLong running = new AtomicLong(connections);
    CompletableFuture<Void> done = new CompletableFuture<>();
    long began = System.nanoTime();
    for (int i = 0; i < connections; i++) {
      client
          .connect(port, "127.0.0.1")
          .onSuccess(socket -> poll(socket, batchesLeft, running, done))
          .onFailure(done::completeExceptionally);
    }
    done.get(120, java.util.concurrent.TimeUnit.SECONDS);
    return (System.nanoTime() - began) / 1e9;
  }

  private void poll(
      NetSocket socket, AtomicLong batchesLeft, AtomicLong running, CompletableFuture<Void> done) {
    long[] seen = {0};
    socket.exceptionHandler(done::completeExceptionally);
    socket.handler(
        chunk -> {
          seen[0] += chunk.length();
          if (seen[0] >= batchBytes) {
            seen[0] -= batchBytes;
            next(socket, batchesLeft, running, done);
          }
        });
    next(socket, batchesLeft, running, done);
  }

  private void next(
      NetSocket socket, AtomicLong batchesLeft, AtomicLong running, CompletableFuture<Void> done) {
    if (batchesLeft.getAndDecrement() > 0) {
      socket.write(batch.copy());
    } else {
      socket.handler(null);
      socket.exceptionHandler(null);
      socket.close();
      if (running.decrementAndGet() == 0) {
        done.complete(null);
      }
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
