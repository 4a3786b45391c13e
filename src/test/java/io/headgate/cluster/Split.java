package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import io.headgate.kit.Pollers;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.ScriptedEngine;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The network between the members is split {2,1} under load, and heals. */
final class Split {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String OUTCOMES = "headgate_lineage_outcomes_total";
  private static final String TOO_SMALL = OUTCOMES + "{reason=\"cluster-too-small\"";

  private Split() {}

  /** Cuts one member off from the two others; all jobs are resumed on their side; heals. */
  static void splitAndHeal(GatewayCluster cluster, ScriptedEngine engine, int single) {
    GatewayProcess alone = cluster.member(single);
    List<GatewayProcess> majority = cluster.others(single);
    try (Workload load = new Workload(cluster, engine);
        Publishing publishing = new Publishing(cluster.members())) {
      Pollers pollers = load.pollers();
      cluster.network().split(Set.of(single));
      cluster.awaitSize(alone, 1, LIMIT);
      majority.forEach(member -> cluster.awaitSize(member, majority.size(), LIMIT));
      Duration split = pollers.now();
      load.nextExecution(majority);
      load.awaitNewest(majority);
      load.awaitCalm(majority);
      assertRefused(alone);
      Duration healing = pollers.now();
      assertThat(pollers.sentFrom(split).stream().filter(a -> a.came().compareTo(healing) < 0))
          .as(pollers::story)
          .filteredOn(answer -> answer.gateway() == alone)
          .isNotEmpty()
          .filteredOn(answer -> answer.status() != 503)
          .isEmpty();

      cluster.makeWhole();
      load.awaitNewest(cluster.members());
      load.awaitCalm(cluster.members());
      publishing.assertNothingLost(cluster.members());
      load.assertHealthy(cluster.members());
      load.assertNothingWrong();
      assertThat(pollers.answers())
          .as(pollers::story)
          .filteredOn(answer -> answer.status() == Pollers.NONE)
          .isEmpty();
    } finally {
      cluster.network().heal();
    }
  }

  /** Cuts every member off from every other one, so that all refuse; heals. */
  static void fallApartAndHeal(GatewayCluster cluster, ScriptedEngine engine) {
    try (Workload load = new Workload(cluster, engine);
        Publishing publishing = new Publishing(cluster.members())) {
      cluster.network().split(Set.of(0), Set.of(1));
      cluster.members().forEach(member -> cluster.awaitSize(member, 1, LIMIT));
      cluster.members().forEach(Split::assertRefused);

      cluster.makeWhole();
      load.awaitCalm(cluster.members());
      publishing.assertNothingLost(cluster.members());
      load.assertHealthy(cluster.members());
      load.assertNothingWrong();
    } finally {
      cluster.network().heal();
    }
  }

  private static void assertRefused(GatewayProcess alone) {
    long job = Workload.freshId();
    var refused = alone.publish(PublicationBody.of(job));
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
    assertThat(alone.lineage(job).statusCode()).isEqualTo(503);
    await("reason")
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(alone.get("/metrics").body()).contains(TOO_SMALL));
  }
}
