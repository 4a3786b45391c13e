package io.headgate.edge.guard;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.headgate.kit.JobInfo;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * E-C4: what clients and engines say, and what the configuration keeps secret, comes out nowhere:
 * in no answer, no log line at any level that an operator would use, no metric.
 */
class SecretsTest {
  /** Part of everything that is secret here. */
  private static final String SECRET = "S3cretS3cret";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String USER = SECRET + "User";
  private static final String PASSWORD = SECRET + "Password";
  private static final String UPSTREAM_USER = SECRET + "UpUser";
  private static final String UPSTREAM_PASSWORD = SECRET + "UpPassword";

  private final List<String> answers = new ArrayList<>();

  @Test
  void nothing_secret_comes_out(@TempDir Path folder) throws Exception {
    String hash = BCrypt.withDefaults().hashToString(10, PASSWORD.toCharArray());
    Path users = folder.resolve("users");
    Files.writeString(users, USER + ":" + hash + ":read\n");
    List<String> secrets =
        List.of(
            SECRET,
            hash.substring(7),
            base64(USER + ":" + PASSWORD),
            base64(UPSTREAM_USER + ":" + UPSTREAM_PASSWORD));
    String[] settings = {
      "http.auth.basic.usersFile",
      users.toString(),
      "source.zeta.username",
      UPSTREAM_USER,
      "source.zeta.password",
      UPSTREAM_PASSWORD,
      "accessLog.file",
      folder.resolve("access.log").toString()
    };
    try (LoggedLines log = LoggedLines.detailed();
        ScriptedEngine engine = talkative();
        TestGateway gateway = TestGateway.before(engine, settings).unchecked()) {
      askForEveryJob(gateway);
      sayEverythingBadly(gateway);
      sayEverythingOverHttp2(gateway);
      assertThat(engine.requests()).anyMatch(request -> request.contains(secrets.get(3)));
      answers.add(raw(gateway, get("/metrics", authorization())));
      log.assertFreeOf(secrets.toArray(String[]::new));
    }
    assertThat(answers).hasSizeGreaterThan(30).allSatisfy(answer -> assertClean(secrets, answer));
    // Who asked for what is what these lines are for; how they prove it is nobody's business.
    assertThat(Files.readString(folder.resolve("access.log")))
        .contains(USER)
        .doesNotContainIgnoringCase(PASSWORD, UPSTREAM_USER, UPSTREAM_PASSWORD)
        .doesNotContain(secrets.subList(1, secrets.size()).toArray(String[]::new));
  }

  private static void assertClean(List<String> secrets, String text) {
    assertThat(text).doesNotContainIgnoringCase(secrets.toArray(String[]::new));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String authorization() {
    return "Authorization: Basic " + base64(USER + ":" + PASSWORD) + "\r\n";
  }

  /** An engine that says more than it is asked, well and badly. */
  private static ScriptedEngine talkative() {
    String said = "{\"password\":\"" + SECRET + "\",\"" + SECRET + "\":[\"" + SECRET + "\"]}";
    String rich =
        JobInfo.of(1)
            .extra(",\"errorMsg\":\"" + SECRET + "\",\"metrics\":" + said)
            .json()
            .replace("\"envOptions\":{}", "\"envOptions\":" + said)
            .replace("\"pluginJarsUrls\":[]", "\"pluginJarsUrls\":[\"file:/" + SECRET + "\"]");
    ScriptedEngine engine = new ScriptedEngine();
    engine.job(1, ScriptedEngine.body(rich));
    engine.job(
        2,
        (r, id, v) ->
            r.response()
                .setStatusCode(302)
                .putHeader("Location", "http://127.0.0.1:9/" + SECRET)
                .end(SECRET));
    engine.job(3, (r, id, v) -> r.response().setStatusCode(500).end("<pre>" + SECRET + "</pre>"));
    engine.job(4, ScriptedEngine.body("{\"jobId\":\"4\",\"" + SECRET + "\":\"" + SECRET + "\\q"));
    engine.job(
        5,
        (r, id, v) ->
            r.response()
                .setStatusCode(401)
                .setStatusMessage(SECRET)
                .putHeader("WWW-Authenticate", "Basic realm=\"" + SECRET + "\"")
                .end());
    engine.job(
        6, ScriptedEngine.body(JobInfo.of(6).json().replace("\"sink\"", "\"" + SECRET + "\"")));
    engine.job(7, ScriptedEngine.body(SECRET));
    engine.job(8, ScriptedEngine.body(JobInfo.of(8).name(SECRET.repeat(400)).json()));
    engine.job(
        9, ScriptedEngine.body(JobInfo.of(9).created(SECRET).name("\\ud800" + SECRET).json()));
    engine.job(
        10,
        (r, id, v) ->
            r.response().putHeader("Content-Encoding", SECRET).end(JobInfo.of(10).json()));
    engine.job(
        11,
        (r, id, v) -> {
          r.response().setChunked(true).write("{\"" + SECRET);
          r.connection().close();
        });
    engine.overview((r, id, v) -> r.response().setStatusCode(503).end(SECRET));
    return engine;
  }

  private void askForEveryJob(TestGateway gateway) {
    for (int job = 1; job <= 12; job++) {
      answers.add(raw(gateway, get("/job-lineage/" + job, authorization())));
    }
    assertThat(answers.get(0)).startsWith("HTTP/1.1 200 ");
    assertThat(answers).filteredOn(a -> a.startsWith("HTTP/1.1 503 ")).isNotEmpty();
    assertThat(answers).filteredOn(a -> a.startsWith("HTTP/1.1 409 ")).isNotEmpty();
    assertThat(answers).filteredOn(a -> a.startsWith("HTTP/1.1 413 ")).isNotEmpty();
  }

  private void sayEverythingBadly(TestGateway gateway) {
    String wrong = "Authorization: Basic " + base64(SECRET + ":" + SECRET) + "\r\n";
    for (String request :
        List.of(
            get("/job-lineage/1?token=" + SECRET, authorization()),
            get("/job-lineage/" + SECRET, authorization()),
            get("/" + SECRET, authorization()),
            get("/%00/../" + SECRET + "%", authorization()),
            get("/job-lineage/1", wrong),
            get("/job-lineage/1", "Authorization: Bearer " + SECRET + "\r\n"),
            get("/job-lineage/1", "Authorization: Basic " + SECRET + "=!\r\n"),
            get("/job-lineage/1", "Cookie: a=" + SECRET + "; " + SECRET + "\r\n" + authorization()),
            get("/job-lineage/1", SECRET + ": " + SECRET + "\r\n" + authorization()),
            get("/job-lineage/1", "If-None-Match: \"" + SECRET + "\"\r\n" + authorization()),
            get("/job-lineage/1", "Expect: " + SECRET + "\r\n" + authorization()),
            get("/job-lineage/1", "X " + SECRET + ": a\r\n"),
            get("/job-lineage/1", "Content-Length: " + SECRET + "\r\n"),
            get("/job-lineage/1", "Transfer-Encoding: " + SECRET + "\r\n"),
            get("/job-lineage/1", "Host: " + SECRET + "\r\n"),
            get("/job-lineage/1", "X: " + SECRET.repeat(1000) + "\r\n"),
            get("/" + SECRET.repeat(500), ""),
            SECRET + " / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + authorization() + "\r\n",
            SECRET + "\r\n\r\n",
            "GET /" + SECRET + " HTTP/" + SECRET + "\r\n\r\n",
            "POST /job-lineage/1 HTTP/1.1\r\nHost: a\r\n"
                + authorization()
                + "Content-Length: 12\r\n\r\n"
                + SECRET,
            "POST /job-lineage/1 HTTP/1.1\r\nHost: a\r\n"
                + authorization()
                + "Transfer-Encoding: chunked\r\n\r\n"
                + SECRET
                + "\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + SECRET)) {
      answers.add(raw(gateway, request));
    }
  }

  private void sayEverythingOverHttp2(TestGateway gateway) {
    String basic = "Basic " + base64(USER + ":" + PASSWORD);
    for (byte[] head :
        List.of(
            RawHttp2.head("GET", "/job-lineage/1", "authorization", basic, "x", SECRET),
            RawHttp2.head("GET", "/" + SECRET, "authorization", basic),
            RawHttp2.head(SECRET, "/job-lineage/1", "authorization", basic),
            RawHttp2.head("GET", "/job-lineage/1", "authorization", SECRET),
            RawHttp2.head("GET", SECRET),
            RawHttp2.head("GET", "/job-lineage/1", "X" + SECRET, SECRET),
            RawHttp2.head("GET", "/job-lineage/1", "x", SECRET + "\r\n"),
            RawHttp2.head("GET", "/job-lineage/1", ":" + SECRET, SECRET),
            RawHttp2.head("GET", "/job-lineage/1", "connection", SECRET),
            RawHttp2.head("GET", "/job-lineage/1", "x", SECRET.repeat(700)),
            RawHttp2.head("GET", "/job-lineage/1", "x", SECRET.repeat(1000)))) {
      try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
        RawHttp2.Answer answer = client.send(RawHttp2.HEADERS, 5, 1, head).answer(1);
        answers.add(answer.headers() + answer.body());
        client.send(RawHttp2.GOAWAY, 0, 0, (":::::::::" + SECRET).getBytes()).flush();
      }
    }
  }

  private static String get(String target, String headers) {
    return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + headers + "Connection: close\r\n\r\n";
  }

  private static String raw(TestGateway gateway, String request) {
    try (RawClient client = new RawClient(gateway.port())) {
      return client.send(request).receive(PATIENCE).text();
    }
  }
}
