package io.headgate;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.headgate.fn.BundleHandle;
import io.headgate.fn.BundleStatus;
import io.headgate.fn.FnRunner;
import io.headgate.fn.Registration;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.StateClient;
import io.headgate.fn.kit.TestHarness;
import io.headgate.kit.FreePorts;
import io.headgate.kit.TestGateway;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.apache.beam.fn.v1.BeamFnApi.StateKey;
import org.junit.jupiter.api.Test;

/** Whole gateways that SDK harnesses connect to. */
class GatewayWithHarnessesTest {
  private static HeadgateVerticle verticle(int port) {
    return new HeadgateVerticle(
        TestGateway.config("fn.enabled", "true", "fn.port", Integer.toString(port)));
  }

  @Test
  void F5_an_embedding_runner_has_a_bundle_processed() {
    HeadgateVerticle verticle = verticle(0);
    try (TestGateway gateway = TestGateway.running(verticle);
        TestHarness harness = TestHarness.connect(verticle.fnPort(), "w1")) {
      harness.echoing();
      FnRunner runner = verticle.fnRunner();
      Buffer descriptor = Buffer.buffer(Samples.descriptor("d1").toByteArray());
      assertThat(get(runner.register(descriptor))).isEqualTo(new Registration.Kept("d1", true));
      BundleHandle bundle = get(runner.start("w1", "d1", List.of()));
      Future<Buffer> output = FnGateway.allOf(bundle, Samples.OUT);
      get(
          bundle
              .input(Samples.IN)
              .compose(input -> input.write(Buffer.buffer("whole")).compose(v -> input.end())));
      assertThat(get(output)).hasToString("whole");
      assertThat(get(bundle.ended()).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
      assertThat(gateway.metric("headgate_fn_bundles_succeeded_total")).isOne();
    }
  }

  private static HeadgateVerticle member(List<Integer> ports, int index) {
    return new HeadgateVerticle(
        TestGateway.config(
            "fn.enabled",
            "true",
            "fn.port",
            "0",
            "fn.http.enabled",
            "true",
            "hazelcast.enabled",
            "true",
            "hazelcast.clusterName",
            "test-" + ports.get(0),
            "hazelcast.port",
            Integer.toString(ports.get(index)),
            "hazelcast.members",
            "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1)));
  }

  /** Has a harness append to a cell in one bundle, and tells what was there before. */
  private static String appendThrough(HeadgateVerticle verticle, String piece) {
    try (TestHarness harness = TestHarness.connect(verticle.fnPort(), "w1")) {
      harness.echoing();
      BundleHandle bundle = get(verticle.fnRunner().start("w1", "d1", List.of()));
      Future<Buffer> output = FnGateway.allOf(bundle, Samples.OUT);
      await().until(() -> get(bundle.status()).phase() == BundleStatus.Phase.RUNNING);
      StateClient state = new StateClient(harness, bundle);
      StateKey key = Samples.key("work", "bag", "k");
      String before = state.read(key);
      state.append(key, piece);
      get(bundle.input(Samples.IN).compose(input -> input.end()));
      get(output);
      assertThat(get(bundle.ended()).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
      return before;
    }
  }

  @Test
  void F3_and_F7_descriptors_and_state_are_those_of_all_gateways_and_outlive_one() {
    List<Integer> ports = FreePorts.pick(2);
    HeadgateVerticle other = member(ports, 1);
    try (TestGateway lasting = TestGateway.running(other)) {
      HeadgateVerticle first = member(ports, 0);
      try (TestGateway leaving = TestGateway.running(first)) {
        Buffer descriptor = Buffer.buffer(Samples.descriptor("d1").toByteArray());
        get(first.fnRunner().register(descriptor));
        assertThat(appendThrough(first, "one ")).isEmpty();
        assertThat(appendThrough(other, "two ")).isEqualTo("one ");
        assertThat(leaving.metric("headgate_cluster_members")).isEqualTo(2);
      }
      assertThat(appendThrough(other, "three")).isEqualTo("one two ");
      assertThat(lasting.get("/fn/bundle-descriptors/d1/lineage").statusCode()).isEqualTo(200);
      assertThat(get(other.fnRunner().descriptors("", 10))).containsExactly("d1");
      assertThat(lasting.metric("headgate_fn_unsettled")).isZero();
    }
  }

  @Test
  void there_is_no_port_unless_it_is_switched_on() {
    HeadgateVerticle verticle = new HeadgateVerticle(TestGateway.config());
    try (TestGateway gateway = TestGateway.running(verticle)) {
      assertThat(gateway.get("/metrics").body()).doesNotContain("headgate_fn_");
      assertThat(verticle.fnPort()).isEqualTo(-1);
      assertThatThrownBy(verticle::fnRunner).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void a_port_that_is_taken_is_named_by_its_key() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      HeadgateVerticle verticle = verticle(taken.getLocalPort());
      assertThatThrownBy(() -> TestGateway.running(verticle))
          .rootCause()
          .isInstanceOf(FnPort.NotBoundException.class)
          .hasMessageContaining("fn.port: " + taken.getLocalPort() + " can't be bound");
    }
  }
}
