package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.PublishingGateway;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.RawResponse;
import io.headgate.kit.TestGateway;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** L30: which routes take a write, and from whom. */
class WriteRoutesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String BODY = PublicationBody.of(7).json();
  private static final String JSON = "Content-Type: application/json\r\n";

  private static PublishingGateway gateway;

  @BeforeAll
  static void start() {
    gateway = new PublishingGateway("http.allowedHosts", "gateway.example,Other.Example:8443");
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static RawResponse send(int port, String method, String headers, String body) {
    String request =
        method
            + " /jobs/7/graph HTTP/1.1\r\nConnection: close\r\n"
            + headers
            + (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n")
            + "\r\n"
            + body;
    try (RawClient client = new RawClient(port)) {
      return RawResponse.all(client.send(request).receive(PATIENCE).bytes()).get(0);
    }
  }

  /** A publication with these header lines. */
  private static RawResponse put(String headers) {
    return send(gateway.port(), "PUT", headers, BODY);
  }

  private static void assertRefused(RawResponse response, ErrorCode code) {
    assertThat(response.status()).isEqualTo(code.status());
    assertThat(response.body()).isEqualTo(code.body());
  }

  @Test
  void L30_without_a_directory_nothing_takes_a_write() {
    try (TestGateway plain = TestGateway.recorded()) {
      for (String target :
          new String[] {
            "/event/report",
            "/schema-evolution/events",
            "/jobs/7/graph",
            "/fn/bundles",
            "/job-lineage/7",
            "/health/live",
            "/metrics"
          }) {
        for (String method : new String[] {"POST", "PUT", "PATCH"}) {
          assertUnread(plain.port(), method, target);
        }
      }
    }
  }

  @Test
  void L30_with_one_only_its_route_does() {
    for (String target :
        new String[] {"/event/report", "/fn/bundles", "/job-lineage/7", "/jobs/7", "/metrics"}) {
      for (String method : new String[] {"POST", "PUT", "PATCH"}) {
        assertUnread(gateway.port(), method, target);
      }
    }
    for (String method : new String[] {"POST", "PATCH"}) {
      assertUnread(gateway.port(), method, "/jobs/7/graph");
    }
    assertThat(put("Host: localhost\r\n" + JSON).status()).isEqualTo(200);
  }

  private static void assertUnread(int port, String method, String target) {
    String request =
        method
            + " "
            + target
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: 2\r\n\r\n[]";
    try (RawClient client = new RawClient(port)) {
      RawClient.Received received = client.send(request).receive(PATIENCE);
      assertThat(received.status()).as(method + " " + target).isIn(404, 405);
      assertThat(received.closed()).as("the body was not read, so the connection ends").isTrue();
    }
  }

  // --- names of the gateway

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost:8077",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.255.0.9:8077",
        "[::1]",
        "[::1]:8077",
        "gateway.example",
        "Gateway.Example:9",
        "other.example:8443"
      })
  void L30_a_loopback_or_configured_host_may_write(String host) {
    assertThat(put("Host: " + host + "\r\n" + JSON).status()).isEqualTo(200);
    assertThat(send(gateway.port(), "DELETE", "Host: " + host + "\r\n", "").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "attacker.example",
        "localhost.attacker.example",
        "attacker.localhost",
        "localhost.",
        "localhost:",
        "127.0.0.1.attacker.example",
        "127.1",
        "127.0.0.256",
        "127.0.0.01",
        "128.0.0.1",
        "0.0.0.0",
        "2130706433",
        "[::2]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "gateway.example.attacker.example",
        "other.example",
        "other.example:8444"
      })
  void L30_no_other_host_may_whatever_it_resolves_to(String host) {
    assertRefused(put("Host: " + host + "\r\n" + JSON), ErrorCode.HOST_NOT_ALLOWED);
    assertRefused(
        send(gateway.port(), "DELETE", "Host: " + host + "\r\n", ""), ErrorCode.HOST_NOT_ALLOWED);
  }

  @Test
  void L30_a_request_that_names_no_host_may_not() {
    String request = "DELETE /jobs/7/graph HTTP/1.0\r\n\r\n";
    try (RawClient client = new RawClient(gateway.port())) {
      RawClient.Received received = client.send(request).receive(PATIENCE);
      assertRefused(RawResponse.all(received.bytes()).get(0), ErrorCode.HOST_NOT_ALLOWED);
    }
  }

  // --- browsers driven by somebody else's page

  @ParameterizedTest
  @CsvSource({
    "localhost:8077, http://localhost:8077",
    "localhost:8077, https://localhost:8077",
    "LOCALHOST:8077, http://localhost:8077",
    "gateway.example, https://gateway.example"
  })
  void L30_a_page_of_our_own_may_write(String host, String origin) {
    String headers = "Host: " + host + "\r\nOrigin: " + origin + "\r\n" + JSON;
    assertThat(put(headers).status()).isEqualTo(200);
    assertThat(put(headers + "Sec-Fetch-Site: same-origin\r\n").status()).isEqualTo(200);
    assertThat(put("Host: localhost\r\nSec-Fetch-Site: none\r\n" + JSON).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: null",
        "Origin: http://attacker.example",
        "Origin: http://localhost:8078",
        "Origin: http://localhost",
        "Origin: http://127.0.0.1:8077",
        "Origin: http://localhost:8077.attacker.example",
        "Origin: http://localhost:8077/",
        "Origin: ftp://localhost:8077",
        "Origin: localhost:8077",
        "Origin:",
        "Origin: http://localhost:8077\r\nOrigin: http://attacker.example",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: Same-Origin",
        "Sec-Fetch-Site:",
        "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site",
        "Origin: http://localhost:8077\r\nSec-Fetch-Site: cross-site"
      })
  void L30_a_page_of_somebody_else_s_may_not(String header) {
    String headers = "Host: localhost:8077\r\n" + header + "\r\n";
    assertRefused(put(headers + JSON), ErrorCode.CROSS_SITE);
    assertRefused(send(gateway.port(), "DELETE", headers, ""), ErrorCode.CROSS_SITE);
  }

  @Test
  void L30_a_preflight_request_is_given_no_leave() {
    RawResponse response =
        send(
            gateway.port(),
            "OPTIONS",
            "Host: localhost\r\nOrigin: http://attacker.example\r\n"
                + "Access-Control-Request-Method: PUT\r\n",
            "");
    assertRefused(response, ErrorCode.METHOD_NOT_ALLOWED);
    assertThat(response.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Type: application/json",
        "Content-Type: Application/JSON",
        "Content-Type: application/json; charset=utf-8",
        "Content-Type: application/json;charset=\"UTF-8\""
      })
  void L30_json_is_taken(String header) {
    assertThat(put("Host: localhost\r\n" + header + "\r\n").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X: y",
        "Content-Type:",
        "Content-Type: text/plain",
        "Content-Type: text/plain; application/json",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: multipart/form-data; boundary=a",
        "Content-Type: application/jsonp",
        "Content-Type: application/json-seq",
        "Content-Type: application/json, text/plain",
        "Content-Type: application/json; charset=utf-16",
        "Content-Type: application/json; charset=utf-8; a=b",
        "Content-Type: application/json;",
        "Content-Type: application/json\r\nContent-Type: text/plain",
        "Content-Type: application/json\r\nContent-Encoding: gzip"
      })
  void L30_nothing_else_is(String header) {
    assertRefused(put("Host: localhost\r\n" + header + "\r\n"), ErrorCode.UNSUPPORTED_MEDIA_TYPE);
  }

  @Test
  void L30_the_same_over_http2() {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      String[][] refused = {
        {"403", "localhost", "origin", "null"},
        {"403", "localhost", "sec-fetch-site", "cross-site"},
        {"403", "attacker.example", "x", "y"},
        {"404", "gateway.example:7", "x", "y"},
        {"404", "[::1]:8077", "origin", "http://[::1]:8077"}
      };
      for (int i = 0; i < refused.length; i++) {
        byte[] head =
            RawHttp2.block(
                ":method",
                "DELETE",
                ":scheme",
                "http",
                ":path",
                "/jobs/8/graph",
                ":authority",
                refused[i][1],
                refused[i][2],
                refused[i][3]);
        int stream = 2 * i + 1;
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, stream, head);
        assertThat(client.answer(stream).status())
            .as(String.join(" ", refused[i]))
            .isEqualTo(Integer.parseInt(refused[i][0]));
      }
    }
  }

  // --- users

  private static String basic(String user) {
    byte[] credentials = (user + ":secret").getBytes(StandardCharsets.UTF_8);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(credentials) + "\r\n";
  }

  private static String users(Path folder) throws Exception {
    String hash = BCrypt.withDefaults().hashToString(10, "secret".toCharArray());
    Path users = folder.resolve("users");
    Files.writeString(
        users, "reader:%s:read\nwriter:%s:write\nboth:%s:read,write\n".formatted(hash, hash, hash));
    return users.toString();
  }

  @Test
  void L30_where_there_are_users_writing_needs_the_role(@TempDir Path folder) throws Exception {
    try (PublishingGateway own =
        new PublishingGateway("http.auth.basic.usersFile", users(folder))) {
      String headers = "Host: localhost\r\n" + JSON;
      int port = own.port();
      assertRefused(send(port, "PUT", headers, BODY), ErrorCode.UNAUTHORIZED);
      assertRefused(send(port, "DELETE", headers, ""), ErrorCode.UNAUTHORIZED);
      assertRefused(send(port, "PUT", headers + basic("nobody"), BODY), ErrorCode.UNAUTHORIZED);
      assertRefused(send(port, "PUT", headers + basic("reader"), BODY), ErrorCode.FORBIDDEN);
      assertRefused(send(port, "DELETE", headers + basic("reader"), ""), ErrorCode.FORBIDDEN);
      assertThat(own.directory().changes()).isZero();

      // The first one's password is checked meanwhile, so its body has to wait.
      assertThat(send(port, "PUT", headers + basic("writer"), BODY).status()).isEqualTo(200);
      assertThat(send(port, "DELETE", headers + basic("writer"), "").status()).isEqualTo(200);
      assertThat(send(port, "PUT", headers + basic("both"), BODY).status()).isEqualTo(200);

      assertRefused(
          send(port, "PUT", "Host: attacker.example\r\n" + JSON + basic("writer"), BODY),
          ErrorCode.HOST_NOT_ALLOWED);
      assertThat(send(port, "GET", "Host: localhost\r\n" + basic("both"), "").status())
          .isEqualTo(405);
    }
  }

  @Test
  void L30_a_large_body_waits_for_its_user_and_is_read_then(@TempDir Path folder) throws Exception {
    try (PublishingGateway own =
        new PublishingGateway("http.auth.basic.usersFile", users(folder))) {
      String body = BODY + " ".repeat(4 << 20);
      String headers = "Host: localhost\r\n" + JSON;
      assertThat(send(own.port(), "PUT", headers + basic("writer"), body).status()).isEqualTo(200);
      assertRefused(send(own.port(), "PUT", headers + basic("reader"), body), ErrorCode.FORBIDDEN);
    }
  }

  @Test
  void a_body_that_turns_out_to_be_broken_while_it_waits_for_its_user_is_400(@TempDir Path folder)
      throws Exception {
    try (PublishingGateway own = new PublishingGateway("http.auth.basic.usersFile", users(folder));
        RawClient client = new RawClient(own.port())) {
      String coding = "Transfer-Encoding: chunked\r\n";
      client.send(PublicationBody.head(7, coding + basic("writer")) + "2\r\n{}xx\r\n");
      RawClient.Received received = client.receive(PATIENCE);
      assertThat(received.closed()).isTrue();
      assertThat(RawResponse.all(received.bytes()))
          .singleElement()
          .satisfies(response -> assertRefused(response, ErrorCode.INVALID_REQUEST));
      assertThat(own.directory().changes()).isZero();
      String headers = "Host: localhost\r\n" + JSON + basic("writer");
      assertThat(send(own.port(), "PUT", headers, BODY).status()).isEqualTo(200);
      own.awaitNothingHeld();
    }
  }

  @Test
  void L30_bodies_wait_for_their_users_over_http2_too(@TempDir Path folder) throws Exception {
    try (PublishingGateway own = new PublishingGateway("http.auth.basic.usersFile", users(folder));
        RawHttp2 client = new RawHttp2(own.port()).settings()) {
      String[] names = {"writer", "reader", "nobody", "writer"};
      int[] statuses = {200, 403, 401, 200};
      for (int i = 0; i < names.length; i++) {
        putOverHttp2(client, 2 * i + 1, names[i]);
        assertThat(client.answer(2 * i + 1).status()).isEqualTo(statuses[i]);
      }
      // One that leaves while its password is checked.
      putOverHttp2(client, 9, "both").reset(9, 8).flush();
      assertThat(putOverHttp2(client, 11, "both").answer(11).status()).isEqualTo(200);
      assertThat(client.goAway()).isEmpty();
      own.awaitNothingHeld();
    }
  }

  private static RawHttp2 putOverHttp2(RawHttp2 client, int stream, String user) {
    String authorization = basic(user).substring("Authorization: ".length()).trim();
    byte[] head =
        RawHttp2.head(
            "PUT",
            "/jobs/7/graph",
            "content-type",
            "application/json",
            "authorization",
            authorization);
    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, head);
    return client.send(RawHttp2.DATA, RawHttp2.END_STREAM, stream, BODY.getBytes());
  }

  @Test
  void L30_without_users_nobody_beyond_loopback_writes_and_the_start_says_so() {
    try (LoggedLines log = LoggedLines.of(Edge.class);
        PublishingGateway own = new PublishingGateway("http.host", "0.0.0.0")) {
      assertThat(log.messages())
          .singleElement()
          .asString()
          .contains("nothing can be published over HTTP", "http.auth.basic.usersFile");
      assertRefused(
          send(own.port(), "PUT", "Host: localhost\r\n" + JSON, BODY),
          ErrorCode.WRITE_NOT_CONFIGURED);
      assertRefused(
          send(own.port(), "DELETE", "Host: localhost\r\n", ""), ErrorCode.WRITE_NOT_CONFIGURED);
      assertThat(own.directory().changes()).isZero();
    }
  }

  @Test
  void L30_with_users_a_listener_beyond_loopback_takes_writes(@TempDir Path folder)
      throws Exception {
    try (PublishingGateway own =
        new PublishingGateway("http.host", "0.0.0.0", "http.auth.basic.usersFile", users(folder))) {
      String headers = "Host: localhost\r\n" + JSON + basic("writer");
      assertThat(send(own.port(), "PUT", headers, BODY).status()).isEqualTo(200);
      for (String header : List.of("Origin: null\r\n", "Sec-Fetch-Site: same-site\r\n")) {
        assertRefused(send(own.port(), "PUT", headers + header, BODY), ErrorCode.CROSS_SITE);
      }
    }
  }
}
