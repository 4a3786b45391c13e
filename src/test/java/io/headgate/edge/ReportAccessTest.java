package io.headgate.edge;

import static io.headgate.kit.ReportingGateway.DECISIONS;
import static io.headgate.kit.ReportingGateway.ENGINES;
import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawResponse;
import io.headgate.kit.ReportingGateway;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L30 and T15: who may report on schema changes. {@link WriteRoutesTest} has every spelling. */
class ReportAccessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String JSON = "Content-Type: application/json; charset=utf-8\r\n";
  private static final String LOCAL = "Host: localhost\r\n";

  private static RawResponse post(ReportingGateway gateway, String target, String headers) {
    String request = "POST %s HTTP/1.1\r\n%sConnection: close\r\nContent-Length: 2\r\n\r\n[]";
    try (RawClient client = new RawClient(gateway.port())) {
      return client.send(request.formatted(target, headers)).response(PATIENCE);
    }
  }

  private static void assertRefused(RawResponse response, ErrorCode code) {
    assertThat(response.status()).isEqualTo(code.status());
    assertThat(response.body()).isEqualTo(code.body());
  }

  private static String basic(String user) {
    byte[] credentials = (user + ":secret").getBytes(StandardCharsets.UTF_8);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(credentials) + "\r\n";
  }

  @ParameterizedTest
  @ValueSource(strings = {ENGINES, DECISIONS})
  void L30_where_there_are_users_reporting_needs_the_role(String target, @TempDir Path folder)
      throws Exception {
    String hash = BCrypt.withDefaults().hashToString(10, "secret".toCharArray());
    Path users = folder.resolve("users");
    Files.writeString(users, "reader:%s:read\nengine:%s:write\n".formatted(hash, hash));
    try (ReportingGateway gateway =
        new ReportingGateway("http.auth.basic.usersFile", users.toString())) {
      assertRefused(post(gateway, target, LOCAL + JSON), ErrorCode.UNAUTHORIZED);
      assertRefused(post(gateway, target, LOCAL + JSON + basic("x")), ErrorCode.UNAUTHORIZED);
      assertRefused(post(gateway, target, LOCAL + JSON + basic("reader")), ErrorCode.FORBIDDEN);
      assertThat(post(gateway, target, LOCAL + JSON + basic("engine")).status()).isEqualTo(200);
      assertThat(gateway.metric("headgate_permits_granted_total{pool=\"reports\"}")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ENGINES, DECISIONS})
  void L30_what_a_browser_would_send_is_refused_before_a_permit_is_taken(String target) {
    try (ReportingGateway gateway = new ReportingGateway("http.allowedHosts", "gateway.example")) {
      assertRefused(
          post(gateway, target, "Host: attacker.example\r\n" + JSON), ErrorCode.HOST_NOT_ALLOWED);
      assertRefused(
          post(gateway, target, LOCAL + JSON + "Origin: http://attacker.example\r\n"),
          ErrorCode.CROSS_SITE);
      assertRefused(
          post(gateway, target, LOCAL + JSON + "Sec-Fetch-Site: cross-site\r\n"),
          ErrorCode.CROSS_SITE);
      for (String type :
          new String[] {"", "Content-Type: text/plain\r\n", JSON + "Content-Encoding: gzip\r\n"}) {
        assertRefused(post(gateway, target, LOCAL + type), ErrorCode.UNSUPPORTED_MEDIA_TYPE);
      }
      assertThat(gateway.metric("headgate_permits_granted_total{pool=\"reports\"}")).isZero();
      String host = "Host: gateway.example:8077\r\n";
      assertThat(post(gateway, target, host + JSON).status()).isEqualTo(200);
    }
  }

  @Test
  void L30_without_users_a_gateway_beyond_loopback_takes_no_report_and_says_so_at_its_start() {
    try (LoggedLines log = LoggedLines.of(Edge.class);
        ReportingGateway gateway = new ReportingGateway("http.host", "0.0.0.0")) {
      assertRefused(post(gateway, ENGINES, LOCAL + JSON), ErrorCode.WRITE_NOT_CONFIGURED);
      assertRefused(post(gateway, DECISIONS, LOCAL + JSON), ErrorCode.WRITE_NOT_CONFIGURED);
      assertThat(log.faults())
          .singleElement()
          .asString()
          .startsWith("nothing can be reported of schema changes: ");
    }
  }
}
