package io.headgate;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.fn.BundleHandle;
import io.headgate.fn.BundleStatus;
import io.headgate.fn.FnRunner;
import io.headgate.fn.Registration;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.headgate.kit.TestGateway;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
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
