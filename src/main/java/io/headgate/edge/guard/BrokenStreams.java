package io.headgate.edge.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;

/**
 * Keeps what breaks one HTTP/2 stream from closing its connection. Vert.x writes trailers without
 * anybody to tell of a failure, so Netty tells the whole pipeline, and Vert.x closes what it can't
 * make sense of: a client that ended its side of a stream and reset it in one go would lose all
 * others. Netty has seen to the stream itself by then. Event loop only.
 */
final class BrokenStreams extends ChannelInboundHandlerAdapter {
  private BrokenStreams() {}

  /** In front of Vert.x, where failures come by. */
  static void install(ChannelPipeline pipeline, Http2ConnectionHandler http2) {
    pipeline.addBefore(pipeline.context(http2).name(), "broken-streams", new BrokenStreams());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof Http2Exception failure && Http2Exception.isStreamError(failure))) {
      ctx.fireExceptionCaught(cause);
    }
  }
}
