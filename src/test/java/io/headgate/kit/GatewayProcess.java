package io.headgate.kit;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The program in a process of its own, on a loopback port that stays the same over restarts,
 * configured through its environment as an operator would. For one thread at a time, but for {@link
 * #get}.
 */
public final class GatewayProcess extends RestartableProcess {
  private static final String MAIN = "io.headgate.Headgate";
  private static final Duration POLL = Duration.ofMillis(50);

  /** Longer than any deadline of the gateway, so that only a gateway that is silent reaches it. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** The program's own bound on a stop, and what a busy machine adds. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

  private final int port;
  private final Path log;
  private final List<String> jvmOptions;
  private final Map<String, String> environment = new TreeMap<>();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /**
   * @param log gets all that the process prints, over all its starts
   * @param settings configuration keys and values
   * @param jvmOptions options of its JVM
   */
  public GatewayProcess(int port, Path log, Map<String, String> settings, List<String> jvmOptions) {
    this.port = port;
    this.log = log;
    this.jvmOptions = List.copyOf(jvmOptions);
    settings.forEach((key, value) -> environment.put(TestGateway.variable(key), value));
    environment.put(TestGateway.variable("http.port"), Integer.toString(port));
  }

  /** Starts it, or starts it again. Does not wait. */
  public void start() {
    try {
      Files.createDirectories(log.getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Dlogback.configurationFile=logback.xml"); // not the one of the tests
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(log.getParent().toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith("HEADGATE_"));
    builder.environment().putAll(environment);
    start(builder);
  }

  /** Waits until it says that it is ready. */
  public void awaitReady(Duration limit) {
    await("ready: " + this)
        .atMost(limit)
        .pollInterval(POLL)
        .failFast("ended early: " + this, () -> !running())
        .ignoreExceptions()
        .until(() -> get("/health/ready").statusCode() == 200);
  }

  /** SIGTERM; returns its exit code when it has ended. */
  public int stop() {
    return stop(STOP_LIMIT);
  }

  public int port() {
    return port;
  }

  public URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /**
   * Asks it; safe on any thread.
   *
   * @throws UncheckedIOException if there is nobody who answers
   */
  public HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  public HttpResponse<String> lineage(long jobId) {
    return get("/job-lineage/" + jobId);
  }

  public CompletableFuture<HttpResponse<String>> lineageAsync(long jobId) {
    HttpRequest request =
        HttpRequest.newBuilder(uri("/job-lineage/" + jobId)).timeout(PATIENCE).build();
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  /** Publishes a job's graph. */
  public HttpResponse<String> publish(PublicationBody body) {
    return send(
        HttpRequest.newBuilder(uri("/jobs/" + body.jobId() + "/graph"))
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(body.json())));
  }

  /** Sends a request of any kind; safe on any thread. */
  public HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The sum of one meter over all its labels, by its name as Prometheus prints it. */
  public double metric(String name) {
    return metric(name, "");
  }

  /** The same over those series whose labels contain a text. */
  public double metric(String name, String labels) {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .filter(line -> line.contains(labels))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Waits until it holds nothing: permits, flights, open calls, unwritten bytes. */
  public void awaitNothingHeld(Duration limit) {
    Held.awaitNothing(() -> get("/metrics").body(), limit);
  }

  /** Everything that it has printed, over all its starts. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return "gateway on port " + port + ", log " + log;
  }
}
