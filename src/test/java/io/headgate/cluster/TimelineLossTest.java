package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What was acknowledged of schema changes outlasts a member's death and a split. */
@ExtendWith(SharedCluster.class)
class TimelineLossTest {
  private static final int EVENTS = 10_000;
  private static final int BEFORE = 3_000;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** What earlier runs have left would fill the bytes that a member may own. */
  private static final int RUNS_OF_A_CLUSTER = 5;

  private final GatewayCluster cluster;

  TimelineLossTest(GatewayCluster cluster) {
    this.cluster = cluster;
  }

  @RepeatedTest(2)
  void T12_after_an_owners_death_all_is_there_that_was_acknowledged(RepetitionInfo run) {
    killDuringReports(run.getCurrentRepetition() - 1);
  }

  @RepeatedTest(20)
  @Tag("soak")
  void T12_likewise_after_each_of_20_deaths(RepetitionInfo run) {
    if (run.getCurrentRepetition() % RUNS_OF_A_CLUSTER == 0) {
      IntStream.range(0, cluster.members().size()).forEach(cluster::kill);
      cluster.makeWhole();
    }
    killDuringReports(run.getCurrentRepetition() % cluster.members().size());
  }

  /** Every member owns a third of the jobs, so each is the owner of some that are reported on. */
  private void killDuringReports(int victim) {
    List<GatewayProcess> survivors = cluster.others(victim);
    try (SchemaReports reports = new SchemaReports(cluster.members(), EVENTS)) {
      reports.awaitAcknowledged(BEFORE);
      cluster.kill(victim);
      assertThat(reports.acknowledged()).as("before the death").isLessThan(EVENTS);
      reports.awaitAll();
      assertThat(reports.acknowledged()).isGreaterThanOrEqualTo(EVENTS);
      reports.assertNothingLost(survivors);
    } finally {
      cluster.makeWhole();
    }
  }

  @Test
  void T6_T12_a_split_loses_nothing_of_the_majority_and_takes_no_end_back() {
    splitAndHeal(0);
  }

  @RepeatedTest(3)
  @Tag("soak")
  void T6_T12_likewise_with_each_member_cut_off_in_turn(RepetitionInfo run) {
    splitAndHeal(run.getCurrentRepetition() - 1);
  }

  /** Changes are begun by all, and end on the side of the majority. */
  private void splitAndHeal(int single) {
    GatewayProcess alone = cluster.member(single);
    List<GatewayProcess> majority = cluster.others(single);
    List<Long> jobs = IntStream.range(0, 12).mapToObj(i -> Workload.freshId()).toList();
    jobs.forEach(job -> acknowledged(alone, job, "begun", BEGUN));
    cluster.network().split(Set.of(single));
    try {
      cluster.awaitSize(alone, 1, LIMIT);
      majority.forEach(member -> cluster.awaitSize(member, majority.size(), LIMIT));
      try (SchemaReports reports = new SchemaReports(majority, BEFORE)) {
        for (long job : jobs) {
          acknowledged(majority.get(0), job, "begun", ENDED);
          acknowledged(majority.get(1), job, "new", ENDED);
        }
        reports.awaitAll();
        assertThat(report(alone, jobs.get(0), "refused", ENDED)).isEqualTo(503);

        cluster.makeWhole();
        reports.assertNothingLost(cluster.members());
      }
      for (long job : jobs) {
        for (GatewayProcess member : cluster.members()) {
          assertEnded(SchemaReports.page(member, job));
        }
      }
    } finally {
      cluster.network().heal();
    }
  }

  private static final String BEGUN = "\"stage\":\"APPLY_STARTED\"";
  private static final String ENDED = "\"stage\":\"COMPLETED\",\"outcome\":\"APPLIED\"";

  /** Reports until it is acknowledged: the job may have no owner, and others report, too. */
  private static void acknowledged(GatewayProcess gateway, long job, String key, String said) {
    await("acknowledged by " + gateway)
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .until(() -> report(gateway, job, key, said) == 200);
  }

  /** Returns the status. */
  private static int report(GatewayProcess gateway, long job, String key, String said) {
    String of = "{\"jobId\":%d,\"observationKey\":\"%s\",".formatted(job, key);
    String target = of + "\"target\":{\"table\":\"dw\"},";
    String body = "[" + target + "\"stage\":\"TARGET_RESOLVED\",\"targetCount\":1}," + target;
    return gateway
        .send(
            HttpRequest.newBuilder(gateway.uri("/schema-evolution/events"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body + said + "}]")))
        .statusCode();
  }

  private static void assertEnded(JsonNode page) {
    assertThat(page.get("records")).as("%s", page).hasSize(2);
    page.get("records")
        .forEach(
            record -> {
              assertThat(record.get("state").asText()).as("%s", page).isEqualTo("TERMINAL");
              assertThat(record.get("outcome").asText()).isEqualTo("APPLIED");
            });
  }
}
