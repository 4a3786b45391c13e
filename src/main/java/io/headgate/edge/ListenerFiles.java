package io.headgate.edge;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files that the listener needs before it can open: users, and certificate with key.
 *
 * @param users who may use the gateway, or null for everybody
 * @param certificate what to listen with, or null for plain text
 */
public record ListenerFiles(@Nullable Users users, @Nullable ServerCertificate certificate) {
  /** A file can't be used; the messages name its key, and nothing of its content. */
  public static final class UnusableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnusableException(List<String> faults) {
      super(String.join(System.lineSeparator(), faults));
    }
  }

  /**
   * Reads what {@code config} names. Blocks on files; not for an event loop.
   *
   * @throws UnusableException listing every fault
   */
  public static ListenerFiles read(Vertx vertx, HttpConfig config) {
    List<String> faults = new ArrayList<>();
    Users users = null;
    ServerCertificate pair = null;
    if (config.usersFile() != null) {
      users = users(config.usersFile(), faults);
    }
    if (config.certificate() != null && config.key() != null) {
      try {
        pair = ServerCertificate.read(vertx, config.certificate(), config.key());
      } catch (IOException e) {
        faults.add(
            "http.tls.certificate: can't be used (expected: PEM files, the key unencrypted and belonging to the certificate)");
      }
    }
    if (!faults.isEmpty()) {
      throw new UnusableException(faults);
    }
    return new ListenerFiles(users, pair);
  }

  private static @Nullable Users users(String file, List<String> faults) {
    try {
      List<String> lineFaults = new ArrayList<>();
      Users users = Users.parse(Files.readAllLines(Path.of(file)), lineFaults);
      lineFaults.forEach(fault -> faults.add("http.auth.basic.usersFile: " + fault));
      return users;
    } catch (IOException e) {
      faults.add("http.auth.basic.usersFile: can't be read (expected: a readable text file)");
      return null;
    }
  }
}
