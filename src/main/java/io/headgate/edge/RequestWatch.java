package io.headgate.edge;

import io.headgate.observe.access.RequestRecord;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.observability.HttpRequest;
import io.vertx.core.spi.observability.HttpResponse;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a {@link RequestRecord} of every request that Vert.x takes in, from its head to its end,
 * whichever route answers it and however it ends. Vert.x says both to the metrics of a server, so
 * this is one; it passes everything on to those that the embedding service may have.
 *
 * <p>Everything runs on the event loop of the connection. A request that waits for the answer to
 * the one before it has not begun, and one whose head never came whole is none.
 */
final class RequestWatch
    implements HttpServerMetrics<RequestWatch.Watched, Object, RequestWatch.Peer> {
  private static final CharSequence REQUEST_ID =
      io.vertx.core.http.HttpHeaders.createOptimized("x-request-id");
  private static final CharSequence TRACE_PARENT =
      io.vertx.core.http.HttpHeaders.createOptimized("traceparent");

  private final Consumer<RequestRecord> over;
  private final HttpServerMetrics<Object, Object, Object> others;

  /** Metrics that count nothing. */
  private static final class None implements HttpServerMetrics<Object, Object, Object> {}

  /** A connection. */
  record Peer(String address, @Nullable Object others) {}

  /** A request, with what others want to have with it. */
  static final class Watched extends RequestRecord {
    private final @Nullable Object others;
    private @Nullable HttpServerResponse response;

    Watched(Head head, long begunAt, Consumer<RequestRecord> over, @Nullable Object others) {
      super(head, begunAt, over);
      this.others = others;
    }

    private void isAnsweredBy(HttpResponse answer) {
      response = answer instanceof HttpServerResponse begun ? begun : null;
    }

    /** Lets go of everything but what the line needs. */
    private long written() {
      HttpServerResponse begun = response;
      response = null;
      return begun == null ? 0 : begun.bytesWritten();
    }
  }

  /**
   * @param over gets each request that is over, on the event loop
   * @param others metrics of the embedding service, or null
   */
  @SuppressWarnings("unchecked") // what they return is only ever given back to them
  RequestWatch(Consumer<RequestRecord> over, @Nullable HttpServerMetrics<?, ?, ?> others) {
    this.over = over;
    this.others = others == null ? new None() : (HttpServerMetrics<Object, Object, Object>) others;
  }

  /** The record of a request, or null where requests are not watched. */
  static @Nullable RequestRecord record(HttpServerRequest request) {
    return request instanceof HttpServerRequestInternal known
            && known.metric() instanceof Watched watched
        ? watched
        : null;
  }

  @Override
  public Peer connected(SocketAddress remoteAddress, String remoteName) {
    String host = remoteAddress.hostAddress();
    return new Peer(
        host == null ? remoteAddress.toString() : host,
        others.connected(remoteAddress, remoteName));
  }

  @Override
  public Watched requestBegin(Peer peer, HttpRequest request) {
    RequestRecord.Head head =
        new RequestRecord.Head(
            protocol(request),
            request.method() == null ? "" : request.method().name(),
            Objects.requireNonNullElse(request.uri(), ""),
            peer.address,
            request.headers().get(REQUEST_ID),
            request.headers().get(TRACE_PARENT));
    return new Watched(head, System.nanoTime(), over, others.requestBegin(peer.others, request));
  }

  private static String protocol(HttpRequest request) {
    HttpVersion version = request instanceof HttpServerRequest full ? full.version() : null;
    if (version == null) {
      return "HTTP";
    }
    return switch (version) {
      case HTTP_1_0 -> "HTTP/1.0";
      case HTTP_1_1 -> "HTTP/1.1";
      case HTTP_2 -> "HTTP/2";
    };
  }

  @Override
  public void requestEnd(Watched watched, HttpRequest request, long bytesRead) {
    if (bytesRead > 0) {
      watched.read();
    }
    others.requestEnd(watched.others, request, bytesRead);
  }

  @Override
  public void responseBegin(Watched watched, HttpResponse response) {
    watched.isAnsweredBy(response);
    watched.begins(response.statusCode());
    others.responseBegin(watched.others, response);
  }

  @Override
  public void responseEnd(Watched watched, HttpResponse response, long bytesWritten) {
    watched.isAnsweredBy(response);
    watched.handedOver(response.statusCode(), watched.written());
    others.responseEnd(watched.others, response, bytesWritten);
  }

  @Override
  public void requestReset(Watched watched) {
    watched.broken(watched.written());
    others.requestReset(watched.others);
  }

  // --- what only others want to know

  @Override
  public void requestRouted(Watched watched, String route) {
    others.requestRouted(watched.others, route);
  }

  @Override
  public @Nullable Watched responsePushed(
      Peer peer, HttpMethod method, String uri, HttpResponse response) {
    return null; // nothing here pushes
  }

  @Override
  public @Nullable Object connected(Peer peer, Watched watched, ServerWebSocket webSocket) {
    return others.connected(peer.others, watched.others, webSocket);
  }

  @Override
  public void disconnected(Object webSocket) {
    others.disconnected(webSocket);
  }

  @Override
  public void disconnected(Peer peer, SocketAddress remoteAddress) {
    others.disconnected(peer.others, remoteAddress);
  }

  @Override
  public void bytesRead(Peer peer, SocketAddress remoteAddress, long count) {
    others.bytesRead(peer.others, remoteAddress, count);
  }

  @Override
  public void bytesWritten(Peer peer, SocketAddress remoteAddress, long count) {
    others.bytesWritten(peer.others, remoteAddress, count);
  }

  @Override
  public void exceptionOccurred(Peer peer, SocketAddress remoteAddress, Throwable failure) {
    others.exceptionOccurred(peer.others, remoteAddress, failure);
  }

  @Override
  public void close() {
    others.close();
  }
}
