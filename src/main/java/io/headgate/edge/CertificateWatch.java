package io.headgate.edge;

import io.headgate.admission.Workers;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether the certificate files have changed, and hands the new pair over once
 * both parse and match; until then the old one stays. Reads on one thread of its own; {@code
 * replace} is called there.
 */
public final class CertificateWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CertificateWatch.class);
  private static final long LOOK_EVERY_MILLIS = 2_000;

  private final Vertx vertx;
  private final String keys;
  private final String certificate;
  private final String key;
  private final Consumer<ServerCertificate> replace;
  private final Workers reader = new Workers("headgate-tls", 1);
  private final long timer;
  private List<FileTime> seen = List.of();

  /**
   * @param keys what the settings of this listener begin with, for log lines
   */
  public CertificateWatch(
      Vertx vertx,
      String keys,
      String certificate,
      String key,
      Consumer<ServerCertificate> replace) {
    this.vertx = vertx;
    this.keys = keys;
    this.certificate = certificate;
    this.key = key;
    this.replace = replace;
    reader.execute(() -> seen = changed());
    timer = vertx.setPeriodic(LOOK_EVERY_MILLIS, t -> tick());
  }

  private void tick() {
    if (reader.queued() == 0) {
      reader.execute(this::look);
    }
  }

  private void look() {
    List<FileTime> now = changed();
    if (now.isEmpty() || now.equals(seen)) {
      return;
    }
    try {
      ServerCertificate pair = ServerCertificate.read(vertx, certificate, key);
      seen = now;
      replace.accept(pair);
      log.info("{}: the new certificate is in use", keys);
    } catch (IOException e) {
      log.warn("{}: the old certificate stays: {}", keys, e.getMessage());
    }
  }

  private List<FileTime> changed() {
    try {
      return List.of(
          Files.getLastModifiedTime(Path.of(certificate)), Files.getLastModifiedTime(Path.of(key)));
    } catch (IOException e) {
      return List.of(); // one of them is just being replaced
    }
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
    reader.close();
  }
}
