package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.fn.kit.HttpRunner;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.StateClient;
import io.headgate.fn.kit.TestHarness;
import io.headgate.kit.FreePorts;
import io.headgate.kit.GatewayProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.beam.fn.v1.BeamFnApi.StateKey;
import org.apache.beam.fn.v1.BeamFnApi.StateResponse;
import org.junit.jupiter.api.Test;

/** Two gateways with harnesses, one of which is killed. */
class FnLossTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final StateKey COMMITTED = Samples.key("work", "bag", "committed");
  private static final StateKey OPEN = Samples.key("work", "bag", "open");
  private static final int SIZE = 2;

  private final List<Integer> ports = FreePorts.pick(3 * SIZE);

  private GatewayProcess gateway(int index) {
    String name = "fn-" + ports.get(0);
    return new GatewayProcess(
        ports.get(index),
        Path.of(System.getProperty("headgate.target", "target"))
            .toAbsolutePath()
            .resolve("gateways")
            .resolve(name)
            .resolve("gateway-" + index + ".log"),
        Map.of(
            "fn.enabled",
            "true",
            "fn.port",
            Integer.toString(fnPort(index)),
            "fn.http.enabled",
            "true",
            "hazelcast.clusterName",
            name,
            "hazelcast.port",
            Integer.toString(memberPort(index)),
            "hazelcast.members",
            "127.0.0.1:" + memberPort(0) + ",127.0.0.1:" + memberPort(1)),
        List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
  }

  private int fnPort(int index) {
    return ports.get(SIZE + index);
  }

  private int memberPort(int index) {
    return ports.get(2 * SIZE + index);
  }

  private static void awaitMembers(GatewayProcess gateway, int members) {
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> gateway.metric("headgate_cluster_members") == members);
  }

  @Test
  void F3_F7_descriptors_and_committed_state_outlast_a_gateway_that_is_killed() throws Exception {
    try (GatewayProcess killed = gateway(0);
        GatewayProcess lasting = gateway(1)) {
      killed.start();
      lasting.start();
      awaitMembers(killed, SIZE);
      awaitMembers(lasting, SIZE);
      killed.awaitReady(LIMIT);
      lasting.awaitReady(LIMIT);

      HttpRunner first = new HttpRunner(killed);
      first.register("d1");
      try (TestHarness harness = TestHarness.connect(fnPort(0), "w1").echoing()) {
        String done = first.start("w1", "d1");
        new StateClient(harness, done).append(COMMITTED, "kept");
        first.finish(done);
        StateClient undone = new StateClient(harness, first.start("w1", "d1"));
        undone.append(COMMITTED, ", not kept");
        undone.append(OPEN, "not kept");
        killed.kill();
      }

      awaitMembers(lasting, 1);
      HttpRunner second = new HttpRunner(lasting);
      assertThat(lasting.get("/fn/bundle-descriptors/d1/lineage").statusCode()).isEqualTo(200);
      try (TestHarness harness = TestHarness.connect(fnPort(1), "w1").echoing()) {
        String after = second.start("w1", "d1");
        StateClient state = new StateClient(harness, after);
        awaitUnclaimed(state, COMMITTED);
        awaitUnclaimed(state, OPEN);
        assertThat(state.read(COMMITTED)).isEqualTo("kept");
        assertThat(state.read(OPEN)).isEmpty();
        state.append(COMMITTED, ", and more");
        second.finish(after);
        String last = second.start("w1", "d1");
        assertThat(new StateClient(harness, last).read(COMMITTED)).isEqualTo("kept, and more");
        second.finish(last);
      }
    }
  }

  /** The claims of the killed one's open bundle end a moment after its death. */
  private static void awaitUnclaimed(StateClient state, StateKey cell) {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              StateResponse response = state.get(cell, null);
              return response.getError().isEmpty();
            });
  }
}
