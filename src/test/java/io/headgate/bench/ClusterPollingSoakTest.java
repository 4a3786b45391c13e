package io.headgate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thousand clients at three gateways for a minute: {@code mvn -Psoak verify}. */
@Tag("soak")
class ClusterPollingSoakTest {
  @Test
  void L18_1000_pollers_cost_the_engine_as_many_reads_as_gateways_and_freshness_allow()
      throws Exception {
    ClusterPolling.Report report = ClusterPolling.run(1_000, 60);

    assertThat(report.strange()).as("answers other than 200").isZero();
    assertThat(report.answersPerSecond()).as("%s", report).isGreaterThan(900);
    assertThat(report.readsPerSecond())
        .as("%s", report)
        .isLessThanOrEqualTo(ClusterPolling.mostReads(Duration.ofSeconds(1)));
  }
}
