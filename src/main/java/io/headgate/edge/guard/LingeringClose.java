package io.headgate.edge.guard;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose client may still be sending (RFC 9112 section 9.6). Closing at once
 * would answer the bytes that are on their way with a TCP reset, and that may take the response
 * away before the client has read it. So the end is announced, and what comes is read and dropped
 * until the client closes too, but for {@value #LINGER_MILLIS} ms at most. On the event loop of the
 * connection.
 */
final class LingeringClose {
  private static final long LINGER_MILLIS = 1_000;

  private LingeringClose() {}

  /**
   * Begins to close; whoever is in front of {@code ctx} must drop what comes. A second call for a
   * connection changes nothing.
   *
   * @param promise kept when the connection is closed
   */
  static void of(ChannelHandlerContext ctx, ChannelPromise promise) {
    Channel channel = ctx.channel();
    if (!(channel instanceof DuplexChannel duplex)) {
      ctx.close(promise);
      return;
    }
    channel.closeFuture().addListener(closed -> promise.trySuccess());
    if (duplex.isOutputShutdown()) {
      return;
    }
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    ChannelFuture said =
        tls == null ? ctx.writeAndFlush(Unpooled.EMPTY_BUFFER) : tls.closeOutbound();
    said.addListener(done -> duplex.shutdownOutput());
    channel.config().setAutoRead(true);
    var end = ctx.executor().schedule(() -> ctx.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    channel.closeFuture().addListener(closed -> end.cancel(false));
  }
}
