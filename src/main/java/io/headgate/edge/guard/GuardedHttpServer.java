package io.headgate.edge.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.Http1xOrH2CHandler;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.HttpServerImpl;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetServerImpl;
import io.vertx.core.net.impl.NetServerInternal;
import io.vertx.core.net.impl.ShutdownEvent;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.core.spi.transport.Transport;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes HTTP servers whose connections are guarded from the moment they are accepted.
 *
 * <p>Vert.x tells an application of a connection only after the TLS handshake, and with clear-text
 * HTTP/2 switched on only after its first whole request. This class gets in earlier, by giving
 * Vert.x's own server a {@link NetServerImpl} with two hooks; it copies no Vert.x code.
 *
 * <ul>
 *   <li>On the accepting thread, {@link ConnectionGate} closes what exceeds the connection limit,
 *       before TLS and before a byte is read. One gate is shared by all servers of a port; the
 *       place is free again when the socket is closed.
 *   <li>On the connection's event loop, as soon as it is known which protocol is spoken, a {@link
 *       RequestHeadGuard} takes the place of the HTTP/1 decoder before that has seen a byte, or an
 *       {@link Http2Clock} starts. A connection that sends no complete head within the header
 *       deadline is closed, whatever it pretends to speak.
 * </ul>
 *
 * HTTP/2 over clear text works with prior knowledge. {@code Upgrade: h2c} does not: the guard drops
 * the header, and the request is answered over HTTP/1.1, as RFC 9110 allows.
 */
public final class GuardedHttpServer {

  private static final int CONTROL_FRAMES = 200;
  private static final int CONTROL_SECONDS = 30;

  private GuardedHttpServer() {}

  /**
   * As {@link Vertx#createHttpServer(HttpServerOptions)}, with the connection handler already set.
   * The options must have no idle timeout.
   */
  public static HttpServer create(
      Vertx vertx, HttpServerOptions options, GuardLimits limits, ConnectionGate gate) {
    return create(vertx, options, limits, gate, UnaryOperator.identity());
  }

  /**
   * The same, with metrics for this server alone.
   *
   * @param metrics gets those of {@code vertx}, or null, and gives those that are to be told
   */
  public static HttpServer create(
      Vertx vertx,
      HttpServerOptions options,
      GuardLimits limits,
      ConnectionGate gate,
      UnaryOperator<@Nullable VertxMetrics> metrics) {
    VertxInternal real = (VertxInternal) vertx;
    VertxMetrics told = metrics.apply(real.metrics());
    VertxInternal wrapper =
        new VertxWrapper(real) {
          @Override
          public NetServerInternal createNetServer(NetServerOptions netOptions) {
            NetServerOptions guarded =
                netOptions
                    .copy()
                    .setSslHandshakeTimeout(limits.headerDeadline().toMillis())
                    .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
            return new NetServerImpl(this, guarded) {
              @Override
              public synchronized NetServerInternal connectHandler(Handler<NetSocket> handler) {
                return super.connectHandler(
                    socket -> {
                      // A client that breaks off is no fault; by default it would be logged as one.
                      socket.exceptionHandler(broken -> {});
                      handler.handle(socket);
                      guard(
                          ((NetSocketInternal) socket).channelHandlerContext().pipeline(),
                          options,
                          limits);
                    });
              }
            };
          }

          @Override
          public @Nullable VertxMetrics metrics() {
            return told;
          }

          @Override
          public Transport transport() {
            return new GatedTransport(real.transport(), gate);
          }
        };
    return new HttpServerImpl(wrapper, options)
        .connectionHandler(connection -> limitControlFrames(connection, CONTROL_FRAMES));
  }

  /**
   * Says GOAWAY to an HTTP/2 client that sends too many PING and SETTINGS frames, which must be
   * answered, in {@value #CONTROL_SECONDS} s; does nothing to an HTTP/1 connection. {@link #create}
   * sets it as connection handler; a server that sets its own must call it there.
   */
  static void limitControlFrames(HttpConnection connection, int most) {
    ChannelPipeline pipeline =
        ((HttpServerConnection) connection).channelHandlerContext().pipeline();
    if (pipeline.get(Http2ConnectionHandler.class) == null) {
      return;
    }
    Runnable count =
        new Runnable() {
          private long since = System.nanoTime();
          private int frames;

          @Override
          public void run() {
            if (++frames > most) {
              long now = System.nanoTime();
              if (now - since < TimeUnit.SECONDS.toNanos(CONTROL_SECONDS)) {
                connection.goAway(Http2Error.ENHANCE_YOUR_CALM.code());
                connection.close();
              }
              since = now;
              frames = 0;
            }
          }
        };
    connection.pingHandler(data -> count.run());
    connection.remoteSettingsHandler(settings -> count.run());
  }

  /** Called when Vert.x has set up a connection: after accepting, or after the TLS handshake. */
  private static void guard(
      ChannelPipeline pipeline, HttpServerOptions options, GuardLimits limits) {
    if (!pipeline.channel().isActive()) {
      return;
    }
    Opening opening = new Opening(options, limits);
    ChannelHandlerContext undecided = pipeline.context(Http1xOrH2CHandler.class);
    if (undecided == null) {
      opening.settle(pipeline);
    } else {
      pipeline.addAfter(undecided.name(), "opening", opening);
    }
  }

  /**
   * Sits behind Vert.x's detection of the HTTP/2 preface, so the first bytes it sees are those
   * after the decision, and the decoder behind it has seen none. Event loop only.
   */
  private static final class Opening extends ChannelInboundHandlerAdapter {
    private final HttpServerOptions options;
    private final GuardLimits limits;
    private final long opened = System.nanoTime();
    private @Nullable ScheduledFuture<?> timer;

    Opening(HttpServerOptions options, GuardLimits limits) {
      this.options = options;
      this.limits = limits;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      timer =
          ctx.executor()
              .schedule(() -> ctx.close(), limits.headerDeadline().toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
      if (timer != null) {
        timer.cancel(false);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      settle(ctx.pipeline());
      ctx.pipeline().remove(this);
      ctx.fireChannelRead(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof ShutdownEvent) {
        ctx.close();
      } else {
        ctx.fireUserEventTriggered(event);
      }
    }

    private void settle(ChannelPipeline pipeline) {
      Http2ConnectionHandler http2 = pipeline.get(Http2ConnectionHandler.class);
      if (http2 != null) {
        new Http2Clock(pipeline.channel(), http2.connection(), limits, opened);
        BrokenStreams.install(pipeline, http2);
      } else {
        RequestHeadGuard.install(pipeline, options, limits, opened);
      }
    }
  }
}
