package io.headgate.fn;

import static io.headgate.fn.kit.FnGateway.bytes;
import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import org.apache.beam.fn.v1.BeamFnApi.InstructionRequest;
import org.junit.jupiter.api.Test;

/** A bundle that goes well, whatever the order in which its parts arrive. */
class BundleLifeTest {
  @Test
  void F5_a_bundle_goes_through_a_harness_and_back() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1").echoing()) {
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      Future<Buffer> output = gateway.collect(bundle);
      gateway.give(bundle, "hello");
      assertThat(get(output)).hasToString("hello");
      assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
    }
  }

  @Test
  void F6_a_response_before_the_last_data_ends_nothing() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      Future<Buffer> output = gateway.collect(bundle);
      harness.takeRegister();
      InstructionRequest request = harness.takeBundle();
      assertThat(request.getInstructionId()).isEqualTo(bundle.id());
      harness.processed(bundle.id());
      harness.data().send(TestHarness.piece(bundle.id(), Samples.OUTPUT, bytes("late, ")));
      harness.data().send(TestHarness.piece(bundle.id(), Samples.OUTPUT, bytes("but whole")));
      assertThat(output.isComplete()).isFalse();
      harness.data().send(TestHarness.end(bundle.id(), Samples.OUTPUT));
      assertThat(get(output)).hasToString("late, but whole");
      assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
    }
  }
}
