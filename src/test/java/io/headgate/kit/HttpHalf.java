package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.HeadgateConfig;
import io.headgate.admission.Admission;
import io.headgate.edge.Edge;
import io.headgate.edge.EdgeVerticle;
import io.headgate.edge.ListenerFiles;
import io.headgate.edge.PackagedFiles;
import io.headgate.edge.Publishing;
import io.headgate.graph.JobGraphSource;
import io.headgate.lineage.LineageService;
import io.headgate.observe.Health;
import io.headgate.observe.Meters;
import io.headgate.picture.Painter;
import io.headgate.picture.SvgPainter;
import io.headgate.state.InProcessFence;
import io.headgate.timeline.live.LiveTimelines;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP half of a gateway, in front of stores in this process, so that a test can make those
 * fail or hang. Closing it checks that nothing is held any more.
 */
abstract class HttpHalf implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private @Nullable Edge edge;
  private @Nullable EdgeVerticle verticle;

  final HeadgateConfig config;
  final Admission admission;
  final Meters meters = new Meters();

  /** Draws pictures; another one may take its place before the start. */
  Painter painter;

  /**
   * @param settings configuration keys and values
   */
  HttpHalf(String... settings) {
    config = TestGateway.config(settings);
    admission = Admission.open(vertx, config.admission());
    painter = new SvgPainter(config.picture(), config.limits().responseBytes());
  }

  /** Opens the listener. */
  final void start(
      JobGraphSource source, @Nullable Publishing publishing, @Nullable LiveTimelines timelines) {
    LineageService lineage =
        new LineageService(
            source,
            new InProcessFence(config.fence(), System::nanoTime),
            config.limits().responseBytes(),
            admission.workers());
    Edge common =
        new Edge(
            config.http(),
            config.admission(),
            admission,
            lineage::begin,
            () -> null,
            publishing,
            timelines,
            painter,
            ListenerFiles.read(vertx, config.http()),
            PackagedFiles.read(config.http()),
            new Health(false, null, null),
            meters);
    edge = common;
    verticle = new EdgeVerticle(common);
    ScriptedEngine.await(vertx.deployVerticle(verticle));
  }

  public final int port() {
    return Objects.requireNonNull(verticle).actualPort();
  }

  public final HttpResponse<String> get(String path, String... headers) {
    return send(request(path, headers).GET());
  }

  /** A request to this path with a JSON body, if any; the last of equal headers counts. */
  final HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json");
    if (headers.length > 0) {
      builder.headers(headers);
    }
    return builder;
  }

  final HttpResponse<String> send(HttpRequest.Builder request) {
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
  public final double metric(String nameAndLabels) {
    return meters
        .scrape()
        .lines()
        .filter(line -> line.startsWith(nameAndLabels + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(0);
  }

  public final void awaitNothingHeld() {
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
  public final void close() {
    try {
      awaitNothingHeld();
    } finally {
      ScriptedEngine.await(vertx.close());
      Objects.requireNonNull(edge).close();
      meters.close();
      admission.close();
    }
  }
}
