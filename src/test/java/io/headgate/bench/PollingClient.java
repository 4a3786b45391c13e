package io.headgate.bench;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Keep-alive clients that read status and length of every answer and note how long it took. Closed
 * loop (each asks again when it is answered) or open loop (asks at a fixed rate, answered or not).
 * All on one event loop.
 */
final class PollingClient {
  private final Vertx vertx;
  private final String host;
  private final int port;
  private final LongFunction<String> path;
  private final Deque<Connection> idle = new ArrayDeque<>();
  private final List<Connection> connections = new ArrayList<>();
  private final Map<Integer, List<Long>> nanosByStatus = new TreeMap<>();
  private long asked;
  private long notSent;
  private long broken;
  private boolean closedLoop;
  private long stopAt = Long.MAX_VALUE;

  /**
   * What came of a run.
   *
   * @param seconds how long it took
   * @param nanosByStatus for each status the latency of each answer, ascending
   * @param notSent requests that found every connection taken
   * @param broken connections that were lost
   */
  record Result(double seconds, Map<Integer, long[]> nanosByStatus, long notSent, long broken) {
    long count(int status) {
      return nanosByStatus.getOrDefault(status, new long[0]).length;
    }

    double rate(int status) {
      return count(status) / seconds;
    }

    double millis(int status, double quantile) {
      long[] nanos = nanosByStatus.getOrDefault(status, new long[0]);
      return nanos.length == 0 ? Double.NaN : nanos[(int) ((nanos.length - 1) * quantile)] / 1e6;
    }
  }

  /**
   * @param path the target of the n-th request
   */
  PollingClient(Vertx vertx, int port, LongFunction<String> path) {
    this(vertx, "127.0.0.1", port, path);
  }

  /** The same of another machine. */
  PollingClient(Vertx vertx, String host, int port, LongFunction<String> path) {
    this.vertx = vertx;
    this.host = host;
    this.port = port;
    this.path = path;
  }

  Result closedLoop(int count, double seconds) throws Exception {
    return run(count, seconds, 0);
  }

  Result openLoop(int count, double seconds, double perSecond) throws Exception {
    return run(count, seconds, perSecond);
  }

  private Result run(int count, double seconds, double perSecond) throws Exception {
    CompletableFuture<Result> result = new CompletableFuture<>();
    NetClient client = vertx.createNetClient(new NetClientOptions().setTcpNoDelay(true));
    vertx.runOnContext(
        start -> {
          List<io.vertx.core.Future<?>> connecting = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            connecting.add(client.connect(port, host).onSuccess(s -> idle.add(new Connection(s))));
          }
          io.vertx.core.Future.join(connecting)
              .onFailure(result::completeExceptionally)
              .onSuccess(all -> begin(seconds, perSecond, result));
        });
    try {
      return result.get((long) seconds + 60, TimeUnit.SECONDS);
    } finally {
      client.close();
    }
  }

  private void begin(double seconds, double perSecond, CompletableFuture<Result> result) {
    connections.addAll(idle);
    long began = System.nanoTime();
    stopAt = began + (long) (seconds * 1e9);
    closedLoop = perSecond == 0;
    if (closedLoop) {
      connections.forEach(Connection::ask);
      idle.clear();
    }
    vertx.setPeriodic(
        1,
        timer -> {
          long now = System.nanoTime();
          if (now >= stopAt) {
            vertx.cancelTimer(timer);
            vertx.setTimer(500, end -> finish((now - began) / 1e9, result));
            return;
          }
          for (long due = (long) ((now - began) / 1e9 * perSecond); asked + notSent < due; ) {
            Connection free = idle.poll();
            if (free == null) {
              notSent++;
            } else {
              free.ask();
            }
          }
        });
  }

  private void finish(double seconds, CompletableFuture<Result> result) {
    Map<Integer, long[]> sorted = new TreeMap<>();
    nanosByStatus.forEach(
        (status, nanos) -> {
          long[] all = nanos.stream().mapToLong(n -> n).toArray();
          Arrays.sort(all);
          sorted.put(status, all);
        });
    connections.forEach(connection -> connection.socket.close());
    result.complete(new Result(seconds, sorted, notSent, broken));
  }

  private final class Connection {
    final NetSocket socket;
    private final StringBuilder head = new StringBuilder();
    private long bodyLeft = -1;
    private int status;
    private long askedAt;
    private boolean waiting;

    Connection(NetSocket socket) {
      this.socket = socket;
      socket.handler(this::read);
      socket.closeHandler(
          closed -> {
            if (System.nanoTime() < stopAt) {
              broken++;
            }
          });
      socket.exceptionHandler(ignored -> {});
    }

    void ask() {
      askedAt = System.nanoTime();
      waiting = true;
      socket.write(LoadClient.get(path.apply(asked++)));
    }

    private void read(Buffer chunk) {
      if (!waiting) {
        return;
      }
      long rest = chunk.length();
      if (bodyLeft < 0) {
        head.append(chunk.toString(StandardCharsets.ISO_8859_1));
        int end = head.indexOf("\r\n\r\n");
        if (end < 0) {
          return;
        }
        String text = head.substring(0, end).toLowerCase(java.util.Locale.ROOT);
        status = Integer.parseInt(text.substring(9, 12));
        int at = text.indexOf("content-length:") + 15;
        int stop = text.indexOf('\r', at);
        bodyLeft = Long.parseLong(text.substring(at, stop < 0 ? text.length() : stop).trim());
        rest = head.length() - end - 4L;
        head.setLength(0);
      }
      bodyLeft -= rest;
      if (bodyLeft == 0) {
        bodyLeft = -1;
        waiting = false;
        nanosByStatus
            .computeIfAbsent(status, s -> new ArrayList<>())
            .add(System.nanoTime() - askedAt);
        if (closedLoop && System.nanoTime() < stopAt) {
          ask();
        } else {
          idle.add(this);
        }
      }
    }
  }
}
