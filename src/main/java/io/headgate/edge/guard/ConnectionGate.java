package io.headgate.edge.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many connections are open, over all event loops of one port, and how many may be. One too
 * many is closed where it is accepted, before TLS and before a byte is read. Safe on any thread.
 */
@ChannelHandler.Sharable
public final class ConnectionGate extends ChannelInboundHandlerAdapter {
  private final int limit;
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder refused = new LongAdder();

  /**
   * @param limit the most connections at once
   */
  public ConnectionGate(int limit) {
    this.limit = limit;
  }

  /** How many are open now. */
  public int open() {
    return open.get();
  }

  /** How many were closed at once because there were too many. */
  public long refused() {
    return refused.sum();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object accepted) {
    Channel connection = (Channel) accepted;
    if (open.incrementAndGet() > limit) {
      open.decrementAndGet();
      refused.increment();
      connection.unsafe().closeForcibly();
    } else {
      connection.closeFuture().addListener(closed -> open.decrementAndGet());
      ctx.fireChannelRead(accepted);
    }
  }
}
