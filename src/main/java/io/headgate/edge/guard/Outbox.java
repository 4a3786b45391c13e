package io.headgate.edge.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** Watches whether what is to be sent to a client moves. */
final class Outbox {
  /** No time. */
  static final long NONE = Long.MIN_VALUE;

  private final long stall;
  private long since = NONE;
  private long bytes;
  private long progress;

  Outbox(long stall) {
    this.stall = stall;
  }

  /**
   * {@link #NONE} if there is nothing to send, else when to look again, 0 if the client took
   * nothing for too long.
   */
  long patience(Channel channel, long now) {
    ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
    if (pending == null || pending.isEmpty()) {
      since = NONE;
      return NONE;
    }
    if (since == NONE
        || bytes != pending.totalPendingWriteBytes()
        || progress != pending.currentProgress()) {
      since = now;
      bytes = pending.totalPendingWriteBytes();
      progress = pending.currentProgress();
    }
    return Math.max(0, Math.min(stall / 4, since + stall - now));
  }
}
