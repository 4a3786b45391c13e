package io.headgate.edge.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;

/**
 * Gives up an answer whatever of it is still to be sent. {@code HttpConnection.close()} does
 * nothing to a client that does not read, because it waits behind the unsent bytes, and {@code
 * HttpServerResponse.reset()} nothing once the answer has been handed over.
 */
public final class Abort {
  private Abort() {}

  /** Resets the request's stream, or closes its connection over HTTP/1. On any thread. */
  public static void answer(HttpServerRequest request) {
    ChannelHandlerContext ctx =
        ((HttpServerConnection) request.connection()).channelHandlerContext();
    ctx.executor()
        .execute(
            () -> {
              Http2ConnectionHandler http2 = ctx.pipeline().get(Http2ConnectionHandler.class);
              if (http2 == null) {
                connection(ctx.channel());
              } else {
                int stream = request.response().streamId();
                http2.resetStream(ctx, stream, Http2Error.CANCEL.code(), ctx.newPromise());
                ctx.flush();
              }
            });
  }

  /** Closes a connection at once; on its event loop. */
  static void connection(Channel channel) {
    ChannelHandlerContext first = channel.pipeline().firstContext();
    if (first != null) {
      first.close(); // in front of TLS, which would wait to say goodbye
    }
  }
}
