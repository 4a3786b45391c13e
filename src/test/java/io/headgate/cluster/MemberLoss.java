package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import io.headgate.kit.Pollers;
import io.headgate.kit.Pollers.Answer;
import io.headgate.kit.ScriptedEngine;
import java.time.Duration;
import java.util.List;

/** One member is lost under load: killed, or frozen for a while. */
final class MemberLoss {
  /** Within so long after a kill the others answer everything again. */
  private static final Duration BACK = Duration.ofSeconds(3);

  /** The deadline of lookups, and what it takes to tell the client. */
  private static final Duration DEADLINE = Duration.ofMillis(5_500);

  /** Long enough for a first answer of a new execution, and too short for all of them. */
  private static final Duration MOMENT = Duration.ofMillis(50);

  private static final Duration SIZE_LIMIT = Duration.ofSeconds(30);

  private MemberLoss() {}

  /** SIGKILL; the member comes back at the end. */
  static void kill(GatewayCluster cluster, ScriptedEngine engine, int victim) {
    List<GatewayProcess> survivors = cluster.others(victim);
    try (Workload load = new Workload(cluster, engine);
        Publishing publishing = new Publishing(cluster.members())) {
      Pollers pollers = load.pollers();
      Duration killed = pollers.now();
      cluster.kill(victim);
      load.awaitCalm(survivors);
      publishing.assertNothingLost(survivors);
      load.assertHealthy(survivors);

      load.assertNothingWrong();
      List<Answer> after =
          pollers.answers().stream()
              .filter(answer -> answer.came().compareTo(killed) > 0)
              .filter(answer -> survivors.contains(answer.gateway()))
              .toList();
      assertThat(after)
          .as(pollers::story)
          .filteredOn(answer -> answer.status() != 200)
          .filteredOn(answer -> isLate(pollers, killed, answer))
          .isEmpty();
      assertThat(after)
          .as(pollers::story)
          .filteredOn(answer -> isLate(pollers, answer.sent(), answer))
          .isEmpty();
      assertThat(after)
          .as(pollers::story)
          .filteredOn(answer -> answer.status() == Pollers.NONE)
          .isEmpty();
    } finally {
      cluster.makeWhole();
    }
  }

  /**
   * All jobs are resumed, and a moment later a member gets SIGKILL: it has told clients of the new
   * executions that others have not asked about yet.
   */
  static void resumeAndKill(GatewayCluster cluster, ScriptedEngine engine, int victim) {
    List<GatewayProcess> survivors = cluster.others(victim);
    try (Workload load = new Workload(cluster, engine)) {
      Pollers pollers = load.pollers();
      load.nextExecution(cluster.members());
      Duration resumed = pollers.now();
      await("a moment")
          .pollInterval(Duration.ofMillis(5))
          .until(() -> pollers.now().minus(resumed).compareTo(MOMENT) >= 0);
      cluster.kill(victim);
      load.awaitNewest(survivors);
      load.awaitCalm(survivors);
      load.assertHealthy(survivors);

      load.assertNothingWrong();
    } finally {
      cluster.makeWhole();
    }
  }

  private static boolean isLate(Pollers pollers, Duration since, Answer answer) {
    return pollers.between(since, answer.came()).compareTo(BACK) > 0;
  }

  /** SIGSTOP; all jobs are resumed meanwhile; then SIGCONT. */
  static void freeze(
      GatewayCluster cluster, ScriptedEngine engine, int victim, Duration frozenFor) {
    GatewayProcess frozen = cluster.member(victim);
    List<GatewayProcess> survivors = cluster.others(victim);
    try (Workload load = new Workload(cluster, engine)) {
      Pollers pollers = load.pollers();
      Duration from = pollers.now();
      frozen.freeze();
      survivors.forEach(member -> cluster.awaitSize(member, survivors.size(), SIZE_LIMIT));
      load.nextExecution(survivors);
      load.awaitNewest(survivors);
      await("frozen for " + frozenFor)
          .atMost(frozenFor.plus(SIZE_LIMIT))
          .until(() -> pollers.now().minus(from).compareTo(frozenFor) >= 0);
      frozen.thaw();
      cluster.makeWhole();
      load.awaitNewest(cluster.members());
      load.assertHealthy(survivors);

      load.assertNothingWrong();
      assertThat(pollers.answers().stream().filter(a -> survivors.contains(a.gateway())))
          .as(pollers::story)
          .filteredOn(
              answer ->
                  answer.status() == Pollers.NONE
                      || pollers.between(answer.sent(), answer.came()).compareTo(DEADLINE) > 0)
          .isEmpty();
    } finally {
      if (frozen.running()) {
        frozen.thaw();
      }
    }
  }
}
