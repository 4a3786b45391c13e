package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.HeadgateConfig;
import io.headgate.admission.Admission;
import io.headgate.directory.DirectoryConfig;
import io.headgate.directory.DirectoryJobSource;
import io.headgate.edge.Edge;
import io.headgate.edge.EdgeVerticle;
import io.headgate.edge.ListenerFiles;
import io.headgate.edge.Publishing;
import io.headgate.lineage.LineageService;
import io.headgate.observe.Health;
import io.headgate.observe.Meters;
import io.headgate.state.InProcessFence;
import io.headgate.upstream.zeta.PublicationParser;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The HTTP half of a gateway that takes publications, in front of a directory in this process, so
 * that a test can make that fail or hang. Closing it checks that nothing is held any more.
 */
public final class PublishingGateway implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Vertx vertx = Vertx.vertx();
  private final MemoryDirectory directory = new MemoryDirectory();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Admission admission;
  private final Meters meters = new Meters();
  private final Edge edge;
  private final EdgeVerticle verticle;

  /**
   * @param settings configuration keys and values
   */
  public PublishingGateway(String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.addAll(List.of("hazelcast.enabled", "true", "source.directory.enabled", "true"));
    HeadgateConfig config = TestGateway.config(all.toArray(String[]::new));
    DirectoryConfig bounds = Objects.requireNonNull(config.sources().directory());
    admission = Admission.open(vertx, config.admission());
    LineageService lineage =
        new LineageService(
            new DirectoryJobSource(
                directory, config.limits(), InstantSource.system(), admission.workers()),
            new InProcessFence(config.fence(), System::nanoTime),
            config.limits().responseBytes(),
            admission.workers());
    edge =
        new Edge(
            config.http(),
            config.admission(),
            admission,
            lineage::begin,
            () -> null,
            new Publishing(
                directory,
                new PublicationParser(config.limits()),
                bounds.bodyBytes(),
                admission.workers()),
            null,
            ListenerFiles.read(vertx, config.http()),
            new Health(false, null, null),
            meters);
    verticle = new EdgeVerticle(edge);
    ScriptedEngine.await(vertx.deployVerticle(verticle));
  }

  public MemoryDirectory directory() {
    return directory;
  }

  public int port() {
    return verticle.actualPort();
  }

  public HttpResponse<String> put(long jobId, String body, String... headers) {
    return send(request("/jobs/" + jobId + "/graph", headers).PUT(body(body)));
  }

  private static HttpRequest.BodyPublisher body(String text) {
    return HttpRequest.BodyPublishers.ofString(text);
  }

  public HttpResponse<String> delete(long jobId, String... headers) {
    return send(request("/jobs/" + jobId + "/graph", headers).DELETE());
  }

  public HttpResponse<String> get(String path, String... headers) {
    return send(request(path, headers).GET());
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json");
    if (headers.length > 0) {
      builder.headers(headers);
    }
    return builder;
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The value of one meter, by its name and labels as Prometheus prints them. */
  public double metric(String nameAndLabels) {
    return meters
        .scrape()
        .lines()
        .filter(line -> line.startsWith(nameAndLabels + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(0);
  }

  /** How many publications were answered so. */
  public double answers(int status, String reason) {
    return metric(
        "headgate_publication_outcomes_total{reason=\"%s\",status=\"%d\"}"
            .formatted(reason, status));
  }

  public double publicationsUnderWay() {
    return metric("headgate_permits_used{pool=\"publications\"}");
  }

  public void awaitNothingHeld() {
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () ->
                assertThat(
                        meters
                            .scrape()
                            .lines()
                            .filter(
                                line ->
                                    line.matches(
                                        "headgate_(permits_used|flights|flights_waiting"
                                            + "|workers_active|workers_queued"
                                            + "|unwritten_bytes)(\\{.*})? .*")))
                    .allSatisfy(line -> assertThat(line).endsWith(" 0.0")));
  }

  @Override
  public void close() {
    try {
      awaitNothingHeld();
    } finally {
      ScriptedEngine.await(vertx.close());
      edge.close();
      meters.close();
      admission.close();
    }
  }
}
