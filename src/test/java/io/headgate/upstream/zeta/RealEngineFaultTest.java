package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.TestGateway;
import io.headgate.peer.ZetaCluster;
import io.headgate.peer.ZetaConfig;
import io.headgate.peer.ZetaEngine;
import io.headgate.upstream.zeta.RealEngineClients.Answer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The master of a real engine of two members dies or freezes while clients ask for a finished, an
 * active and an unknown job. Whatever the engine says meanwhile, each answer is the right one or a
 * 503, and comes by the deadline.
 *
 * <p>Each test has an engine of its own, because no engine is whole after a freeze.
 */
class RealEngineFaultTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMillis(2300); // the deadline and 0.3 s
  private static final Duration RECOVERY = Duration.ofSeconds(10);
  private static final Duration CALM = Duration.ofSeconds(1);

  /** Longer than it takes the other member to notice that its master is gone. */
  private static final Duration CALM_AGAIN = Duration.ofSeconds(3);

  private static final int CLIENTS = 8;
  private static final String UNKNOWN = "42";

  private ZetaCluster cluster;
  private ZetaEngine master;
  private ZetaEngine follower;
  private String finished;
  private String lineage;
  private String active;

  @BeforeEach
  void startEngineAndJobs() {
    cluster = ZetaCluster.start(ZetaConfig.members(2));
    master = cluster.master(LIMIT);
    follower = cluster.follower(LIMIT);
    finished = master.jobs().submit("batch_copy_filter");
    active = master.jobs().submit("stream");
    lineage = RealEngineAnswers.lineage(master.jobs().awaitRetained(finished, "FINISHED", LIMIT));
    master.jobs().awaitActive(active, "RUNNING", LIMIT);
  }

  @AfterEach
  void stopEngine() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A gateway that asks the master first and looks each job up ten times a second. */
  private TestGateway gateway(String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.addAll(List.of("admission.deadline", "2s", "admission.freshness", "100ms"));
    return TestGateway.before(
        Stream.of(master, follower).map(member -> RealEngineAnswers.base(member.uri())).toList(),
        all.toArray(String[]::new));
  }

  private RealEngineClients clients(TestGateway gateway) {
    return RealEngineClients.start(gateway, CLIENTS, finished, active, UNKNOWN);
  }

  @Test
  void L28_the_master_is_killed() {
    try (TestGateway gateway = gateway();
        RealEngineClients clients = clients(gateway)) {
      clients.awaitCalm(CALM, LIMIT);
      assertThat(gateway.metric(calls(0, "answered"))).as("the master was asked").isPositive();

      Duration killed = clients.now();
      master.kill();
      clients.awaitCalm(CALM_AGAIN, RECOVERY.plus(CALM_AGAIN));
      clients.close();

      assertAnswers(clients, "killed at " + killed);
      assertOnlyLegacyShapes(gateway);
      assertThat(
              gateway.metric(calls(0, "unreachable"))
                  + gateway.metric(calls(1, "status"))
                  + gateway.metric("headgate_upstream_timeouts_total{member=\"1\"}"))
          .as("the kill was felt")
          .isPositive();
      assertThat(gateway.metric(calls(1, "answered"))).as("the other was asked").isPositive();
    }
  }

  /**
   * The other member can't answer either before it gives the master up, 5 s later. Then lookups
   * that wait for the master still hold permits until they are abandoned, and the breaker spares
   * both members by turns, so that quiet comes some seconds after the engine's own recovery.
   */
  @Test
  void L16_L28_the_master_freezes() {
    try (TestGateway gateway =
            gateway("source.zeta.attemptTimeout", "500ms", "source.zeta.abandonAfter", "4s");
        RealEngineClients clients = clients(gateway)) {
      clients.awaitCalm(CALM, LIMIT);

      Duration frozen = clients.now();
      master.freeze();
      follower.awaitMembers(1, LIMIT);
      Duration expelled = clients.now();
      clients.awaitCalm(CALM_AGAIN, LIMIT);
      clients.close();

      assertAnswers(clients, "frozen at " + frozen + ", expelled at " + expelled);
      assertOnlyLegacyShapes(gateway);
      assertThat(clients.answers(active))
          .as("the freeze was felt")
          .anyMatch(a -> a.status() == 503);
      assertThat(gateway.metric("headgate_upstream_timeouts_total{member=\"0\"}")).isPositive();
      gateway.awaitNothingHeld(LIMIT); // with the master still frozen
    }
  }

  private void assertAnswers(RealEngineClients clients, String what) {
    String fault = what + "\n" + clients.timeline();
    assertOr503(clients.answers(finished), fault, a -> RealEngineAnswers.assertGraph(a, lineage));
    assertOr503(clients.answers(active), fault, a -> RealEngineAnswers.assertError(a, 409));
    assertOr503(clients.answers(UNKNOWN), fault, a -> RealEngineAnswers.assertError(a, 404));
    assertThat(
            clients.answers().stream()
                .filter(answer -> answer.took().compareTo(LONGEST) > 0)
                .filter(answer -> clients.tookUnstalled(answer).compareTo(LONGEST) > 0))
        .as("late; " + fault)
        .isEmpty();
  }

  private static void assertOr503(
      List<Answer> answers, String fault, ThrowingConsumer<HttpResponse<String>> right) {
    for (Answer answer : answers) {
      boolean refused = answer.status() == 503;
      assertThat(answer)
          .as(fault)
          .extracting(Answer::response)
          .satisfies(refused ? a -> RealEngineAnswers.assertError(a, 503) : right);
    }
  }

  private static void assertOnlyLegacyShapes(TestGateway gateway) {
    List<String> refusals =
        gateway
            .get("/metrics")
            .body()
            .lines()
            .filter(l -> l.matches("headgate_lineage_outcomes_total\\{.*status=\"409\".*"))
            .toList();
    assertThat(refusals).singleElement().asString().contains("reason=\"legacy-shape\"");
  }

  private static String calls(int member, String outcome) {
    return "headgate_upstream_calls_total{member=\"%d\",outcome=\"%s\"}".formatted(member, outcome);
  }
}
