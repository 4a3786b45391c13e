package io.headgate.bench;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Loads a gateway that runs already: finds the most that it answers, then asks for that, for three
 * times and for ten times as much, and prints what clients saw and what the gateway counted
 * meanwhile. docs/load-testing.md says how to read it.
 *
 * <pre>{@code
 * LOAD_URL=http://127.0.0.1:8077 mvn -Pbench test-compile exec:exec -Dbench.include=load
 * }</pre>
 *
 * <p>{@code LOAD_JOBS} names the jobs to ask for, with commas; else it asks for those of the
 * gateway's list. {@code LOAD_SECONDS} is how long each step takes.
 */
final class LoadRun {
  /** Clients of the closed loop: enough to keep two cores busy, few enough to wait little. */
  private static final int CLIENTS = 32;

  private static final int CONNECTIONS = 512;
  private static final Pattern JOB = Pattern.compile("\"jobId\":\"(\\d+)\"");

  /** What tells how the gateway came to its answers. */
  private static final Pattern COUNTED =
      Pattern.compile(
          "(?m)^(headgate_(?:lineage_outcomes_total\\{.*}|lineage_requests_total\\{.*}"
              + "|permits_refused_total\\{pool=\"lineage\"}|flights_(?:begun|joined)_total"
              + "|unwritten_evicted_total|connections_refused_total)) ([0-9.E]+)$");

  private final URI gateway;
  private final int seconds;
  private final List<String> jobs;
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HttpClient client = HttpClient.newHttpClient();

  private LoadRun(URI gateway, int seconds, String jobs) throws Exception {
    this.gateway = gateway;
    this.seconds = seconds;
    this.jobs = jobs.isEmpty() ? listed() : List.of(jobs.split(","));
  }

  public static void main(String[] args) throws Exception {
    Map<String, String> given = System.getenv();
    LoadRun run =
        new LoadRun(
            URI.create(given.getOrDefault("LOAD_URL", "http://127.0.0.1:8077")),
            Integer.parseInt(given.getOrDefault("LOAD_SECONDS", "10")),
            given.getOrDefault("LOAD_JOBS", ""));
    try {
      run.run();
    } finally {
      run.vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }

  private void run() throws Exception {
    System.out.println(jobs.size() + " jobs, " + seconds + " s a step");
    closed("warm-up");
    double peak = closed("peak");
    for (int times : new int[] {1, 3, 10}) {
      Map<String, Double> before = counted();
      PollingClient.Result result = polling().openLoop(CONNECTIONS, seconds, times * peak);
      print(times + " x", result, before);
    }
  }

  private double closed(String what) throws Exception {
    Map<String, Double> before = counted();
    PollingClient.Result result = polling().closedLoop(CLIENTS, seconds);
    print(what, result, before);
    return answers(result);
  }

  private PollingClient polling() {
    int port = gateway.getPort() < 0 ? 80 : gateway.getPort();
    String lineage = gateway.getPath() + "/job-lineage/";
    return new PollingClient(
        vertx, gateway.getHost(), port, n -> lineage + jobs.get((int) (n % jobs.size())));
  }

  private static double answers(PollingClient.Result result) {
    return result.nanosByStatus().keySet().stream().mapToDouble(result::rate).sum();
  }

  private void print(String what, PollingClient.Result result, Map<String, Double> before)
      throws IOException, InterruptedException {
    System.out.printf(
        Locale.ROOT,
        "%n%s: %.0f answers/s, %d not sent, %d connections broken%n",
        what,
        answers(result),
        result.notSent(),
        result.broken());
    for (int status : result.nanosByStatus().keySet()) {
      System.out.printf(
          Locale.ROOT,
          "  %d %10.0f/s  p50 %7.2f ms  p99 %7.2f ms%n",
          status,
          result.rate(status),
          result.millis(status, 0.5),
          result.millis(status, 0.99));
    }
    counted()
        .forEach(
            (name, value) -> {
              double more = value - before.getOrDefault(name, 0.0);
              if (more > 0) {
                System.out.printf(Locale.ROOT, "  %12.0f  %s%n", more, name);
              }
            });
  }

  private Map<String, Double> counted() throws IOException, InterruptedException {
    URI metrics = gateway.resolve("/metrics"); // under no base path
    return COUNTED
        .matcher(body(metrics))
        .results()
        .collect(
            Collectors.toMap(
                found -> found.group(1),
                found -> Double.valueOf(found.group(2)),
                Double::sum,
                TreeMap::new));
  }

  /** The jobs of the list, as far as one page has them. */
  private List<String> listed() throws IOException, InterruptedException {
    String page = body(URI.create(gateway + "/jobs?limit=1000"));
    List<String> found = JOB.matcher(page).results().map(job -> job.group(1)).toList();
    if (found.isEmpty()) {
      throw new IllegalStateException("the gateway lists no job; name some in LOAD_JOBS: " + page);
    }
    return found;
  }

  private String body(URI uri) throws IOException, InterruptedException {
    return client
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
