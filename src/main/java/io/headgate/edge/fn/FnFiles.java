package io.headgate.edge.fn;

import io.headgate.edge.ListenerFiles;
import io.headgate.edge.ServerCertificate;
import io.headgate.fn.FnAuth;
import io.headgate.fn.FnConfig;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files that the Fn port needs before it can open.
 *
 * @param certificate what to listen with, or null for plain text
 * @param tokens what harnesses have to show, or null for nothing
 */
public record FnFiles(@Nullable ServerCertificate certificate, @Nullable BearerTokens tokens) {
  /** None. */
  public static final FnFiles NONE = new FnFiles(null, null);

  /**
   * Reads what {@code config} names. Blocks on files; not for an event loop.
   *
   * @throws ListenerFiles.UnusableException listing every fault
   */
  public static FnFiles read(Vertx vertx, FnConfig config) {
    List<String> faults = new ArrayList<>();
    ServerCertificate pair = null;
    BearerTokens tokens = null;
    String certificate = config.certificate();
    String key = config.key();
    FnAuth auth = config.auth();
    if (certificate != null && key != null) {
      try {
        pair = ServerCertificate.read(vertx, certificate, key);
      } catch (IOException e) {
        faults.add(
            "fn.tls.certificate: can't be used (expected: PEM files, the key unencrypted and belonging to the certificate)");
      }
    }
    if (auth != null) {
      try {
        tokens = BearerTokens.read(auth);
      } catch (IOException e) {
        faults.add(
            "fn.auth.keySet: can't be used (expected: a JSON Web Key Set with a public key)");
      }
    }
    if (!faults.isEmpty()) {
      throw new ListenerFiles.UnusableException(faults);
    }
    return new FnFiles(pair, tokens);
  }
}
