package io.headgate.fn.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.GatewayProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleRequest;

/** A runner that has bundles of {@link Samples#descriptor} processed over HTTP. */
public final class HttpRunner {
  private static final String PROTOBUF = "application/x-protobuf";

  /** For a start on a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final GatewayProcess gateway;

  public HttpRunner(GatewayProcess gateway) {
    this.gateway = gateway;
  }

  /** Registers {@link Samples#descriptor}. */
  public void register(String id) {
    post("/fn/bundle-descriptors", Samples.descriptor(id).toByteArray());
  }

  /**
   * Starts a bundle, and waits until its harness has been told.
   *
   * @return its id
   */
  public String start(String harness, String descriptor) {
    byte[] request =
        ProcessBundleRequest.newBuilder()
            .setProcessBundleDescriptorReference(descriptor)
            .build()
            .toByteArray();
    String bundle =
        post("/fn/bundles?harness=" + harness, request)
            .replaceFirst("^\\{\"bundleId\":\"([^\"]+)\".*", "$1");
    awaitPhase(bundle, "RUNNING");
    return bundle;
  }

  private String post(String path, byte[] body) {
    HttpResponse<String> response =
        gateway.send(
            HttpRequest.newBuilder(gateway.uri(path))
                .header("Content-Type", PROTOBUF)
                .POST(BodyPublishers.ofByteArray(body)));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  /** Gives the sample's input, and ends it. Completes when all was taken, with the answer. */
  public CompletableFuture<HttpResponse<String>> give(String bundle, BodyPublisher input) {
    return client.sendAsync(
        HttpRequest.newBuilder(gateway.uri("/fn/bundles/" + bundle + "/inputs/read/out"))
            .header("Content-Type", "application/octet-stream")
            .PUT(input)
            .build(),
        BodyHandlers.ofString());
  }

  /** Opens the sample's output. What is not read from it, is not taken from the gateway. */
  public InputStream output(String bundle) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        client.send(
            HttpRequest.newBuilder(gateway.uri("/fn/bundles/" + bundle + "/outputs/write/in"))
                .build(),
            BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  /** Ends a bundle's input, which is empty, and waits until it has succeeded. */
  public void finish(String bundle) throws IOException, InterruptedException {
    try (InputStream output = output(bundle)) {
      give(bundle, BodyPublishers.noBody());
      output.readAllBytes();
    }
    awaitPhase(bundle, "SUCCEEDED");
  }

  public void awaitPhase(String bundle, String phase) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(status(bundle)).contains("\"phase\":\"" + phase + "\""));
  }

  /** How many bytes of the sample's input the gateway has taken. */
  public long taken(String bundle) {
    return Long.parseLong(status(bundle).replaceFirst("^.*?\"bytes\":(\\d+).*", "$1"));
  }

  private String status(String bundle) {
    return gateway.get("/fn/bundles/" + bundle).body();
  }
}
