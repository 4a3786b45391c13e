package io.headgate.cluster;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.ScriptedEngine;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A member that dies or freezes costs the others a moment, and nobody an answer that is wrong. */
@ExtendWith(SharedCluster.class)
class MemberLossTest {
  /** Twice the time after which the others take it for dead. */
  private static final Duration SHORT = Duration.ofSeconds(10);

  private static final Duration LONG = Duration.ofSeconds(30);

  private final GatewayCluster cluster;
  private final ScriptedEngine engine;

  MemberLossTest(GatewayCluster cluster, ScriptedEngine engine) {
    this.cluster = cluster;
    this.engine = engine;
  }

  @RepeatedTest(2)
  void E_HA1_after_a_kill_the_others_are_back_within_3_s_and_nothing_is_lost(RepetitionInfo run) {
    MemberLoss.kill(cluster, engine, run.getCurrentRepetition() - 1);
  }

  @RepeatedTest(20)
  @Tag("soak")
  void E_HA1_after_each_of_20_kills_the_others_are_back_within_3_s(RepetitionInfo run) {
    MemberLoss.kill(cluster, engine, run.getCurrentRepetition() % cluster.members().size());
  }

  @Test
  void L22a_a_kill_just_after_a_resume_brings_no_older_execution_back() {
    MemberLoss.resumeAndKill(cluster, engine, 0);
  }

  /** Whoever was killed comes back as the youngest, so from the third on the oldest one goes. */
  @RepeatedTest(20)
  @Tag("soak")
  void L22a_nor_does_any_of_20(RepetitionInfo run) {
    MemberLoss.resumeAndKill(cluster, engine, run.getCurrentRepetition() % 3);
  }

  @Test
  void E_HA2_a_frozen_member_holds_nobody_up_and_serves_nothing_old_when_it_thaws() {
    MemberLoss.freeze(cluster, engine, 1, SHORT);
  }

  @RepeatedTest(3)
  @Tag("soak")
  void E_HA2_likewise_after_half_a_minute(RepetitionInfo run) {
    MemberLoss.freeze(cluster, engine, run.getCurrentRepetition() - 1, LONG);
  }
}
