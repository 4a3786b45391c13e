package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.bench.ClusterPolling;
import io.headgate.kit.GatewayCluster;
import io.headgate.kit.ScriptedEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many clients poll one job at three gateways, and the engine hardly notices (P6). */
@ExtendWith(SharedCluster.class)
class ManyPollersTest {
  private final GatewayCluster cluster;
  private final ScriptedEngine engine;

  ManyPollersTest(GatewayCluster cluster, ScriptedEngine engine) {
    this.cluster = cluster;
    this.engine = engine;
  }

  @Test
  void L18_the_engine_sees_as_many_reads_as_gateways_and_freshness_allow() throws Exception {
    ClusterPolling.Report report =
        ClusterPolling.run(cluster, engine, Workload.freshId(), 60, 600, 3);

    assertThat(report.strange()).as("answers other than 200").isZero();
    assertThat(report.answersPerSecond())
        .as("%s", report)
        .isGreaterThan(3 * report.readsPerSecond());
    assertThat(report.readsPerSecond())
        .as("%s", report)
        .isLessThanOrEqualTo(ClusterPolling.mostReads(SharedCluster.FRESHNESS));
  }
}
