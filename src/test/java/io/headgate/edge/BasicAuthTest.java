package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.headgate.kit.TestGateway;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L24: who gets in, what it costs, and what it never tells. */
class BasicAuthTest {
  private static final String JOB = "/job-lineage/1179718928818176001";

  private static TestGateway gateway;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    Path users = folder.resolve("users");
    Files.writeString(
        users,
        "# two users\n\n"
            + ("reader:" + hash("pässword") + ":read\n")
            + ("writer:" + hash("secret:with:colons") + ":write\n"));
    gateway = TestGateway.recorded("http.auth.basic.usersFile", users.toString()).unchecked();
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static String hash(String password) {
    return BCrypt.withDefaults().hashToString(10, password.toCharArray());
  }

  private static String basic(String credentials) {
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  private static HttpResponse<String> with(String header) {
    return gateway.get(JOB, "Authorization", header);
  }

  @Test
  void L24_right_credentials_get_in() {
    assertThat(with(basic("reader:pässword")).statusCode()).isEqualTo(200);
    assertThat(with(basic("reader:pässword").replace("Basic", "bAsIc")).statusCode())
        .isEqualTo(200);
  }

  @Test
  void L24_without_credentials_401_with_a_challenge() {
    HttpResponse<String> response = gateway.get(JOB);
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("WWW-Authenticate").orElseThrow())
        .startsWith("Basic realm=");
    assertThat(response.body()).startsWith("{\"code\":\"UNAUTHORIZED\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Basic",
        "Basic ",
        "Basic !!!!",
        "Basic cmVhZGVy",
        "Bearer x",
        "Basic  =",
        "Digest a=b",
        "Basic OnB3",
        "Basic cmVhZGVyOg=="
      })
  void L24_unusable_credentials_are_401(String header) {
    assertThat(with(header).statusCode()).isEqualTo(401);
  }

  @Test
  void L24_wrong_password_unknown_user_and_a_password_too_long_for_bcrypt_are_401() {
    assertThat(with(basic("reader:wrong")).statusCode()).isEqualTo(401);
    assertThat(with(basic("nobody:pässword")).statusCode()).isEqualTo(401);
    assertThat(with(basic("reader:" + "x".repeat(200))).statusCode()).isEqualTo(401);
    assertThat(with(basic("reader:a\0b")).statusCode()).isEqualTo(401);
  }

  @Test
  void L24_a_user_without_the_read_role_is_403() {
    HttpResponse<String> response = with(basic("writer:secret:with:colons"));
    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(response.body()).startsWith("{\"code\":\"FORBIDDEN\"");
  }

  @Test
  void L24_authentication_comes_before_everything_else_but_health() {
    assertThat(gateway.get("/job-lineage/x").statusCode()).isEqualTo(401);
    assertThat(gateway.get("/nope").statusCode()).isEqualTo(401);
    assertThat(gateway.get("/metrics").statusCode()).isEqualTo(401);
    assertThat(gateway.get("/health/live").statusCode()).isEqualTo(200);
    assertThat(gateway.get("/health/ready").statusCode()).isEqualTo(200);
    assertThat(gateway.get("/metrics", "Authorization", basic("reader:pässword")).statusCode())
        .isEqualTo(200);
    assertThat(
            gateway
                .get(JOB, "Authorization", basic("reader:wrong"), "If-None-Match", "*")
                .statusCode())
        .as("a condition is looked at after the user")
        .isEqualTo(401);
  }

  @Test
  void L24_an_unknown_user_costs_what_a_known_one_does() {
    List<Long> known = new ArrayList<>();
    List<Long> unknown = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      known.add(nanos(basic("reader:wrong" + i)));
      unknown.add(nanos(basic("nobody" + i + ":wrong" + i)));
    }
    double ratio = (double) median(unknown) / median(known);
    assertThat(ratio).as("median time, unknown over known").isBetween(0.4, 2.5);
  }

  private static long nanos(String header) {
    long began = System.nanoTime();
    assertThat(with(header).statusCode()).isEqualTo(401);
    return System.nanoTime() - began;
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  @Test
  void L24_pollers_with_the_same_credentials_share_one_check_and_a_flood_is_503() {
    with(basic("reader:pässword"));
    List<CompletableFuture<HttpResponse<String>>> polls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      polls.add(gateway.getAsync(JOB, "Authorization", basic("reader:pässword")));
    }
    assertThat(polls).allSatisfy(p -> assertThat(p.join().statusCode()).isEqualTo(200));

    List<CompletableFuture<HttpResponse<String>>> guesses = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      guesses.add(gateway.getAsync(JOB, "Authorization", basic("reader:guess" + i)));
    }
    List<Integer> statuses = guesses.stream().map(g -> g.join().statusCode()).toList();
    assertThat(statuses).containsOnly(401, 503).contains(503);
    assertThat(with(basic("reader:pässword")).statusCode())
        .as("who was let in a moment ago needs no check")
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "reader:plain:read",
        "reader:$2y$04$abcdefghijklmnopqrstuuGFtm6HvlsDzAeWvbWDcxwaBYMdRJpi:read",
        "reader:$2y$13$abcdefghijklmnopqrstuuGFtm6HvlsDzAeWvbWDcxwaBYMdRJpi:read",
        "no colon at all",
        ""
      })
  void L24_a_users_file_with_faults_is_refused_without_showing_its_content(String line) {
    List<String> faults = new ArrayList<>();
    Users.parse(List.of(line), faults);
    assertThat(faults).hasSize(1);
    assertThat(faults.get(0)).doesNotContain("plain").doesNotContain("$2y$");
  }
}
