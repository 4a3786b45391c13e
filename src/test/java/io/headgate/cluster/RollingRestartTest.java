package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import io.headgate.kit.Pollers;
import io.headgate.kit.ScriptedEngine;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each gateway is restarted in turn under load, as for a new version. */
@ExtendWith(SharedCluster.class)
class RollingRestartTest {
  /** When a gateway was not there, on the clock of the pollers. */
  private record Restart(GatewayProcess gateway, Duration from, Duration to) {}

  @Test
  void a_rolling_restart_is_felt_only_at_the_gateway_that_restarts_and_loses_nothing(
      GatewayCluster cluster, ScriptedEngine engine) {
    try (Workload load = new Workload(cluster, engine);
        Publishing publishing = new Publishing(cluster.members())) {
      Pollers pollers = load.pollers();
      Set<Restart> restarts = new HashSet<>();
      for (int i = 0; i < cluster.members().size(); i++) {
        Duration from = pollers.now();
        assertThat(cluster.stop(i)).as("exit code").isZero();
        cluster.makeWhole();
        restarts.add(new Restart(cluster.member(i), from, pollers.now()));
      }
      load.awaitCalm(cluster.members());
      publishing.assertNothingLost(cluster.members());
      load.assertHealthy(cluster.members());

      load.assertNothingWrong();
      List<Pollers.Answer> elsewhere =
          pollers.answers().stream()
              .filter(answer -> answer.status() != 200)
              .filter(answer -> restarts.stream().noneMatch(restart -> during(restart, answer)))
              .toList();
      assertThat(elsewhere).as(pollers::story).isEmpty();
    }
  }

  private static boolean during(Restart restart, Pollers.Answer answer) {
    return restart.gateway() == answer.gateway()
        && answer.came().compareTo(restart.from()) >= 0
        && answer.sent().compareTo(restart.to()) <= 0;
  }
}
