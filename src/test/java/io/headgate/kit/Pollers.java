package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Clients that keep asking several gateways, each for one job at one gateway and on a thread of its
 * own, and everything that they were told. Closing it stops them and waits for the answers that are
 * under way. Safe on any thread.
 */
public final class Pollers implements AutoCloseable {
  /** The status of a request that got no answer. */
  public static final int NONE = 0;

  private final StallWatch watch = new StallWatch();
  private final ScheduledThreadPoolExecutor threads;

  // Guarded by this; answers are in the order in which they came. Bodies are kept once each.
  private final List<Answer> answers = new ArrayList<>();
  private final Map<String, String> bodies = new HashMap<>();

  /**
   * One answer.
   *
   * @param sent when its request was sent, on the clock of its {@link Pollers}
   * @param status its status, or {@link #NONE}
   * @param body its body, or why there is none
   */
  public record Answer(
      GatewayProcess gateway, long jobId, Duration sent, Duration came, int status, String body) {
    @Override
    public String toString() {
      return "job %d at %d, sent at %s, came at %s: %d %s"
          .formatted(jobId, gateway.port(), sent, came, status, body);
    }
  }

  /** Starts one client for each job at each gateway. */
  public Pollers(List<GatewayProcess> gateways, List<Long> jobs, Duration pause) {
    threads = new ScheduledThreadPoolExecutor(gateways.size() * jobs.size());
    threads.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    for (GatewayProcess gateway : gateways) {
      for (long job : jobs) {
        var unused =
            threads.scheduleWithFixedDelay(
                () -> ask(gateway, job), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  private void ask(GatewayProcess gateway, long job) {
    Duration sent = now();
    try {
      HttpResponse<String> response = gateway.lineage(job);
      keep(gateway, job, sent, response.statusCode(), response.body());
    } catch (UncheckedIOException e) {
      keep(gateway, job, sent, NONE, e.getCause().toString());
    }
  }

  private synchronized void keep(
      GatewayProcess gateway, long job, Duration sent, int status, String body) {
    String kept = bodies.computeIfAbsent(body, b -> b);
    answers.add(new Answer(gateway, job, sent, now(), status, kept));
  }

  /** The time since these clients were started. */
  public Duration now() {
    return watch.now();
  }

  /** How long it was from one time to another, without times at which the machine stood still. */
  public Duration between(Duration from, Duration to) {
    return watch.between(from, to);
  }

  /** The longest time so far for which the machine stood still. */
  public Duration longestStall() {
    return watch.longest();
  }

  /** All answers so far. */
  public synchronized List<Answer> answers() {
    return List.copyOf(answers);
  }

  /** All answers so far to requests sent from then on. */
  public List<Answer> sentFrom(Duration from) {
    return answers().stream().filter(answer -> answer.sent().compareTo(from) >= 0).toList();
  }

  /**
   * What each client was told in turn, with the times at which it began, for people to read: {@code
   * job 7 at 20717: PT0.1S 43 x 200, PT2.1S 8 x 503, PT6.7S 90 x 200, longest PT2.01S}.
   */
  public String story() {
    List<Answer> all = answers();
    Stream<String> lines =
        all.stream()
            .map(answer -> "job " + answer.jobId() + " at " + answer.gateway().port())
            .distinct()
            .sorted();
    return String.join("\n", lines.map(who -> who + ": " + story(all, who)).toList());
  }

  private static String story(List<Answer> all, String who) {
    List<Answer> own =
        all.stream()
            .filter(a -> who.equals("job " + a.jobId() + " at " + a.gateway().port()))
            .toList();
    StringBuilder line = new StringBuilder();
    for (int i = 0, run = 0; i < own.size(); i = run) {
      int status = own.get(i).status();
      while (run < own.size() && own.get(run).status() == status) {
        run++;
      }
      line.append("%s %d x %d, ".formatted(own.get(i).sent(), run - i, status));
    }
    Duration longest =
        own.stream()
            .map(answer -> answer.came().minus(answer.sent()))
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    return line + "longest " + longest;
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
