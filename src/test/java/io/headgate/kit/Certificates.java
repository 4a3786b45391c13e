package io.headgate.kit;

import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Throw-away certificates, made by the JDK's keytool. */
public record Certificates(Path certificate, Path key) {
  /** A self-signed certificate for 127.0.0.1 and localhost, as PEM files. */
  public static Certificates forLoopback() throws Exception {
    return named("headgate-test");
  }

  /** The same with another common name, so that two can be told apart. */
  public static Certificates named(String commonName) throws Exception {
    Path folder = Files.createTempDirectory("headgate-tls");
    Path store = folder.resolve("store.p12");
    run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "k",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-validity",
            "2",
            "-dname",
            "CN=" + commonName,
            "-ext",
            "SAN=ip:127.0.0.1,dns:localhost",
            "-storetype",
            "PKCS12",
            "-storepass",
            "changeit",
            "-keystore",
            store.toString()));
    var keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    Path certificate = folder.resolve("cert.pem");
    Path key = folder.resolve("key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("k").getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", keys.getKey("k", "changeit".toCharArray()).getEncoded()));
    return new Certificates(certificate, key);
  }

  /**
   * A TLS connection to loopback that trusts this certificate and nothing else, with the handshake
   * done.
   *
   * @param protocols what to offer by ALPN, the best first; nothing is offered if there is none
   */
  public SSLSocket connect(int port, String... protocols) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream pem = Files.newInputStream(certificate)) {
      trusted.setCertificateEntry(
          "k", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(protocols);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  public PemKeyCertOptions pemOptions() {
    return new PemKeyCertOptions().setCertPath(certificate.toString()).setKeyPath(key.toString());
  }

  private static String pem(String type, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(type, java.util.Base64.getMimeEncoder().encodeToString(der), type);
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IllegalStateException("keytool failed");
    }
  }
}
