package io.headgate.kit;

import io.headgate.HeadgateConfig;
import io.headgate.HeadgateVerticle;
import io.headgate.graph.JobGraphSource;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A whole gateway on a free loopback port, configured as an operator would, and clients for it.
 * Closing it checks that nothing is held any more: no permit, flight, upstream call or unwritten
 * byte.
 */
public final class TestGateway implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final HeadgateVerticle verticle;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private boolean checked = true;

  private TestGateway(HeadgateConfig config, @Nullable JobGraphSource source) {
    this(new HeadgateVerticle(config, source));
  }

  private TestGateway(HeadgateVerticle verticle) {
    this.verticle = verticle;
    try {
      ScriptedEngine.await(vertx.deployVerticle(verticle));
    } catch (RuntimeException | Error e) {
      ScriptedEngine.await(vertx.close());
      throw e;
    }
  }

  /** A gateway of the test's own making, deployed here. */
  public static TestGateway running(HeadgateVerticle verticle) {
    return new TestGateway(verticle);
  }

  /** A gateway in front of these members; {@code settings} are configuration keys and values. */
  public static TestGateway before(List<URI> members, String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("source.zeta.members");
    all.add(String.join(",", members.stream().map(URI::toString).toList()));
    return new TestGateway(config(all.toArray(String[]::new)), null);
  }

  /** A gateway in front of this member. */
  public static TestGateway before(ScriptedEngine engine, String... settings) {
    return before(List.of(engine.uri()), settings);
  }

  /** A gateway in front of a source of the test's own. */
  public static TestGateway embedding(JobGraphSource source, String... settings) {
    return new TestGateway(config(settings), source);
  }

  /** A gateway with the recorded jobs. */
  public static TestGateway recorded(String... settings) {
    return new TestGateway(config(settings), null);
  }

  /**
   * The configuration that these keys and values make, on a free port and, unless they say
   * otherwise, without a cluster: starting a member takes longer than most tests.
   */
  public static HeadgateConfig config(String... settings) {
    Map<String, String> values =
        new TreeMap<>(Map.of("http.port", "0", "hazelcast.enabled", "false"));
    for (int i = 0; i < settings.length; i += 2) {
      values.put(settings[i], settings[i + 1]);
    }
    try {
      Map<String, String> environment = new TreeMap<>();
      values.forEach((key, value) -> environment.put(variable(key), value));
      return HeadgateConfig.load(null, environment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (io.headgate.ConfigException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The environment variable of a configuration key. */
  static String variable(String key) {
    return "HEADGATE_"
        + key.replace('.', '_')
            .replaceAll("([a-z])([A-Z])", "$1_$2")
            .toUpperCase(java.util.Locale.ROOT);
  }

  /** Does not look for held resources when closed; for tests that leave some on purpose. */
  public TestGateway unchecked() {
    checked = false;
    return this;
  }

  public int port() {
    return verticle.port();
  }

  public URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  public HttpResponse<String> get(String path, String... headers) {
    return send(request(path, headers).build());
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public HttpResponse<String> head(String path, String... headers) {
    return send(request(path, headers).method("HEAD", HttpRequest.BodyPublishers.noBody()).build());
  }

  public HttpResponse<String> lineage(long jobId, String... headers) {
    return get("/job-lineage/" + jobId, headers);
  }

  public HttpResponse<String> put(String path, String json, String... headers) {
    HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(json);
    return send(
        request(path, headers).PUT(body).setHeader("Content-Type", "application/json").build());
  }

  public HttpResponse<String> post(String path, String json, String... headers) {
    HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(json);
    return send(
        request(path, headers).POST(body).setHeader("Content-Type", "application/json").build());
  }

  public HttpResponse<String> delete(String path, String... headers) {
    return send(
        request(path, headers).DELETE().setHeader("Content-Type", "application/json").build());
  }

  public CompletableFuture<HttpResponse<String>> getAsync(String path, String... headers) {
    return client.sendAsync(request(path, headers).build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(60));
    if (headers.length > 0) {
      builder.headers(headers);
    }
    return builder;
  }

  /** The value of one meter, by its name and labels as Prometheus prints them. */
  public double metric(String nameAndLabels) {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(nameAndLabels + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Waits until nothing is held: permits, flights, waiters, upstream calls, unwritten bytes. */
  public void awaitNothingHeld(Duration atMost) {
    Held.awaitNothing(() -> get("/metrics").body(), atMost);
  }

  public Vertx vertx() {
    return vertx;
  }

  @Override
  public void close() {
    try {
      if (checked) {
        awaitNothingHeld(Duration.ofSeconds(20));
      }
    } finally {
      ScriptedEngine.await(vertx.close());
    }
  }
}
