package io.headgate;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.headgate.kit.RawClient;
import io.headgate.kit.TestGateway;
import io.vertx.core.buffer.Buffer;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.beam.fn.v1.BeamFnApi.CacheToken;
import org.apache.beam.fn.v1.BeamFnApi.InstructionRequest;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.fn.v1.BeamFnApi.PrimitiveTransformSplit;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleProgressResponse;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleRequest;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bundles that a runner has processed over HTTP, at a whole gateway. */
class BundlesOverHttpTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String OCTETS = "application/octet-stream";
  private static final String IN = "/inputs/read/out";
  private static final String OUT = "/outputs/write/in";

  private static HeadgateVerticle verticle;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    verticle =
        new HeadgateVerticle(
            TestGateway.config(
                "fn.enabled",
                "true",
                "fn.port",
                "0",
                "fn.http.enabled",
                "true",
                "fn.readIdle",
                "2s"));
    gateway = TestGateway.running(verticle);
    Buffer descriptor = Buffer.buffer(Samples.descriptor("d1").toByteArray());
    get(verticle.fnRunner().register(descriptor));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private final HttpClient client = HttpClient.newHttpClient();

  private <T> CompletableFuture<HttpResponse<T>> send(
      HttpClient by, String method, String path, byte[] body, HttpResponse.BodyHandler<T> read) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(gateway.uri(path))
            .timeout(PATIENCE)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    if (body != null) {
      request.header("Content-Type", method.equals("PUT") ? OCTETS : "application/x-protobuf");
    }
    return by.sendAsync(request.build(), read);
  }

  private HttpResponse<String> ask(String method, String path, byte[] body) {
    return send(client, method, path, body, HttpResponse.BodyHandlers.ofString()).join();
  }

  /** Starts a bundle; its path. */
  private String start(String harness) {
    byte[] request =
        ProcessBundleRequest.newBuilder()
            .setProcessBundleDescriptorReference("d1")
            .addCacheTokens(
                CacheToken.newBuilder()
                    .setTarget(Samples.target("work", "bag"))
                    .setToken(ByteString.copyFromUtf8("tok")))
            .build()
            .toByteArray();
    HttpResponse<String> begun = ask("POST", "/fn/bundles?harness=" + harness, request);
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(200);
    String opening = "{\"bundleId\":\"";
    assertThat(begun.body()).startsWith(opening);
    return "/fn/bundles/"
        + begun.body().substring(opening.length(), begun.body().indexOf('"', opening.length()));
  }

  private void awaitStatus(String bundle, String... parts) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(gateway.get(bundle).body()).contains(parts));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void F5_a_bundle_is_processed_with_bodies_as_its_input_and_output(HttpClient.Version version) {
    HttpClient by = HttpClient.newBuilder().version(version).build();
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "echo-" + version)) {
      harness.echoing();
      String bundle = start("echo-" + version);
      CompletableFuture<HttpResponse<byte[]>> output =
          send(by, "GET", bundle + OUT, null, HttpResponse.BodyHandlers.ofByteArray());
      byte[] elements = new byte[5 << 20];
      java.util.Arrays.fill(elements, (byte) 'x');
      HttpResponse<String> input =
          send(by, "PUT", bundle + IN, elements, HttpResponse.BodyHandlers.ofString()).join();
      assertThat(input.statusCode()).isEqualTo(200);
      assertThat(input.body()).isEqualTo("{\"ended\":true}");
      assertThat(output.join().body()).isEqualTo(elements);
      assertThat(output.join().headers().firstValue("Content-Type")).hasValue(OCTETS);
      awaitStatus(
          bundle,
          "\"phase\":\"SUCCEEDED\",\"failure\":null,",
          "\"inputs\":[{\"transformId\":\"read\",\"name\":\"out\",\"bytes\":5242880,\"ended\":true}]",
          "\"bytes\":5242880,\"opened\":true,\"ended\":true}]}");
      assertThat(ask("DELETE", bundle, null).body()).contains("\"phase\":\"SUCCEEDED\"");
      assertThat(gateway.get(bundle + "/progress").body()).contains("BUNDLE_NOT_AT_WORK");
      assertThat(gateway.get(bundle + OUT).body()).contains("PORT_TAKEN");
    }
  }

  @Test
  void F5_progress_and_split_are_asked_of_the_harness_and_tokens_are_passed_through()
      throws Exception {
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "asked")) {
      String bundle = start("asked");
      harness.takeRegister();
      InstructionRequest process = harness.takeBundle();
      assertThat(process.getProcessBundle().getCacheTokens(0).getToken().toStringUtf8())
          .isEqualTo("tok");
      CompletableFuture<HttpResponse<String>> progress =
          send(client, "GET", bundle + "/progress", null, HttpResponse.BodyHandlers.ofString());
      harness
          .control()
          .send(
              InstructionResponse.newBuilder()
                  .setInstructionId(harness.control().next().getInstructionId())
                  .setProcessBundleProgress(
                      ProcessBundleProgressResponse.newBuilder()
                          .setFinishedWork(0.5)
                          .setBacklog(Double.NaN))
                  .build());
      assertThat(progress.join().body()).isEqualTo("{\"finishedWork\":0.5,\"backlog\":null}");
      CompletableFuture<HttpResponse<byte[]>> split =
          send(
              client,
              "POST",
              bundle + "/split?fraction=0.25",
              null,
              HttpResponse.BodyHandlers.ofByteArray());
      InstructionRequest asked = harness.control().next();
      assertThat(asked.getProcessBundleSplit().getFraction()).isEqualTo(0.25);
      ProcessBundleSplitResponse answer =
          ProcessBundleSplitResponse.newBuilder()
              .addSplits(
                  PrimitiveTransformSplit.newBuilder().setPrimitiveTransformReference("work"))
              .build();
      harness
          .control()
          .send(
              InstructionResponse.newBuilder()
                  .setInstructionId(asked.getInstructionId())
                  .setProcessBundleSplit(answer)
                  .build());
      assertThat(ProcessBundleSplitResponse.parseFrom(split.join().body())).isEqualTo(answer);
      assertThat(ask("POST", bundle + "/split?fraction=1.5", null).statusCode()).isEqualTo(400);
      assertThat(ask("DELETE", bundle, null).body())
          .contains("\"phase\":\"FAILED\",\"failure\":\"CANCELLED\"");
    }
  }

  @Test
  void F5_a_failed_bundle_ends_its_output_by_reset() throws Exception {
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "dying")) {
      harness.data();
      String bundle = start("dying");
      harness.takeRegister();
      String id = harness.takeBundle().getInstructionId();
      HttpResponse<InputStream> output =
          send(client, "GET", bundle + OUT, null, HttpResponse.BodyHandlers.ofInputStream()).join();
      harness.data().send(TestHarness.piece(id, Samples.OUTPUT, bytes("half")));
      assertThat(output.body().readNBytes(4)).isEqualTo(bytes("half"));
      harness.kill();
      assertThatThrownBy(() -> output.body().readAllBytes())
          .isInstanceOf(java.io.IOException.class);
      awaitStatus(bundle, "\"phase\":\"FAILED\",\"failure\":\"HARNESS_LOST\"");
      HttpResponse<String> input = ask("PUT", bundle + IN, bytes("late"));
      assertThat(input.body()).contains("BUNDLE_FAILED");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void F5_an_input_whose_chunks_are_broken_is_400_and_fails_its_bundle(boolean atOnce) {
    String name = "broken-" + atOnce;
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), name);
        RawClient writer = new RawClient(gateway.port())) {
      harness.echoing();
      String bundle = start(name);
      String head =
          "PUT %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n"
              .formatted(bundle + IN, OCTETS);
      writer.send(head + "Transfer-Encoding: chunked\r\n\r\n2\r\nab" + (atOnce ? "xx" : "\r\n"));
      if (!atOnce) {
        awaitStatus(bundle, "\"bytes\":2,");
        writer.send("xx\r\n");
      }
      RawClient.Received received = writer.receive(PATIENCE);
      assertThat(received.closed()).isTrue();
      assertThat(received.text()).startsWith("HTTP/1.1 400 ").contains("\"INVALID_REQUEST\"");
      ask("DELETE", bundle, null);
    }
  }

  @Test
  void F5_a_reader_that_stops_stops_the_writer_and_then_its_bundle() {
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "slow");
        RawClient reader = new RawClient(gateway.port())) {
      harness.echoingInStep(); // else it could take all of the input into its own memory
      String bundle = start("slow");
      reader.send("GET " + bundle + OUT + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      byte[] elements = new byte[100 << 20];
      HttpResponse<String> input = ask("PUT", bundle + IN, elements);
      assertThat(input.body()).contains("BUNDLE_FAILED");
      awaitStatus(bundle, "\"failure\":\"READER_IDLE\"");
      String status = gateway.get(bundle).body();
      long taken = Long.parseLong(status.replaceAll("(?s).*?\"bytes\":(\\d+).*", "$1"));
      assertThat(taken).isLessThan(elements.length);
    }
  }

  @Test
  void F5_a_writer_that_sends_nothing_more_is_told_when_its_bundle_fails() {
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "silent");
        RawClient early = new RawClient(gateway.port());
        RawClient late = new RawClient(gateway.port())) {
      harness.echoing();
      String bundle = start("silent");
      early.send(putHead(bundle) + "abc");
      awaitStatus(bundle, "\"bytes\":3,");
      ask("DELETE", bundle, null);
      assertThat(early.response(PATIENCE).body()).contains("BUNDLE_FAILED");

      String over = start("silent");
      ask("DELETE", over, null);
      late.send(putHead(over));
      assertThat(late.response(PATIENCE).body()).contains("BUNDLE_FAILED");
    }
  }

  /** The head of an input of a hundred bytes. */
  private static String putHead(String bundle) {
    return "PUT "
        + bundle
        + IN
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nContent-Type: "
        + OCTETS
        + "\r\n\r\n";
  }

  @Test
  void F5_an_output_is_given_to_nobody_who_could_not_tell_its_end() {
    try (RawClient old = new RawClient(gateway.port())) {
      old.send("GET /fn/bundles/any" + OUT + " HTTP/1.0\r\nHost: localhost\r\n\r\n");
      assertThat(old.response(PATIENCE).status()).isEqualTo(501);
    }
  }

  @Test
  void F5_a_reader_that_leaves_fails_its_bundle() {
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "left")) {
      harness.echoing();
      String bundle = start("left");
      try (RawClient reader = new RawClient(gateway.port())) {
        reader.send("GET " + bundle + OUT + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        awaitStatus(bundle, "\"opened\":true");
      }
      awaitStatus(bundle, "\"failure\":\"READER_LEFT\"");
    }
  }

  @Test
  void what_makes_no_sense_is_refused() {
    assertThat(gateway.get("/fn/bundles/none").body()).contains("BUNDLE_NOT_FOUND");
    assertThat(gateway.get("/fn/bundles/none" + OUT).body()).contains("BUNDLE_NOT_FOUND");
    assertThat(gateway.get("/fn/bundles").statusCode()).isEqualTo(405);
    assertThat(gateway.get("/fn/bundles/a/b/c").statusCode()).isEqualTo(404);
    assertThat(ask("POST", "/fn/bundles", new byte[0]).body()).contains("INVALID_QUERY");
    assertThat(ask("POST", "/fn/bundles?harness=h", new byte[] {-1}).body())
        .contains("INVALID_BODY");
    byte[] none = ProcessBundleRequest.getDefaultInstance().toByteArray();
    assertThat(ask("POST", "/fn/bundles?harness=h", none).body()).contains("DESCRIPTOR_NOT_FOUND");
    assertThat(gateway.put("/fn/bundles/none" + IN, "{}").statusCode()).isEqualTo(415);
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "ports")) {
      harness.echoing();
      String bundle = start("ports");
      assertThat(gateway.get(bundle + "/outputs/write/other").body()).contains("PORT_NOT_FOUND");
      ask("DELETE", bundle, null);
    }
  }
}
