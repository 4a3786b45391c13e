package io.headgate.edge.guard;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Closes an HTTP/2 connection, with GOAWAY, on which no stream was open for a while: the header
 * deadline before its first stream, the idle time after that. Bytes do not count, so neither pings
 * nor the pieces of an unfinished header block hold a connection: a stream opens only when its
 * header block is complete, and no other can begin before. Event loop only.
 */
final class Http2Clock extends Http2ConnectionAdapter {
  private final Channel channel;
  private final Http2Connection connection;
  private final Outbox outbox;
  private final long idle;
  private long patience;
  private long quietSince;
  private ScheduledFuture<?> timer;

  Http2Clock(Channel channel, Http2Connection connection, GuardLimits limits, long opened) {
    this.channel = channel;
    this.connection = connection;
    outbox = new Outbox(limits.stall().toNanos());
    idle = limits.idle().toNanos();
    patience = limits.headerDeadline().toNanos();
    quietSince = opened;
    connection.addListener(this);
    arm(opened + patience - System.nanoTime());
    channel.closeFuture().addListener(closed -> timer.cancel(false));
  }

  @Override
  public void onStreamActive(Http2Stream stream) {
    quietSince = Outbox.NONE;
    patience = idle;
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    if (connection.numActiveStreams() == 0) {
      quietSince = System.nanoTime();
    }
  }

  private void arm(long nanos) {
    timer =
        channel.eventLoop().schedule(this::tick, Math.max(nanos, 1_000_000), TimeUnit.NANOSECONDS);
  }

  private void tick() {
    if (!channel.isActive()) {
      return;
    }
    long now = System.nanoTime();
    long left = outbox.patience(channel, now);
    if (left == 0) {
      Abort.connection(channel);
      return;
    }
    if (quietSince != Outbox.NONE && now - quietSince >= patience) {
      channel.close();
      return;
    }
    long quiet = quietSince == Outbox.NONE ? idle : quietSince + patience - now;
    arm(left == Outbox.NONE ? quiet : Math.min(left, quiet));
  }
}
