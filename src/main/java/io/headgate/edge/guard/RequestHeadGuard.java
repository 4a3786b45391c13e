package io.headgate.edge.guard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ShutdownEvent;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The HTTP/1 decoder of every connection, with the connection's pace and clock.
 *
 * <p><b>Pace.</b> What one read brought may be a hundred requests. This decodes at most {@value
 * #BURST} heads and holds back the rest, and with it the next read, until the event loop has looked
 * at the other connections and Vert.x wants more. Vert.x says so by switching the channel's
 * auto-read, so this uses the same switch: off while something is held that Vert.x would take.
 *
 * <p><b>Clock.</b> A head must be complete {@link GuardLimits#headerDeadline()} after its first
 * byte, or, the first one, after the connection opened. A late one is refused in its turn, because
 * an earlier request of the connection may still be waiting for its answer; a connection on which
 * no byte of a head came is closed silently, since a 408 there could cross a request that is just
 * being sent and be taken for its answer. A connection is also closed when it had no unanswered
 * request, nothing left to send and no begun head for {@link GuardLimits#idle()}, and when it took
 * no byte of what is to be sent for {@link GuardLimits#stall()}. Vert.x's own idle timeouts must
 * stay off: they see neither a waiting request nor the progress of a large buffer. A request that
 * is never answered, or whose content never ends, is not this class's business: that needs the
 * whole-request deadline.
 *
 * <p><b>Closing.</b> A connection whose client may still be sending is closed by {@link
 * LingeringClose}, so that the client gets to see why.
 *
 * <p><b>Threads.</b> Everything runs on the connection's event loop; there is no shared state. A
 * head that arrives in one buffer costs one reading of the clock; timers are set only for heads
 * that come in pieces.
 */
final class RequestHeadGuard extends RequestHeadDecoder {

  private static final int BURST = 16;
  private static final long NONE = Outbox.NONE;

  private final long headerDeadline;
  private final long idle;
  private final Outbox outbox;

  @SuppressWarnings("NullAway.Init") // set when the handler is added, before anything else
  private ChannelHandlerContext ctx;

  @SuppressWarnings("NullAway.Init") // likewise
  private ScheduledFuture<?> timer;

  private long headSince;
  private long quietSince;
  private int unanswered;
  private int burst;
  private boolean held;
  private boolean resuming;
  private boolean late;

  /**
   * @param opened the {@link System#nanoTime()} at which the connection opened
   */
  RequestHeadGuard(HttpServerOptions options, GuardLimits limits, long opened) {
    super(options, limits.headers());
    headSince = opened;
    headerDeadline = limits.headerDeadline().toNanos();
    idle = limits.idle().toNanos();
    outbox = new Outbox(limits.stall().toNanos());
  }

  /** Puts a guard in the place of an HTTP/1 decoder that has seen no byte yet. */
  static void install(
      ChannelPipeline pipeline, HttpServerOptions options, GuardLimits limits, long opened) {
    RequestHeadGuard guard = new RequestHeadGuard(options, limits, opened);
    pipeline.addAfter("httpEncoder", "answers", guard.new Answers());
    pipeline.replace("httpDecoder", "httpDecoder", guard);
  }

  // --- pace

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (burst == BURST && awaitsHead()) {
      held = true;
      return;
    }
    super.decode(ctx, in, out);
    if (!out.isEmpty() && out.get(0) instanceof HttpRequest) {
      burst++;
      unanswered++;
      headSince = NONE;
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    burst = 0;
    super.channelReadComplete(ctx);
    if (held) {
      giveWay();
    } else if (headSince == NONE && awaitsHead() && headBegun()) {
      headSince = System.nanoTime();
      late = false;
      timer.cancel(false);
      arm(headerDeadline);
    }
  }

  /** Lets other connections go first, if Vert.x would take what is held; else it will say when. */
  private void giveWay() {
    if (ctx.channel().config().isAutoRead()) {
      ctx.channel().config().setAutoRead(false);
      // Not execute(): that would run before the event loop has looked at its connections.
      ctx.executor().schedule(this::resume, 0, TimeUnit.NANOSECONDS);
    }
  }

  private void resume() {
    if (!ctx.channel().isActive()) {
      return;
    }
    resuming = true;
    ctx.channel().config().setAutoRead(true);
    resuming = false;
    held = false;
    try {
      super.channelRead(ctx, Unpooled.EMPTY_BUFFER);
      channelReadComplete(ctx);
    } catch (Exception e) {
      ctx.fireExceptionCaught(e);
    }
    if (!held && ctx.channel().config().isAutoRead()) {
      ctx.channel().read();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    if (held) {
      dropInput(); // nobody waits for the answers any more
    }
    super.channelInactive(ctx);
  }

  /** Sees, behind the encoder, when Vert.x wants to read again, what it answers, and its end. */
  private final class Answers extends ChannelOutboundHandlerAdapter {
    @Override
    public void read(ChannelHandlerContext ctx) {
      if (held && !resuming) {
        giveWay();
      } else if (!resuming) {
        ctx.read();
      }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      if (message instanceof LastHttpContent
          && !(message instanceof HttpResponse head
              && head.status().codeClass() == HttpStatusClass.INFORMATIONAL)
          && --unanswered == 0) {
        quietSince = System.nanoTime();
      }
      ctx.write(message, promise);
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
      if (dropsInput() && ctx.channel().isActive()) {
        dropInput();
        LingeringClose.of(ctx, promise);
      } else {
        ctx.close(promise);
      }
    }
  }

  // --- clock

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    this.ctx = ctx;
    quietSince = headSince;
    arm(headSince + headerDeadline - System.nanoTime());
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
    timer.cancel(false);
    super.handlerRemoved0(ctx);
  }

  /**
   * The server shuts down: a connection without a request is of no use any more, though a head may
   * have begun.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof ShutdownEvent && unanswered == 0) {
      ctx.close();
    } else {
      super.userEventTriggered(ctx, event);
    }
  }

  /**
   * A client that broke the connection is no fault of anybody here. Vert.x learns of it as it does
   * of any closed connection; the exception would only make it log, and fail over requests that
   * wait for their turn.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (cause instanceof IOException) {
      ctx.close();
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  private void arm(long nanos) {
    timer = ctx.executor().schedule(this::tick, Math.max(nanos, 1_000_000), TimeUnit.NANOSECONDS);
  }

  private void tick() {
    if (!ctx.channel().isActive()) {
      return;
    }
    long now = System.nanoTime();
    if (headSince == NONE) {
      quietTick(now);
    } else {
      headTick(now);
    }
  }

  private void quietTick(long now) {
    long left = outbox.patience(ctx.channel(), now);
    if (left == 0) {
      Abort.connection(ctx.channel());
      return;
    }
    if (left != NONE) {
      quietSince = now;
    } else if (unanswered > 0) {
      left = idle;
    } else {
      left = quietSince + idle - now;
    }
    if (left > 0) {
      arm(left);
    } else {
      ctx.close();
    }
  }

  private void headTick(long now) {
    long left = headSince + headerDeadline - now;
    if (left > 0) {
      arm(left);
    } else if (!ctx.channel().config().isAutoRead()) {
      // Vert.x reads no more since earlier requests are not answered yet: the client is not late.
      headSince = now;
      arm(headerDeadline);
    } else if (!late) {
      // It may have been this loop that was late: what has arrived is read before the next tick.
      late = true;
      arm(0);
    } else if (headBegun()) {
      headSince = NONE;
      unanswered++;
      arm(idle);
      ctx.fireChannelRead(refuse(Refusal.LATE));
      ctx.fireChannelReadComplete();
    } else {
      ctx.close();
    }
  }
}
