package io.headgate.edge.fn;

import io.headgate.edge.ServerCertificate;
import io.headgate.fn.FnAuth;
import io.headgate.fn.FnConfig;
import io.vertx.core.Vertx;
import java.io.IOException;
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
   * @throws IOException if one can't be used; the message names its key, and nothing of its content
   */
  public static FnFiles read(Vertx vertx, FnConfig config) throws IOException {
    ServerCertificate pair = null;
    BearerTokens tokens = null;
    String certificate = config.certificate();
    String key = config.key();
    FnAuth auth = config.auth();
    if (certificate != null && key != null) {
      try {
        pair = ServerCertificate.read(vertx, certificate, key);
      } catch (IOException e) {
        throw new IOException("fn.tls.certificate: can't be used: " + e.getMessage());
      }
    }
    if (auth != null) {
      try {
        tokens = BearerTokens.read(auth);
      } catch (IOException e) {
        throw new IOException("fn.auth.keySet: can't be used: " + e.getMessage());
      }
    }
    return new FnFiles(pair, tokens);
  }
}
