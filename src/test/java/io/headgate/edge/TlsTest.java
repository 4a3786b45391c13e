package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.Certificates;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.TestGateway;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The listener with a certificate, and a certificate that changes under it. */
class TlsTest {
  private static final String STAYS = "http.tls: the old certificate stays";

  private record Seen(String name, String protocol) {}

  @Test
  void certificates_are_replaced_when_both_files_parse_and_match(@TempDir Path folder)
      throws Exception {
    Certificates first = Certificates.named("first");
    Certificates second = Certificates.named("second");
    Path certificate = folder.resolve("cert.pem");
    Path key = folder.resolve("key.pem");
    Files.copy(first.certificate(), certificate);
    Files.copy(first.key(), key);
    try (LoggedLines log = LoggedLines.of(FileWatch.class);
        TestGateway gateway =
            TestGateway.recorded(
                    "http.tls.certificate", certificate.toString(), "http.tls.key", key.toString())
                .unchecked()) {
      assertThat(handshake(gateway.port())).isEqualTo(new Seen("CN=first", "h2"));

      // A new certificate with the old key: the old pair stays.
      replace(second.certificate(), certificate, 1);
      await().until(() -> log.faults().stream().anyMatch(line -> line.contains(STAYS)));
      assertThat(handshake(gateway.port()).name()).isEqualTo("CN=first");

      replace(second.key(), key, 2);
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> handshake(gateway.port()).name().equals("CN=second"));
      assertThat(handshake(gateway.port()).protocol()).isEqualTo("h2");

      int before = log.faults().size();
      Files.writeString(key, "no key at all");
      await().until(() -> log.faults().size() > before);
      assertThat(log.faults().get(before)).contains(STAYS);
      assertThat(handshake(gateway.port()).name()).isEqualTo("CN=second");
    }
  }

  private static void replace(Path from, Path to, int later) throws Exception {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(to, FileTime.from(Instant.now().plusSeconds(later)));
  }

  private static Seen handshake(int port) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAnybody()}, null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return new Seen(shown.getSubjectX500Principal().getName(), socket.getApplicationProtocol());
    }
  }

  private static final class TrustAnybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
