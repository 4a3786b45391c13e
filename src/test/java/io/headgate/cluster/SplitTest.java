package io.headgate.cluster;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.ScriptedEngine;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A split leaves one side at work, and healing it takes nothing back. */
@ExtendWith(SharedCluster.class)
class SplitTest {
  private final GatewayCluster cluster;
  private final ScriptedEngine engine;

  SplitTest(GatewayCluster cluster, ScriptedEngine engine) {
    this.cluster = cluster;
    this.engine = engine;
  }

  @Test
  void E_HA3_the_single_side_refuses_and_healing_takes_nothing_back() {
    Split.splitAndHeal(cluster, engine, 2);
  }

  @RepeatedTest(5)
  @Tag("soak")
  void E_HA3_likewise_five_times_with_each_member_cut_off_in_turn(RepetitionInfo run) {
    Split.splitAndHeal(cluster, engine, run.getCurrentRepetition() % cluster.members().size());
  }

  @RepeatedTest(3)
  @Tag("soak")
  void L22_members_that_all_lost_each_other_refuse_until_their_records_are_merged() {
    Split.fallApartAndHeal(cluster, engine);
  }
}
