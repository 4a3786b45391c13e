package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.StallWatch;
import io.headgate.kit.TestGateway;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Clients that keep asking a gateway, each for one job and on a thread of its own, and everything
 * that they were told. Closing it stops them and waits for the answers that are under way.
 */
final class RealEngineClients implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration POLL = Duration.ofMillis(50);

  private final TestGateway gateway;
  private final List<String> jobs;
  private final ScheduledThreadPoolExecutor threads;
  private final StallWatch watch = new StallWatch();

  // All guarded by this; answers are in the order in which they came.
  private final List<Answer> answers = new ArrayList<>();
  private final List<RuntimeException> failures = new ArrayList<>();

  /**
   * One answer.
   *
   * @param sent when its request was sent, on the clock of its {@link RealEngineClients}
   */
  record Answer(String job, Duration sent, Duration took, HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String body() {
      return response.body();
    }

    @Override
    public String toString() {
      return "sent at %s, took %s: %d %s".formatted(sent, took, status(), body());
    }
  }

  private RealEngineClients(TestGateway gateway, int count, List<String> jobs) {
    this.gateway = gateway;
    this.jobs = jobs;
    this.threads = new ScheduledThreadPoolExecutor(count);
    threads.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  /** Starts so many clients, which share the jobs out among themselves. */
  static RealEngineClients start(TestGateway gateway, int count, String... jobs) {
    var clients = new RealEngineClients(gateway, count, List.of(jobs));
    for (int i = 0; i < count; i++) {
      String job = jobs[i % jobs.length];
      clients.threads.scheduleWithFixedDelay(
          () -> clients.ask(job), 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }
    return clients;
  }

  private void ask(String job) {
    Duration sent = now();
    try {
      HttpResponse<String> response = gateway.get("/job-lineage/" + job);
      keep(new Answer(job, sent, now().minus(sent), response));
    } catch (RuntimeException e) {
      keep(e);
    }
  }

  private synchronized void keep(Answer answer) {
    answers.add(answer);
  }

  private synchronized void keep(RuntimeException failure) {
    failures.add(failure);
  }

  /** How long this answer took, without the times at which the machine stood still. */
  Duration tookUnstalled(Answer answer) {
    return watch.between(answer.sent(), answer.sent().plus(answer.took()));
  }

  /** The time since these clients were started. */
  Duration now() {
    return watch.now();
  }

  /** All answers so far; fails if a request got none. */
  synchronized List<Answer> answers() {
    assertThat(failures).as("requests without an answer").isEmpty();
    return List.copyOf(answers);
  }

  /** All answers so far for one job, in the order in which they were asked for. */
  List<Answer> answers(String job) {
    return answers().stream()
        .filter(answer -> answer.job().equals(job))
        .sorted(Comparator.comparing(Answer::sent))
        .toList();
  }

  /**
   * What each job was answered in turn, with the times at which it began, for people to read:
   * {@code job 7: PT0.1S 43 x 200, PT2.1S 8 x 503, PT6.7S 90 x 200, longest PT2.01S}.
   */
  String timeline() {
    return jobs.stream().map(this::timeline).collect(Collectors.joining("\n"));
  }

  private String timeline(String job) {
    List<Answer> all = answers(job);
    StringBuilder line = new StringBuilder("job " + job + ": ");
    for (int i = 0, run = 0; i < all.size(); i = run) {
      int status = all.get(i).status();
      while (run < all.size() && all.get(run).status() == status) {
        run++;
      }
      line.append("%s %d x %d, ".formatted(all.get(i).sent(), run - i, status));
    }
    return line.append("longest ")
        .append(all.stream().map(Answer::took).max(Comparator.naturalOrder()).orElse(Duration.ZERO))
        .toString();
  }

  /** Waits for an answer with this body to a request sent from now on. */
  void awaitBody(String body, Duration limit) {
    Duration from = now();
    await("an answer")
        .atMost(limit)
        .pollInterval(POLL)
        .untilAsserted(
            () ->
                assertThat(sentFrom(from))
                    .as(this::timeline)
                    .anySatisfy(answer -> assertThat(answer.body()).isEqualTo(body)));
  }

  /** Waits until each job was asked for often in {@code span} and never answered with 503. */
  void awaitCalm(Duration span, Duration limit) {
    Duration from = now();
    await("no 503 for " + span)
        .atMost(limit)
        .pollInterval(POLL)
        .untilAsserted(
            () -> {
              Duration since = now().minus(span);
              assertThat(since).isGreaterThanOrEqualTo(from);
              List<Answer> recent = sentFrom(since);
              assertThat(recent.stream().filter(answer -> answer.status() == 503).count())
                  .as(this::timeline)
                  .isZero();
              assertThat(jobs)
                  .as(this::timeline)
                  .allMatch(job -> recent.stream().filter(a -> a.job().equals(job)).count() >= 5);
            });
  }

  private List<Answer> sentFrom(Duration from) {
    return answers().stream().filter(answer -> answer.sent().compareTo(from) >= 0).toList();
  }

  @Override
  public void close() {
    threads.shutdown();
    watch.close();
    try {
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).as("clients ended").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
