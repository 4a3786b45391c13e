package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.UnknownFieldSet;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.headgate.kit.RawClient;
import io.headgate.kit.TestGateway;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.beam.fn.v1.BeamFnApi.LogEntry;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What runners and people ask of the Fn API over HTTP, at a whole gateway. */
class FnOverHttpTest {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final String DESCRIPTORS = "/fn/bundle-descriptors";

  private static HeadgateVerticle verticle;
  private static TestGateway gateway;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() {
    verticle =
        new HeadgateVerticle(
            TestGateway.config("fn.enabled", "true", "fn.port", "0", "fn.http.enabled", "true"));
    gateway = TestGateway.running(verticle);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(
        request.timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> post(byte[] body, String type, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(gateway.uri(DESCRIPTORS))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .header("Content-Type", type);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  private String register(ProcessBundleDescriptor descriptor)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response = post(descriptor.toByteArray(), PROTOBUF);
    return response.statusCode() + " " + new String(response.body(), StandardCharsets.UTF_8);
  }

  private static String error(String code) {
    return "{\"code\":\"" + code + "\",";
  }

  @Test
  void F3_a_descriptor_is_registered_listed_read_and_removed() throws Exception {
    ProcessBundleDescriptor descriptor = Samples.descriptor("a 1/ö");
    String path = DESCRIPTORS + "/a%201%2F%C3%B6";
    assertThat(register(descriptor)).isEqualTo("200 {\"descriptorId\":\"a 1/ö\",\"created\":true}");
    assertThat(register(descriptor))
        .isEqualTo("200 {\"descriptorId\":\"a 1/ö\",\"created\":false}");
    assertThat(register(descriptor.toBuilder().addCoders(Samples.coder("other")).build()))
        .startsWith("409 " + error("DESCRIPTOR_CONFLICT"));
    assertThat(register(Samples.descriptor("a 2"))).startsWith("200");
    assertThat(gateway.get(DESCRIPTORS + "?limit=1&after=a").body())
        .isEqualTo("{\"descriptorIds\":[\"a 1/ö\"],\"next\":\"a 1/ö\"}");
    assertThat(gateway.get(DESCRIPTORS + "?limit=2&after=a%201%2F%C3%B6").body())
        .startsWith("{\"descriptorIds\":[\"a 2\"");
    HttpResponse<byte[]> read = send(HttpRequest.newBuilder(gateway.uri(path)));
    assertThat(read.headers().firstValue("Content-Type")).hasValue(PROTOBUF);
    assertThat(ProcessBundleDescriptor.parseFrom(read.body())).isEqualTo(descriptor);
    assertThat(gateway.delete(path).body())
        .isEqualTo("{\"descriptorId\":\"a 1/ö\",\"removed\":true}");
    assertThat(gateway.delete(path).body()).startsWith(error("DESCRIPTOR_NOT_FOUND"));
    assertThat(gateway.get(path).statusCode()).isEqualTo(404);
  }

  @Test
  void F3_a_descriptor_is_registered_and_read_as_json() throws Exception {
    ProcessBundleDescriptor descriptor = Samples.descriptor("as json");
    String path = DESCRIPTORS + "/as%20json";
    register(descriptor);
    HttpResponse<String> read = gateway.get(path, "Accept", JSON);
    assertThat(read.headers().firstValue("Content-Type")).hasValue(JSON);
    assertThat(read.body()).startsWith("{\"id\":\"as json\",\"primitiveTransform\":[{");
    gateway.delete(path);
    byte[] form = read.body().getBytes(StandardCharsets.UTF_8);
    assertThat(new String(post(form, JSON).body(), StandardCharsets.UTF_8))
        .isEqualTo("{\"descriptorId\":\"as json\",\"created\":true}");
    assertThat(
            ProcessBundleDescriptor.parseFrom(
                send(HttpRequest.newBuilder(gateway.uri(path))).body()))
        .isEqualTo(descriptor);
    assertThat(new String(post(new byte[] {'{'}, JSON).body(), StandardCharsets.UTF_8))
        .startsWith(error("INVALID_DESCRIPTOR"));
    assertThat(post(new byte[(2 << 20) + 1], JSON).statusCode()).isEqualTo(413);
    assertThat(post(form, JSON, "Origin", "https://elsewhere.example").statusCode()).isEqualTo(403);
  }

  @Test
  void F3_a_descriptor_of_which_json_can_not_say_all_is_read_as_bytes_only() throws Exception {
    register(
        Samples.descriptor("no json").toBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                    .build())
            .build());
    String path = DESCRIPTORS + "/no%20json";
    HttpResponse<String> refused = gateway.get(path, "Accept", JSON);
    assertThat(refused.statusCode()).isEqualTo(406);
    assertThat(refused.body()).startsWith(error("NO_JSON_FORM"));
    assertThat(gateway.get(path, "Accept", "*/*").statusCode()).isEqualTo(200);
  }

  @Test
  void F4_the_lineage_of_a_descriptor_is_its_graph_without_parameters() throws Exception {
    register(Samples.descriptor("graph"));
    String path = DESCRIPTORS + "/graph/lineage";
    HttpResponse<String> answer = gateway.get(path);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"schemaVersion\":1,\"descriptorId\":\"graph\",\"graphKind\":\"PROCESS_BUNDLE\","
                + "\"idScope\":\"DESCRIPTOR\",\"nodes\":["
                + "{\"id\":\"read\",\"kind\":\"SOURCE\",\"name\":\"Step read\",\"urn\":\""
                + Samples.INPUT_URN
                + "\"},{\"id\":\"work\",\"kind\":\"TRANSFORM\",\"name\":\"Step work\",\"urn\":"
                + "\"urn:example:work:1\"},{\"id\":\"write\",\"kind\":\"SINK\",\"name\":"
                + "\"Step write\",\"urn\":\""
                + Samples.OUTPUT_URN
                + "\"}],\"edges\":[{\"sourceNodeId\":\"read\",\"output\":\"out\",\"targetNodeId\":"
                + "\"work\",\"input\":\"main\",\"sideInput\":false},{\"sourceNodeId\":\"work\","
                + "\"output\":\"result\",\"targetNodeId\":\"write\",\"input\":\"in\","
                + "\"sideInput\":false}],\"warnings\":[]}");
    assertThat(answer.headers().firstValue("Cache-Control")).hasValue("private, no-store");
    String tag = answer.headers().firstValue("ETag").orElseThrow();
    assertThat(gateway.get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(gateway.get(DESCRIPTORS + "/none/lineage").body())
        .startsWith(error("DESCRIPTOR_NOT_FOUND"));
    assertThat(gateway.get(DESCRIPTORS + "//lineage").body()).startsWith(error("INVALID_ID"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%zz", "%f", "%ff", "%c0%af", "%ed%a0%80", "a%E2%82", "%-1"})
  void what_is_no_text_is_refused_wherever_a_route_takes_text(String raw) {
    assertThat(got(DESCRIPTORS + "/" + raw)).startsWith(error("INVALID_ID"));
    assertThat(got(DESCRIPTORS + "/" + raw + "/lineage")).startsWith(error("INVALID_ID"));
    assertThat(got(DESCRIPTORS + "/" + raw + "/graph.svg")).startsWith(error("INVALID_ID"));
    assertThat(got("/fn/harnesses/" + raw + "/logs")).startsWith(error("INVALID_ID"));
    assertThat(got("/fn/bundles/" + raw)).startsWith(error("INVALID_ID"));
    assertThat(got("/fn/bundles/any/outputs/" + raw + "/name")).startsWith(error("INVALID_ID"));
    assertThat(got(DESCRIPTORS + "?after=" + raw)).startsWith(error("INVALID_QUERY"));
    assertThat(
            sent(
                "POST /fn/bundles?harness=" + raw,
                "Content-Type: " + PROTOBUF + "\r\nContent-Length: 0\r\n"))
        .startsWith(error("INVALID_QUERY"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"xyz\r\n", "-1\r\n", "2\r\n{}xx\r\n", "1;a\u0001\r\n"})
  void a_descriptor_whose_chunks_are_broken_is_400(String chunk) {
    String head = "POST " + DESCRIPTORS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: ";
    try (RawClient raw = new RawClient(gateway.port())) {
      raw.send(head + PROTOBUF + "\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk);
      RawClient.Received received = raw.receive(Duration.ofSeconds(60));
      assertThat(received.closed()).isTrue();
      assertThat(received.text()).startsWith("HTTP/1.1 400 ").contains("\"INVALID_REQUEST\"");
    }
  }

  @Test
  void text_beyond_ascii_is_taken_with_percent_signs() {
    assertThat(got(DESCRIPTORS + "/%E2%82%AC+%2b")).startsWith(error("DESCRIPTOR_NOT_FOUND"));
    assertThat(got(DESCRIPTORS + "?after=%E2%82%AC+%2b")).doesNotContain("INVALID_QUERY");
  }

  private static String got(String path) {
    return sent("GET " + path, "");
  }

  private static String sent(String line, String headers) {
    try (RawClient raw = new RawClient(gateway.port())) {
      raw.send(line + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
      return raw.response(Duration.ofSeconds(60)).body();
    }
  }

  @Test
  void F8_harnesses_and_their_logs_are_shown() {
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "w 1");
        TestHarness nameless = TestHarness.connect(verticle.fnPort(), null)) {
      assertThat(nameless.control().accepted()).isTrue();
      harness
          .logging()
          .send(
              LogEntry.List.newBuilder()
                  .addLogEntries(
                      LogEntry.newBuilder()
                          .setSeverityValue(40)
                          .setMessage("two\nlines")
                          .setThread("t1"))
                  .build());
      await()
          .untilAsserted(
              () ->
                  assertThat(gateway.get("/fn/harnesses/w%201/logs").body())
                      .isEqualTo(
                          "{\"harnessId\":\"w 1\",\"entries\":[{\"severity\":\"WARN\",\"at\":"
                              + "\"1970-01-01T00:00:00Z\",\"message\":\"two\\nlines\","
                              + "\"thread\":\"t1\"}]}"));
      assertThat(gateway.get("/fn/harnesses").body())
          .contains("{\"id\":\"\",\"control\":true,")
          .contains("{\"id\":\"w 1\",\"control\":true,\"data\":false,\"state\":false,");
      assertThat(gateway.get("/fn/harnesses//logs").body())
          .isEqualTo("{\"harnessId\":\"\",\"entries\":[]}");
    }
    assertThat(gateway.get("/fn/harnesses/nobody/logs").body())
        .startsWith(error("HARNESS_NOT_FOUND"));
  }

  @Test
  void L30_descriptors_are_written_under_the_rule_for_writes() throws Exception {
    byte[] body = Samples.descriptor("ruled").toByteArray();
    assertThat(post(body, "text/plain").statusCode()).isEqualTo(415);
    assertThat(post(body, PROTOBUF, "Origin", "https://elsewhere.example").statusCode())
        .isEqualTo(403);
    assertThat(post(new byte[(2 << 20) + 1], PROTOBUF).statusCode()).isEqualTo(413);
    HttpResponse<byte[]> spoiled = post(new byte[] {-1, -1}, PROTOBUF);
    assertThat(spoiled.statusCode()).isEqualTo(422);
    assertThat(new String(spoiled.body(), StandardCharsets.UTF_8))
        .startsWith(error("INVALID_DESCRIPTOR"));
    assertThat(
            gateway.metric("headgate_fn_http_outcomes_total{reason=\"unreadable\",status=\"422\"}"))
        .isPositive();
    assertThat(gateway.get(DESCRIPTORS + "/ruled").statusCode()).isEqualTo(404);
  }

  @Test
  void what_no_route_has_is_refused() {
    assertThat(gateway.get("/fn/").statusCode()).isEqualTo(404);
    assertThat(gateway.get("/fn/harnesses/w1").statusCode()).isEqualTo(404);
    assertThat(gateway.get(DESCRIPTORS + "/a/b/c").statusCode()).isEqualTo(404);
    HttpResponse<String> method = gateway.delete("/fn/harnesses");
    assertThat(method.statusCode()).isEqualTo(405);
    assertThat(method.headers().firstValue("Allow")).hasValue("GET, HEAD");
    for (String query :
        new String[] {"limit=0", "limit=1001", "limit=1&limit=2", "after=a&after=b"}) {
      assertThat(gateway.get(DESCRIPTORS + "?" + query).body()).startsWith(error("INVALID_QUERY"));
    }
  }

  @Test
  void F4_a_gateway_without_the_port_has_descriptors_and_their_lineage_and_no_harness()
      throws Exception {
    HeadgateVerticle closed = new HeadgateVerticle(TestGateway.config("fn.http.enabled", "true"));
    try (TestGateway without = TestGateway.running(closed)) {
      assertThat(closed.fnPort()).isEqualTo(-1);
      byte[] descriptor = Samples.descriptor("d1").toByteArray();
      assertThat(
              send(HttpRequest.newBuilder(without.uri(DESCRIPTORS))
                      .POST(HttpRequest.BodyPublishers.ofByteArray(descriptor))
                      .header("Content-Type", PROTOBUF))
                  .statusCode())
          .isEqualTo(200);
      assertThat(without.get(DESCRIPTORS + "/d1/lineage").body())
          .contains("\"graphKind\":\"PROCESS_BUNDLE\"");
      assertThat(without.get("/fn/harnesses").body()).isEqualTo("{\"harnesses\":[]}");
    }
  }

  @Test
  void nothing_is_shown_unless_it_is_switched_on() {
    HeadgateVerticle closed =
        new HeadgateVerticle(TestGateway.config("fn.enabled", "true", "fn.port", "0"));
    try (TestGateway without = TestGateway.running(closed)) {
      assertThat(without.get("/fn/harnesses").body()).startsWith(error("NOT_FOUND"));
    }
  }
}
