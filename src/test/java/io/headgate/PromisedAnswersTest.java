package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.headgate.graph.Call;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.kit.ApiContract;
import io.headgate.kit.ContractClient;
import io.headgate.kit.JobInfo;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.RecordedReport;
import io.headgate.kit.TestGateway;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A whole gateway with everything switched on answers as {@code openapi.yaml} promises. The client
 * fails on every other status, header, type, body or error code.
 */
class PromisedAnswersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BASE = "/gate";
  private static final String RECORDED = "/job-lineage/1179718928818176001";
  private static final String DESCRIPTORS = "/fn/bundle-descriptors";
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String OCTETS = "application/octet-stream";
  private static final String HOST = "Host: localhost\r\n";

  private static HeadgateVerticle verticle;
  private static TestGateway gateway;

  private final ContractClient client = new ContractClient(gateway.port(), BASE);

  @BeforeAll
  static void start() {
    verticle =
        new HeadgateVerticle(
            TestGateway.config(
                "http.basePath",
                BASE,
                "hazelcast.enabled",
                "true",
                "hazelcast.port",
                "0",
                "hazelcast.clusterName",
                "test-promised-" + ProcessHandle.current().pid(),
                "source.directory.enabled",
                "true",
                "source.directory.bodyBytes",
                "1MiB",
                "source.order",
                "directory,recorded",
                "fn.enabled",
                "true",
                "fn.port",
                "0",
                "fn.http.enabled",
                "true"));
    gateway = TestGateway.running(verticle);
    await().atMost(PATIENCE).until(() -> gateway.get("/health/ready").statusCode() == 200);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static void assertCode(HttpResponse<String> response, int status, String code) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.body()).startsWith("{\"code\":\"" + code + "\",");
  }

  private static void assertOk(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  private static String sample(String template) {
    return template.replace("{jobId}", "4242").replaceAll("\\{\\w+}", "none");
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void every_documented_path_takes_its_methods_and_no_other(HttpClient.Version version) {
    ContractClient by = new ContractClient(gateway.port(), BASE, version);
    ApiContract contract = by.contract();
    for (String template : contract.paths()) {
      for (String method :
          new String[] {"GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE"}) {
        HttpResponse<String> response = by.ask(method, sample(template), null);
        boolean documented = contract.methods(template).contains(method);
        assertThat(response.statusCode() == 405)
            .as("%s %s is 405", method, template)
            .isEqualTo(!documented);
        assertThat(response.body()).doesNotContain("\"NOT_FOUND\"");
      }
    }
  }

  @Test
  void no_other_path_is_anything() {
    for (String path :
        new String[] {
          "/ui/nothing",
          "/jobs/",
          "/jobs/1",
          "/jobs/1/graph/",
          "/JOBS",
          "/job-info/1",
          "/event/report/",
          "/job-lineage/1/nodes",
          "/schema-evolution",
          "/health",
          "/health/live/",
          "/health/l%69ve",
          "/metrics/",
          "/openapi.yml",
          "/openapi.yaml/",
          "/fn",
          "/fn/",
          "/fn/harnesses/a",
          "/fn/bundles/a/b",
          "/fn/bundles/a/inputs/b",
          "/fn/bundle-descriptors/a/b",
          "/favicon.ico"
        }) {
      assertCode(client.get(path), 404, "NOT_FOUND");
    }
    assertThat(gateway.get("/jobs").statusCode()).as("without the base path").isEqualTo(404);
  }

  @Test
  void the_document_is_served_with_the_base_path_and_a_tag() {
    HttpResponse<String> document = client.get("/openapi.yaml");
    assertOk(document);
    String tag = document.headers().firstValue("ETag").orElseThrow();
    assertThat(client.get("/openapi.yaml", "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(client.ask("HEAD", "/openapi.yaml", null).headers().firstValue("Content-Length"))
        .hasValue(Integer.toString(document.body().getBytes(StandardCharsets.UTF_8).length));
    ApiContract served = ApiContract.of(document.body());
    assertThat(served.document().getJsonArray("servers").getJsonObject(0).getString("url"))
        .isEqualTo(BASE);
    assertThat(served.document().copy().put("servers", null))
        .isEqualTo(client.contract().document().copy().put("servers", null));
  }

  @Test
  void the_page_is_as_promised() {
    for (String path : List.of("/ui/", "/ui/jobs/7", "/ui/fn/descriptors/a%20b")) {
      HttpResponse<String> page = client.get(path);
      assertOk(page);
      String tag = page.headers().firstValue("ETag").orElseThrow();
      assertThat(client.get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    }
    assertThat(client.get("/ui/jobs/07").statusCode()).isEqualTo(404);
    assertThat(client.get("/").statusCode()).isEqualTo(302);
    assertOk(client.get("/ui/state"));
  }

  @Test
  void what_is_read_is_as_promised() {
    HttpResponse<String> lineage = client.get(RECORDED);
    assertOk(lineage);
    String tag = lineage.headers().firstValue("ETag").orElseThrow();
    assertThat(client.get(RECORDED, "If-None-Match", tag).statusCode()).isEqualTo(304);
    HttpResponse<String> picture = client.get(RECORDED + "/graph.svg");
    assertOk(picture);
    String pictureTag = picture.headers().firstValue("ETag").orElseThrow();
    assertThat(client.get(RECORDED + "/graph.svg", "If-None-Match", pictureTag).statusCode())
        .isEqualTo(304);
    assertCode(client.get("/job-lineage/1/graph.svg"), 404, "JOB_NOT_FOUND");
    assertOk(client.get("/job-lineage/1179717812919205889"));
    assertCode(client.get("/job-lineage/07"), 400, "INVALID_JOB_ID");
    assertCode(client.get("/job-lineage/"), 400, "INVALID_JOB_ID");
    assertCode(client.get("/job-lineage/1"), 404, "JOB_NOT_FOUND");
    assertCode(client.get("/job-lineage/1179717812919402497"), 409, "LINEAGE_UNAVAILABLE");
    assertCode(client.get("/job-lineage/1179718928820000001"), 413, "LINEAGE_GRAPH_TOO_LARGE");
    await().atMost(PATIENCE).until(() -> client.get("/jobs").statusCode() == 200);
    assertThat(client.get("/jobs?limit=1").body()).contains("\"next\":\"");
    assertOk(client.get("/jobs?state=RUNNING&after=1179718928820000001"));
    assertCode(client.get("/jobs?page=1"), 400, "INVALID_QUERY");
    assertOk(client.get("/health/live"));
    assertOk(client.get("/health/ready"));
    assertOk(client.get("/metrics"));
  }

  @Test
  void what_is_published_is_as_promised() {
    PublicationBody body = PublicationBody.of(JobInfo.of(7_001));
    client
        .contract()
        .validate(
            "the sample",
            client.contract().schema("Publication"),
            new io.vertx.core.json.JsonObject(body.json()));
    String path = "/jobs/7001/graph";
    assertThat(client.ask("PUT", path, body.epoch(2).json()).body()).contains("PUBLISHED");
    assertThat(client.ask("PUT", path, body.epoch(2).json()).body()).contains("UNCHANGED");
    assertCode(client.ask("PUT", path, body.json()), 409, "STALE_EPOCH");
    assertOk(client.ask("PUT", path, body.epoch(2).status("FINISHED").json()));
    assertCode(client.ask("PUT", path, body.epoch(2).json()), 409, "EXECUTION_ENDED");
    assertCode(client.ask("PUT", path, "[]"), 400, "INVALID_BODY");
    assertCode(client.ask("PUT", path, body.graph("{}").json()), 422, "INVALID_JOB_GRAPH");
    assertCode(client.ask("PUT", path, " ".repeat(2 << 20)), 413, "BODY_TOO_LARGE");
    String deep = "[".repeat(100) + "]".repeat(100);
    assertCode(
        client.ask("PUT", path, body.graph("{\"a\":" + deep + "}").json()),
        413,
        "LINEAGE_GRAPH_TOO_LARGE");
    assertThat(client.ask("DELETE", path, null).body()).contains("REMOVED");
    assertCode(client.ask("DELETE", path, null), 404, "JOB_NOT_FOUND");
    assertCode(client.ask("DELETE", "/jobs/x/graph", null), 400, "INVALID_JOB_ID");
  }

  @Test
  void timelines_are_as_promised() {
    long job = RecordedReport.CDC_JOB;
    for (RecordedReport report : RecordedReport.ofTheCdcJob()) {
      assertOk(client.ask("POST", "/event/report?any=thing", report.text()));
    }
    String decisions =
        ("[{\"jobId\":\"%d\",\"sourceSequence\":1,\"stage\":\"TARGET_RESOLVED\",\"targetCount\":1,"
                + "\"target\":{\"table\":\"dw.orders\"},\"policy\":\"STRICT\"},"
                + "{\"jobId\":\"%d\",\"sourceSequence\":1,\"stage\":\"COMPLETED\","
                + "\"target\":{\"table\":\"dw.orders\"},\"outcome\":\"APPLIED\","
                + "\"at\":\"2026-11-30T10:02:09Z\",\"reasonCode\":\"APPLY_SUCCEEDED\"}]")
            .formatted(job, job);
    client
        .contract()
        .validate(
            "the sample",
            client.contract().schema("Decision"),
            new io.vertx.core.json.JsonArray(decisions).getJsonObject(1));
    HttpResponse<String> told = client.ask("POST", "/schema-evolution/events", decisions);
    assertOk(told);
    assertThat(told.body()).doesNotContain("UNKNOWN_CHANGE");
    assertThat(client.ask("POST", "/schema-evolution/events", "[{}]").body()).contains("INVALID");
    String path = "/job-info/" + job + "/schema-evolution";
    HttpResponse<String> timeline = client.get(path);
    assertThat(timeline.body()).contains("\"outcome\":\"APPLIED\"", "dw.orders");
    String tag = timeline.headers().firstValue("ETag").orElseThrow();
    assertThat(client.get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(client.get(path + "?limit=1").body()).doesNotContain("BeforeSequence\":null");
    assertOk(client.get(path + "?beforeSequence=2&table=dw.orders&outcome=APPLIED"));
    assertOk(client.get("/job-info/1179718928818176001/schema-evolution"));
    assertCode(client.get(path + "?limit=0"), 400, "INVALID_PARAMETER");
    assertCode(client.get("/job-info/x/schema-evolution"), 400, "INVALID_JOB_ID");
    assertCode(client.get("/job-info/1/schema-evolution"), 404, "JOB_NOT_FOUND");
    assertCode(client.ask("POST", "/event/report", "{}"), 400, "INVALID_BODY");
    assertCode(client.ask("POST", "/schema-evolution/events", "{}"), 400, "INVALID_BODY");
    String many = "[" + "{},".repeat(1_000) + "{}]";
    assertCode(client.ask("POST", "/schema-evolution/events", many), 413, "BODY_TOO_LARGE");
  }

  @Test
  void descriptors_and_harnesses_are_as_promised() {
    byte[] bytes = Samples.descriptor("d1").toByteArray();
    assertOk(client.ask("POST", DESCRIPTORS, PROTOBUF, bytes));
    assertOk(client.ask("POST", DESCRIPTORS, PROTOBUF, bytes));
    byte[] other =
        Samples.descriptor("d1").toBuilder().addCoders(Samples.coder("o")).build().toByteArray();
    assertCode(client.ask("POST", DESCRIPTORS, PROTOBUF, other), 409, "DESCRIPTOR_CONFLICT");
    assertCode(client.ask("POST", DESCRIPTORS, "{"), 422, "INVALID_DESCRIPTOR");
    assertCode(client.ask("POST", DESCRIPTORS, PROTOBUF, new byte[3 << 20]), 413, "BODY_TOO_LARGE");
    String path = DESCRIPTORS + "/d1";
    assertOk(client.get(path));
    HttpResponse<String> json = client.get(path, "Accept", "application/json");
    assertOk(json);
    assertOk(client.ask("POST", DESCRIPTORS, json.body().replace("\"d1\"", "\"d2\"")));
    assertOk(client.get(path + "/lineage"));
    assertOk(client.get(path + "/graph.svg"));
    assertOk(client.get(DESCRIPTORS + "?limit=1"));
    assertCode(client.get(DESCRIPTORS + "?limit=0"), 400, "INVALID_QUERY");
    assertCode(client.get(DESCRIPTORS + "/"), 400, "INVALID_ID");
    assertCode(client.get(DESCRIPTORS + "/none/lineage"), 404, "DESCRIPTOR_NOT_FOUND");
    assertCode(client.get(DESCRIPTORS + "/none/graph.svg"), 404, "DESCRIPTOR_NOT_FOUND");
    assertOk(client.ask("DELETE", DESCRIPTORS + "/d2", null));
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "shown")) {
      assertThat(harness.logging()).isNotNull();
      await()
          .atMost(PATIENCE)
          .until(() -> client.get("/fn/harnesses").body().contains("\"shown\""));
      assertOk(client.get("/fn/harnesses/shown/logs"));
    }
    assertCode(client.get("/fn/harnesses/none/logs"), 404, "HARNESS_NOT_FOUND");
  }

  @Test
  void bundles_are_as_promised() {
    byte[] descriptor = Samples.descriptor("d3").toByteArray();
    assertOk(client.ask("POST", DESCRIPTORS, PROTOBUF, descriptor));
    byte[] request =
        ProcessBundleRequest.newBuilder()
            .setProcessBundleDescriptorReference("d3")
            .build()
            .toByteArray();
    String starts = "/fn/bundles?harness=worker";
    assertCode(client.ask("POST", starts, PROTOBUF, request), 404, "HARNESS_NOT_FOUND");
    assertCode(client.ask("POST", starts, PROTOBUF, new byte[] {-1}), 400, "INVALID_BODY");
    assertCode(client.ask("POST", "/fn/bundles", PROTOBUF, request), 400, "INVALID_QUERY");
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "worker")) {
      harness.echoing();
      HttpResponse<String> begun = client.ask("POST", starts, PROTOBUF, request);
      assertOk(begun);
      String bundle =
          "/fn/bundles/" + begun.body().replaceFirst("^\\{\"bundleId\":\"([^\"]+)\".*", "$1");
      CompletableFuture<HttpResponse<String>> output =
          CompletableFuture.supplyAsync(() -> client.get(bundle + "/outputs/write/in"));
      byte[] elements = "element".getBytes(StandardCharsets.UTF_8);
      assertOk(client.ask("PUT", bundle + "/inputs/read/out", OCTETS, elements));
      assertThat(output.join().body()).isEqualTo("element");
      await().atMost(PATIENCE).until(() -> client.get(bundle).body().contains("SUCCEEDED"));
      assertOk(client.ask("DELETE", bundle, null));
      assertCode(client.get(bundle + "/progress"), 409, "BUNDLE_NOT_AT_WORK");
      assertCode(client.get(bundle + "/outputs/write/in"), 409, "PORT_TAKEN");
      assertCode(client.get(bundle + "/outputs/write/out"), 404, "PORT_NOT_FOUND");
      assertCode(client.ask("POST", bundle + "/split?fraction=2", null), 400, "INVALID_QUERY");
      HttpResponse<String> second = client.ask("POST", starts, PROTOBUF, request);
      String other = "/fn/bundles/" + second.body().substring(13, second.body().indexOf("\",", 13));
      assertThat(client.ask("DELETE", other, null).body()).contains("\"CANCELLED\"");
      assertCode(
          client.ask("PUT", other + "/inputs/read/out", OCTETS, elements), 409, "BUNDLE_FAILED");
    }
    assertCode(client.get("/fn/bundles/none"), 404, "BUNDLE_NOT_FOUND");
    assertThat(client.send("GET", "/fn/bundles/a/outputs/b/c", "HTTP/1.0", HOST + "\r\n").status())
        .isEqualTo(501);
  }

  @Test
  void what_may_not_be_written_is_refused_as_promised() {
    for (String path : new String[] {"/event/report", DESCRIPTORS}) {
      byte[] body = "[]".getBytes(StandardCharsets.UTF_8);
      assertCode(client.ask("POST", path, "text/plain", body), 415, "UNSUPPORTED_MEDIA_TYPE");
      assertCode(
          client.ask("POST", path, "[]", "Origin", "https://elsewhere.example"), 403, "CROSS_SITE");
      String json = "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n[]";
      assertThat(client.send("POST", path, "HTTP/1.1", "Host: other.example\r\n" + json).body())
          .contains("HOST_NOT_ALLOWED");
      String coded = "Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n";
      assertThat(client.send("POST", path, "HTTP/1.1", HOST + coded).status()).isEqualTo(501);
    }
  }

  @Test
  void what_is_no_good_request_is_refused_as_promised() {
    for (String path : new String[] {RECORDED, "/jobs", "/health/live", "/openapi.yaml"}) {
      assertCode(client.ask("GET", path, "body"), 400, "BODY_NOT_ALLOWED");
      assertCode(client.get(path + "?" + "x".repeat(5_000)), 414, "URI_TOO_LONG");
      assertCode(client.get(path, "Cookie", "x".repeat(9_000)), 431, "HEADERS_TOO_LARGE");
      assertThat(client.send("GET", path, "HTTP/1.1", "\r\n").body()).contains("INVALID_REQUEST");
      String expecting = HOST + "Expect: much\r\n\r\n";
      assertThat(client.send("GET", path, "HTTP/1.1", expecting).status()).isEqualTo(417);
    }
  }

  @Test
  void credentials_are_asked_for_as_promised(@TempDir Path folder) throws Exception {
    Path users = folder.resolve("users");
    String hash = BCrypt.withDefaults().hashToString(10, "secret".toCharArray());
    Files.writeString(users, "reader:" + hash + ":read\n");
    String reader =
        "Basic "
            + Base64.getEncoder()
                .encodeToString("reader:secret".getBytes(StandardCharsets.US_ASCII));
    try (TestGateway guarded =
        TestGateway.recorded("http.auth.basic.usersFile", users.toString()).unchecked()) {
      ContractClient by = new ContractClient(guarded.port(), "");
      for (String path : new String[] {RECORDED, "/jobs", "/metrics", "/openapi.yaml"}) {
        assertCode(by.get(path), 401, "UNAUTHORIZED");
        assertThat(by.get(path, "Authorization", reader).statusCode()).isIn(200, 503);
      }
      assertOk(by.get("/health/live"));
      assertOk(by.get("/health/ready"));
    }
  }

  @Test
  void what_is_switched_off_busy_or_late_is_refused_as_promised() {
    JobGraphSource hanging = (jobId, deadline) -> Call.of(new CompletableFuture<Lookup>());
    try (TestGateway slow =
        TestGateway.embedding(
                hanging,
                "admission.deadline",
                "200ms",
                "admission.permits",
                "1",
                "http.headerDeadline",
                "500ms")
            .unchecked()) {
      ContractClient by = new ContractClient(slow.port(), "");
      for (String path : new String[] {"/job-lineage/1", "/job-lineage/2"}) {
        assertCode(by.get(path), 503, "LINEAGE_TEMPORARILY_UNAVAILABLE");
        assertThat(by.send("GET", path, "HTTP/1.1", HOST).body()).contains("REQUEST_TIMEOUT");
      }
      for (String template : by.contract().paths()) {
        if (template.endsWith("/graph")
            || template.contains("/fn/")
            || template.contains("event")) {
          for (String method : by.contract().methods(template)) {
            HttpResponse<String> response = by.ask(method, sample(template), null);
            assertThat(response.statusCode()).as(template).isEqualTo(404);
          }
        }
      }
    }
  }
}
