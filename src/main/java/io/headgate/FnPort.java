package io.headgate;

import io.headgate.admission.Workers;
import io.headgate.edge.fn.FnFiles;
import io.headgate.edge.fn.FnVerticle;
import io.headgate.fn.FnRunner;
import io.headgate.observe.Meters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.BindException;

/**
 * The Fn API of one gateway: its port, and the threads that read descriptors. Made on any thread;
 * opened and closed on the gateway's event loop.
 */
final class FnPort {
  /** Reading a descriptor takes milliseconds, and a runner registers few. */
  private static final int READERS = 2;

  private final Vertx vertx;
  private final HeadgateConfig config;
  private final FnVerticle verticle;
  private final Workers readers;

  /** The port can't be bound; the message is for an operator. */
  static final class NotBoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotBoundException(HeadgateConfig config) {
      super(
          "fn.port: "
              + config.fn().port()
              + " can't be bound on fn.host "
              + config.fn().host()
              + " (is it taken? is that an address of this machine?)");
    }
  }

  /**
   * @param stores where descriptors and state are kept
   */
  FnPort(
      Vertx vertx,
      HeadgateConfig config,
      FnFiles files,
      GatewayState.FnStores stores,
      Meters meters) {
    this.vertx = vertx;
    this.config = config;
    readers = new Workers("headgate-fn", READERS);
    verticle =
        new FnVerticle(
            config.fn(),
            files,
            config.limits(),
            stores.descriptors(),
            stores.state(),
            readers,
            meters);
  }

  /**
   * Opens the port; Vert.x closes it together with the gateway.
   *
   * @return fails with {@link NotBoundException} where it can't listen
   */
  Future<?> open() {
    return vertx
        .deployVerticle(verticle)
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof BindException ? new NotBoundException(config) : failure));
  }

  /** What a runner does with the harnesses; once open. */
  FnRunner runner() {
    return verticle.runner();
  }

  /** The port it listens on, or -1 before it does. */
  int port() {
    return verticle.actualPort();
  }

  /** Ends its threads, once the port is closed. */
  void close() {
    readers.close();
  }
}
