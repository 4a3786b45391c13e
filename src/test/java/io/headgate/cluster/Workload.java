package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import io.headgate.kit.JobInfo;
import io.headgate.kit.Pollers;
import io.headgate.kit.Pollers.Answer;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.ScriptedEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Jobs that are published and jobs that the engine knows, clients that poll all of them at all
 * gateways, and what these may be told: the right bytes, or 503; never an older execution, never
 * that a job is not there.
 */
final class Workload implements AutoCloseable {
  private static final int PUBLISHED = 6;
  private static final int OF_THE_ENGINE = 2;
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** After a fault nothing is held for longer. */
  private static final Duration HELD_LIMIT = Duration.ofSeconds(10);

  /** Where a thread of ours can't wake up for so long, an event loop can't either. */
  private static final Duration MACHINE_BLOCKED = Duration.ofSeconds(1);

  private static final AtomicLong IDS = new AtomicLong(1_000_000);

  private final GatewayCluster cluster;
  private final ScriptedEngine engine;
  private final List<Long> published = new ArrayList<>();
  private final List<Long> ofTheEngine = new ArrayList<>();

  /** The right bodies of each job, one an execution, in their order. */
  private final Map<Long, List<String>> bodies = new HashMap<>();

  private final Pollers pollers;

  /** How much each gateway had printed before. */
  private final Map<GatewayProcess, Integer> printed = new HashMap<>();

  private int executions;

  Workload(GatewayCluster cluster, ScriptedEngine engine) {
    this.cluster = cluster;
    this.engine = engine;
    cluster.members().forEach(member -> printed.put(member, member.log().length()));
    Stream.generate(IDS::incrementAndGet).limit(PUBLISHED).forEach(published::add);
    Stream.generate(IDS::incrementAndGet).limit(OF_THE_ENGINE).forEach(ofTheEngine::add);
    nextExecution(cluster.members());
    awaitCopies();
    List<Long> all = new ArrayList<>(published);
    all.addAll(ofTheEngine);
    all.forEach(job -> awaitNewest(cluster.members(), job));
    pollers = new Pollers(cluster.members(), all, PAUSE);
    awaitCalm(cluster.members());
  }

  /**
   * Waits until all that members own has its copy on another one. After a member came, entries move
   * for a while, and one that is written then may get its copy later.
   */
  private void awaitCopies() {
    await("copies")
        .atMost(PATIENCE)
        .pollInterval(POLL)
        .untilAsserted(
            () -> {
              double owned = sum("headgate_map_bytes");
              assertThat(owned).isPositive();
              assertThat(sum("headgate_map_copies_bytes")).isEqualTo(owned);
            });
  }

  private double sum(String metric) {
    return cluster.members().stream()
        .mapToDouble(member -> member.metric(metric, "map=\"directory\""))
        .sum();
  }

  /** A job id that no other test uses. */
  static long freshId() {
    return IDS.incrementAndGet();
  }

  Pollers pollers() {
    return pollers;
  }

  /**
   * All jobs are resumed under their ids, with another graph. The engine's members then disagree:
   * every second call still gives the execution before.
   *
   * @param publishers the gateways that take the publications
   */
  void nextExecution(List<GatewayProcess> publishers) {
    int number = ++executions;
    for (int i = 0; i < published.size(); i++) {
      JobInfo job = execution(published.get(i), number);
      GatewayProcess publisher = publishers.get(i % publishers.size());
      await("published through " + publisher)
          .atMost(PATIENCE)
          .pollInterval(POLL)
          .until(
              () -> publisher.publish(PublicationBody.of(job).epoch(number)).statusCode() == 200);
      bodies.computeIfAbsent(job.jobId(), id -> new ArrayList<>()).add(job.lineage());
    }
    for (long id : ofTheEngine) {
      JobInfo job = execution(id, number);
      bodies.computeIfAbsent(id, key -> new ArrayList<>()).add(job.lineage());
      AtomicLong calls = new AtomicLong();
      String before = execution(id, Math.max(1, number - 1)).json();
      engine.job(
          id,
          (request, jobId, vertx) ->
              request.response().end(calls.incrementAndGet() % 2 == 0 ? before : job.json()));
    }
  }

  /** Executions are a day apart, so that their times alone tell which is older. */
  private static JobInfo execution(long id, int number) {
    return JobInfo.of(id).name("run-" + number).created("2026-11-%02d 09:41:54".formatted(number));
  }

  /** Waits until a job's newest execution is answered by each of these. */
  private void awaitNewest(List<GatewayProcess> gateways, long job) {
    String newest = newest(job);
    for (GatewayProcess gateway : gateways) {
      await("newest execution of " + job + " at " + gateway)
          .atMost(PATIENCE)
          .pollInterval(POLL)
          .untilAsserted(() -> assertThat(gateway.lineage(job).body()).isEqualTo(newest));
    }
  }

  /** Waits until the newest execution of every job is answered by each of these. */
  void awaitNewest(List<GatewayProcess> gateways) {
    bodies.keySet().forEach(job -> awaitNewest(gateways, job));
  }

  private String newest(long job) {
    List<String> all = bodies.get(job);
    return all.get(all.size() - 1);
  }

  /**
   * Waits until these have answered every published job with 200, and nothing else, for a second.
   */
  void awaitCalm(List<GatewayProcess> gateways) {
    Duration span = Duration.ofSeconds(1);
    Duration from = pollers.now();
    await("calm")
        .atMost(PATIENCE)
        .pollInterval(POLL)
        .untilAsserted(
            () -> {
              Duration since = pollers.now().minus(span);
              assertThat(since).isGreaterThanOrEqualTo(from);
              List<Answer> recent =
                  pollers.sentFrom(since).stream()
                      .filter(answer -> gateways.contains(answer.gateway()))
                      .filter(answer -> published.contains(answer.jobId()))
                      .toList();
              assertThat(recent)
                  .as(pollers::story)
                  .filteredOn(answer -> answer.status() != 200)
                  .isEmpty();
              assertThat(recent.stream().map(a -> a.jobId() + " " + a.gateway()).distinct())
                  .as(pollers::story)
                  .hasSize(gateways.size() * published.size());
            });
  }

  /** Fails if anybody was ever told anything wrong. */
  void assertNothingWrong() {
    List<Answer> all = pollers.answers();
    assertThat(all.stream().filter(answer -> !isAllowed(answer))).as(pollers::story).isEmpty();
    bodies.keySet().forEach(job -> assertNeverOlder(all, job));
  }

  /**
   * Fails if one of these holds anything although nobody asks any more, or has blocked an event
   * loop.
   */
  void assertHealthy(List<GatewayProcess> gateways) {
    pollers.close();
    gateways.forEach(gateway -> gateway.awaitNothingHeld(HELD_LIMIT));
    if (pollers.longestStall().compareTo(MACHINE_BLOCKED) < 0) {
      for (GatewayProcess gateway : gateways) {
        assertThat(gateway.log().substring(printed.get(gateway)))
            .as("%s", gateway)
            .doesNotContain("BlockedThreadChecker");
      }
    }
  }

  private boolean isAllowed(Answer answer) {
    return switch (answer.status()) {
      case 200 -> bodies.get(answer.jobId()).contains(answer.body());
      case 503 -> answer.body().contains("\"LINEAGE_TEMPORARILY_UNAVAILABLE\"");
      case Pollers.NONE -> true; // whoever kills a gateway says when
      default -> false;
    };
  }

  /**
   * Whoever asks after an execution was answered, wherever, gets that one or a later one; but for
   * reuse.
   */
  private void assertNeverOlder(List<Answer> all, long job) {
    List<String> right = bodies.get(job);
    for (int i = 1; i < right.size(); i++) {
      List<String> older = right.subList(0, i);
      String body = right.get(i);
      all.stream()
          .filter(answer -> answer.jobId() == job && answer.body().equals(body))
          .findFirst() // answers are in the order in which they came
          .map(Answer::came)
          .ifPresent(
              served ->
                  assertThat(pollers.sentFrom(served.plus(SharedCluster.FRESHNESS)).stream())
                      .as(pollers::story)
                      .filteredOn(a -> a.jobId() == job && older.contains(a.body()))
                      .isEmpty());
    }
  }

  @Override
  public void close() {
    pollers.close();
  }
}
