package io.headgate.edge;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;

/**
 * Hands the new pair over once the certificate files have changed, and both parse and match; until
 * then the old one stays. {@code replace} is called on a thread of its own.
 */
public final class CertificateWatch implements AutoCloseable {
  private final FileWatch files;

  /**
   * @param keys what the settings of this listener begin with, for log lines
   */
  public CertificateWatch(
      Vertx vertx,
      String keys,
      String certificate,
      String key,
      Consumer<ServerCertificate> replace) {
    files =
        new FileWatch(
            vertx,
            "headgate-tls",
            keys,
            "certificate",
            List.of(certificate, key),
            () -> replace.accept(ServerCertificate.read(vertx, certificate, key)));
  }

  @Override
  public void close() {
    files.close();
  }
}
