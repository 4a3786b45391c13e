package io.headgate.edge;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * A certificate and its private key, read from two PEM files and known to belong together.
 * Immutable.
 *
 * @param options the pair as the server takes it, by value: the files may change at any time
 */
public record ServerCertificate(PemKeyCertOptions options) {
  /**
   * Reads and checks a pair. Blocks on files; not for an event loop.
   *
   * @throws IOException if a file can't be read, can't be parsed, or the two don't match; the
   *     message holds nothing of their content
   */
  public static ServerCertificate read(Vertx vertx, String certificate, String key)
      throws IOException {
    PemKeyCertOptions pair =
        new PemKeyCertOptions()
            .setCertValue(Buffer.buffer(Files.readAllBytes(Path.of(certificate))))
            .setKeyValue(Buffer.buffer(Files.readAllBytes(Path.of(key))));
    try {
      for (KeyManager manager : pair.getKeyManagerFactory(vertx).getKeyManagers()) {
        if (manager instanceof X509KeyManager known && matches(known)) {
          return new ServerCertificate(pair);
        }
      }
    } catch (Exception e) { // the API declares no less
      throw new IOException("no readable PEM certificate and key: " + e.getClass().getSimpleName());
    }
    throw new IOException("the key does not belong to the certificate");
  }

  private static boolean matches(X509KeyManager manager) throws Exception {
    for (String type : new String[] {"RSA", "EC", "Ed25519", "EdDSA"}) {
      String[] aliases = manager.getServerAliases(type, null);
      for (String alias : aliases == null ? new String[0] : aliases) {
        return matches(manager.getPrivateKey(alias), manager.getCertificateChain(alias)[0]);
      }
    }
    return false;
  }

  private static boolean matches(PrivateKey key, Certificate certificate) throws Exception {
    String algorithm =
        switch (certificate.getPublicKey().getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> certificate.getPublicKey().getAlgorithm();
        };
    byte[] probe = {1, 2, 3};
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(probe);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(probe);
    return signature.verify(signed);
  }
}
