package io.headgate.edge.guard;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;

/**
 * Another transport, with a gate in front of every server it configures, and small reads behind it.
 */
record GatedTransport(Transport transport, ConnectionGate gate) implements Transport {
  /**
   * The most that one read takes in, and so what a connection may have waiting to be decoded. A
   * head is no larger than a few of these; Netty's default of 64 KiB only serves floods.
   */
  private static final int READ_BYTES = 4 * 1024;

  private static final int FIRST_READ_BYTES = 2 * 1024;
  private static final int LEAST_READ_BYTES = 512;

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    transport.configure(options, domainSocket, bootstrap);
    bootstrap.handler(gate);
    // One read at a time, so that what it brings is looked at before more is taken in.
    bootstrap.childOption(
        ChannelOption.RCVBUF_ALLOCATOR,
        new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, FIRST_READ_BYTES, READ_BYTES)
            .maxMessagesPerRead(1));
  }

  @Override
  public boolean supportFileRegion() {
    return transport.supportFileRegion();
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return transport.ioHandlerFactory();
  }

  @Override
  public DatagramChannel datagramChannel() {
    return transport.datagramChannel();
  }

  @Override
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return transport.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return transport.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return transport.serverChannelFactory(domainSocket);
  }
}
