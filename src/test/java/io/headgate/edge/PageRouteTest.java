package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.admission.Pool;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawResponse;
import io.headgate.kit.TestGateway;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code {basePath}/ui/} answers, whoever asks. */
class PageRouteTest {
  private static final String JOB = "/ui/jobs/1179718928817979393";
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String BROWSER =
      "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    gateway = TestGateway.recorded();
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  static Stream<String> everything() {
    return Stream.concat(Stream.of("/ui/", JOB), PageFiles.ASSETS.stream().map("/ui/"::concat));
  }

  @Test
  void the_list_has_every_file_of_the_folder_and_no_other() throws IOException {
    try (Stream<Path> files =
        Files.list(Path.of("src/main/resources").resolve(PageFiles.FOLDER.substring(1)))) {
      List<String> listed =
          Stream.concat(
                  PageFiles.ASSETS.stream(),
                  Stream.of(PageFiles.START, PageFiles.JOB, PageFiles.DESCRIPTOR))
              .toList();
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(listed);
    }
  }

  @Test
  void every_page_and_asset_has_its_type_and_the_whole_policy() {
    assertThat(everything())
        .allSatisfy(
            path -> {
              HttpResponse<String> answer = gateway.get(path);
              assertThat(answer.statusCode()).isEqualTo(200);
              assertThat(answer.headers().firstValue("content-type")).contains(type(path));
              assertThat(answer.headers().firstValue("content-security-policy"))
                  .contains(
                      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                          + " connect-src 'self'; base-uri 'none'; form-action 'self';"
                          + " frame-ancestors 'none'");
              assertThat(answer.headers().firstValue("referrer-policy")).contains("no-referrer");
              assertThat(answer.headers().firstValue("x-content-type-options")).contains("nosniff");
              assertThat(answer.headers().firstValue("cache-control"))
                  .contains("private, no-cache");
            });
  }

  private static String type(String path) {
    String end = path.contains(".") ? path.substring(path.lastIndexOf('.')) : ".html";
    return switch (end) {
      case ".js" -> "text/javascript; charset=utf-8";
      case ".css" -> "text/css; charset=utf-8";
      case ".svg" -> "image/svg+xml";
      default -> "text/html; charset=utf-8";
    };
  }

  @Test
  void what_a_browser_has_already_is_304_with_the_policy_and_without_a_body() {
    HttpResponse<String> first = gateway.get("/ui/style.css");
    String etag = first.headers().firstValue("etag").orElseThrow();
    HttpResponse<String> again = gateway.get("/ui/style.css", "If-None-Match", "W/" + etag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers().firstValue("etag")).contains(etag);
    assertThat(again.headers().firstValue("cache-control")).contains("private, no-cache");
    assertThat(again.headers().firstValue("content-security-policy")).isPresent();
    assertThat(again.headers().firstValue("content-length")).isEmpty();
    assertThat(gateway.get("/ui/style.css", "If-None-Match", "\"other\"").statusCode())
        .isEqualTo(200);
  }

  @Test
  void head_has_the_headers_only() {
    HttpResponse<String> head = gateway.head("/ui/");
    HttpResponse<String> get = gateway.get("/ui/");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().map()).isEqualTo(get.headers().map());
  }

  @Test
  void other_methods_are_405() {
    HttpResponse<String> answer = gateway.delete("/ui/style.css");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).contains("GET, HEAD");
    assertThat(gateway.post("/ui/state", "{}").statusCode()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/ui"})
  void a_browser_is_led_to_the_start_page(String path) {
    HttpResponse<String> answer = gateway.get(path);
    assertThat(answer.statusCode()).isEqualTo(302);
    assertThat(answer.headers().firstValue("location")).contains("ui/");
    assertThat(answer.headers().firstValue("cache-control")).contains("private, no-store");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/nothing",
        "/ui/start.html",
        "/ui/job.html",
        "/ui/jobs",
        "/ui/jobs/",
        "/ui/jobs/7/",
        "/ui/jobs/7/8",
        "/ui//style.css",
        "/ui/./style.css",
        "/ui/jobs/../style.css",
        "/ui/../ui/style.css",
        "/ui/%73tyle.css",
        "/ui/style.css/",
        "/ui/STYLE.CSS",
        "/ui/..%2f..%2fio/headgate/build.properties",
        "/ui/%2e%2e/%2e%2e/logback.xml",
        "/ui\\style.css",
        "/ui/../../logback.xml",
        "/ui/fn/descriptors/stage",
        "/uix/style.css",
        "//ui/style.css"
      })
  void any_other_path_is_404(String path) {
    String head = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (RawClient client = new RawClient(gateway.port())) { // sends it as it is
      assertThat(client.send(head).response(SOON).status()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/ui/nope | ./",
        "/ui/jobs | ./",
        "/ui/jobs/7/8 | ../../",
        "/ui/fn/descriptors/stage | ../../",
        "/ui/a/b/c/<b>$x?d=e | ../../../"
      })
  void a_browser_gets_a_fixed_page_with_a_link_to_the_start_page(String path, String start) {
    for (String accept : List.of(BROWSER, "TEXT/HTML", "application/json;q=0.4, text/html;q=0.5")) {
      RawResponse answer = raw("GET", path, "Accept: " + accept + "\r\n");
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.body())
          .contains("<a href=\"" + start + "\">", "href=\"" + start + "style.css\"")
          .doesNotContain("nope", "jobs", "<b>", "{start}");
      assertThat(answer.headers())
          .containsEntry("content-type", "text/html; charset=utf-8")
          .containsEntry("content-security-policy", PageFiles.POLICY)
          .containsEntry("referrer-policy", "no-referrer")
          .containsEntry("x-content-type-options", "nosniff")
          .containsEntry("cache-control", "private, no-store")
          .containsEntry("vary", "accept")
          .doesNotContainKey("etag");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Accept: */*\r\n",
        "Accept: application/json\r\n",
        "Accept: text/html, application/json\r\n",
        "Accept: application/json, text/html;q=0.9\r\n",
        "Accept: text/html;q=0\r\n",
        "Accept: text/html;q=much\r\n",
        "Accept: text/html;q=1.5\r\n",
        "Accept: ;\r\n",
        "Accept: ;;,;\r\n",
        "Accept: text/htmlx, ;,;q\r\n"
      })
  void all_others_get_the_error_as_json(String accept) {
    RawResponse answer = raw("GET", "/ui/nope", accept);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo(ErrorCode.NOT_FOUND.body());
    assertThat(answer.headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("vary", "accept");
  }

  @Test
  void outside_the_page_and_far_below_it_even_browsers_get_json() {
    String accept = "Accept: " + BROWSER + "\r\n";
    for (String path : List.of("/nope", "/uix/nope", "/ui/" + "a/".repeat(8))) {
      assertThat(raw("GET", path, accept).body()).isEqualTo(ErrorCode.NOT_FOUND.body());
    }
    assertThat(raw("POST", "/ui/nope", accept + "Content-Length: 0\r\n").body())
        .isEqualTo(ErrorCode.NOT_FOUND.body());
    assertThat(gateway.get("/ui/jobs/12.", "Accept", BROWSER).body())
        .as("the page of jobs says it itself")
        .isEqualTo(gateway.get(JOB).body());
  }

  private static RawResponse raw(String method, String path, String headers) {
    String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
    try (RawClient client = new RawClient(gateway.port())) {
      return client.send(head).response(SOON);
    }
  }

  @Test
  void a_link_with_a_broken_id_is_404_and_the_page_that_says_so() {
    HttpResponse<String> answer = gateway.get("/ui/jobs/12.");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo(gateway.get(JOB).body());
    assertThat(answer.headers().firstValue("etag")).isEmpty();
    assertThat(answer.headers().firstValue("content-security-policy")).isPresent();
  }

  @Test
  void the_figures_are_those_of_the_meters_under_names_from_closed_sets() throws IOException {
    assertThat(gateway.lineage(1).statusCode()).isEqualTo(404);
    HttpResponse<String> answer = gateway.get("/ui/state");
    assertThat(answer.headers().firstValue("cache-control")).contains("private, no-store");
    JsonNode state = new ObjectMapper().readTree(answer.body());
    assertThat(state.fieldNames())
        .toIterable()
        .containsExactly(
            "schemaVersion", "health", "shows", "connections", "pools", "flights", "lineage");
    assertThat(state.get("health").toString()).isEqualTo(gateway.get("/health/ready").body());
    assertThat(state.get("shows").toString()).isEqualTo("{\"timeline\":false,\"fn\":false}");
    assertThat(state.get("pools"))
        .extracting(pool -> pool.get("pool").asText())
        .containsExactlyElementsOf(Stream.of(Pool.values()).map(Pool::label).toList());
    assertThat(state.at("/pools/0/limit").asInt()).isEqualTo(4);
    assertThat(state.at("/flights/begun").asInt()).isPositive();
    assertThat(state.get("lineage"))
        .anySatisfy(
            outcome -> {
              assertThat(outcome.get("status").asInt()).isEqualTo(404);
              assertThat(outcome.get("reason").asText()).isEqualTo("not-found");
              assertThat(outcome.get("count").asInt()).isPositive();
            });
  }

  @Test
  void behind_a_base_path_it_is_all_there_and_nothing_in_front_of_it() {
    try (TestGateway based = TestGateway.recorded("http.basePath", "/gate/way")) {
      assertThat(based.get("/gate/way/ui/").statusCode()).isEqualTo(200);
      assertThat(based.get("/gate/way/ui/style.css").statusCode()).isEqualTo(200);
      assertThat(based.get("/gate/way/ui/state").statusCode()).isEqualTo(200);
      assertThat(based.get("/gate/way/").headers().firstValue("location")).contains("ui/");
      for (String path : List.of("/", "/ui", "/ui/", "/ui/style.css", "/ui/state", "/gate/way")) {
        assertThat(based.get(path).statusCode()).as(path).isEqualTo(404);
      }
    }
  }

  @Test
  void no_page_names_a_place_that_moves_with_the_base_path_or_lies_elsewhere() throws IOException {
    for (String page : List.of(PageFiles.START, PageFiles.JOB, PageFiles.DESCRIPTOR)) {
      String html = Files.readString(Path.of("src/main/resources" + PageFiles.FOLDER + page));
      assertThat(html).doesNotContain("\"/", "://", "<style", "style=", "onclick", "<script>");
    }
  }

  @Test
  void users_are_asked_for_as_everywhere_else(@TempDir Path folder) throws IOException {
    Path users = folder.resolve("users");
    String hash = BCrypt.withDefaults().hashToString(10, "secret".toCharArray());
    Files.writeString(users, "ann:" + hash + ":read\n");
    try (TestGateway guarded =
        TestGateway.recorded("http.auth.basic.usersFile", users.toString()).unchecked()) {
      for (String path : List.of("/", "/ui/", "/ui/style.css", "/ui/state", JOB)) {
        assertThat(guarded.get(path).statusCode()).as(path).isEqualTo(401);
      }
    }
  }
}
