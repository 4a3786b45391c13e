package io.headgate.peer;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jobs of an engine, through the v1 REST of one member. The job files are in {@code zeta-jobs} of
 * the test resources and are named without their ending. For any thread; holds nothing to close.
 */
public final class ZetaJobs {

  private static final String BASE = "/hazelcast/rest/maps/";
  private static final Pattern JOB_ID = Pattern.compile("\"jobId\":\"?(-?[0-9]+)");
  private static final Pattern MASTER =
      Pattern.compile("\"isMaster\":\"true\",\"host\":\"[^\"]*\",\"port\":\"([0-9]+)\"");

  /** Over the 10 s or so that a member may hang when its master does not answer. */
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(30);

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private final URI member;

  ZetaJobs(URI member) {
    this.member = member;
  }

  /** Submits a job file and returns the new job's id. */
  public String submit(String job) {
    return submit(job, Map.of());
  }

  /** As {@link #submit(String)}, with each <code>${name}</code> of the file replaced by a value. */
  public String submit(String job, Map<String, String> values) {
    return submit(job, "submit-job?jobName=" + job, values);
  }

  /** Submits a job file under the id of a job that was stopped with a savepoint. */
  public String resume(String job, String jobId) {
    return submit(
        job, "submit-job?jobName=" + job + "&isStartWithSavePoint=true&jobId=" + jobId, Map.of());
  }

  private String submit(String job, String path, Map<String, String> values) {
    String file = jobFile(job);
    for (var value : values.entrySet()) {
      file = file.replace("${" + value.getKey() + "}", value.getValue());
    }
    HttpResponse<String> answer = post(path, file);
    Matcher id = JOB_ID.matcher(answer.body());
    if (answer.statusCode() != 200 || !id.find()) {
      throw new IllegalStateException(job + ": " + answer.statusCode() + " " + answer.body());
    }
    return id.group(1);
  }

  /**
   * Asks for the stop and does not wait for it; see {@link #awaitRetained}. Asks again while the
   * engine refuses because a job that says it runs has tasks that are not ready.
   */
  public void stopWithSavepoint(String jobId) {
    await("savepoint begun: job " + jobId)
        .atMost(REQUEST_LIMIT)
        .until(() -> stop(jobId, true), answer -> !answer.body().contains("Task not all ready"));
  }

  /** Asks for the cancellation and does not wait for it; see {@link #awaitRetained}. */
  public void cancel(String jobId) {
    stop(jobId, false);
  }

  private HttpResponse<String> stop(String jobId, boolean savepoint) {
    return post("stop-job", "{\"jobId\":" + jobId + ",\"isStopWithSavePoint\":" + savepoint + "}");
  }

  /** The engine's own answer, whatever it is. */
  public HttpResponse<String> jobInfo(String jobId) {
    return get("job-info/" + jobId);
  }

  /** Waits for an active record with this status and returns the answer's body. */
  public String awaitActive(String jobId, String status, Duration limit) {
    return awaitInfo(jobId, status, false, limit);
  }

  /** Waits for a finished record with this status and returns the answer's body. */
  public String awaitRetained(String jobId, String status, Duration limit) {
    return awaitInfo(jobId, status, true, limit);
  }

  /** An active record may already say how the job ended; only a finished one has an end time. */
  private String awaitInfo(String jobId, String status, boolean retained, Duration limit) {
    return await(status + ": job " + jobId)
        .atMost(limit)
        .ignoreExceptions()
        .until(
            () -> jobInfo(jobId).body(),
            body ->
                body.contains("\"jobStatus\":\"" + status + "\"")
                    && body.contains("\"finishTime\":") == retained);
  }

  /** The member's health as JSON text, answered while it still joins. */
  public HttpResponse<String> health() {
    return send(request(member.resolve("/hazelcast/health")).build());
  }

  /** The port of the master as this member sees it, or -1. */
  int masterPort() {
    Matcher port = MASTER.matcher(get("system-monitoring-information").body());
    return port.find() ? Integer.parseInt(port.group(1)) : -1;
  }

  /** Any route below the engine's base path. */
  public HttpResponse<String> get(String path) {
    return send(request(member.resolve(BASE + path)).build());
  }

  private HttpResponse<String> post(String path, String body) {
    return send(request(member.resolve(BASE + path)).POST(BodyPublishers.ofString(body)).build());
  }

  private static HttpRequest.Builder request(URI uri) {
    return HttpRequest.newBuilder(uri).timeout(REQUEST_LIMIT);
  }

  private static HttpResponse<String> send(HttpRequest request) {
    try {
      return CLIENT.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String jobFile(String job) {
    String name = "/zeta-jobs/" + job + ".json";
    try (InputStream in = Objects.requireNonNull(ZetaJobs.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
