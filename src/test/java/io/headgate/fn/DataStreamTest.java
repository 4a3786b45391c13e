package io.headgate.fn;

import static io.headgate.fn.kit.FnGateway.bytes;
import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.fn.v1.BeamFnApi.Elements;
import org.apache.beam.fn.v1.BeamFnApi.Target;
import org.junit.jupiter.api.Test;

/** Many logical streams on one, and everything that may break them. */
class DataStreamTest {
  private static BundleHandle running(FnGateway gateway, TestHarness harness) {
    gateway.register("d1");
    BundleHandle bundle = gateway.start("w1", "d1");
    harness.takeRegister();
    harness.takeBundle();
    return bundle;
  }

  private static void assertFails(Future<Buffer> output, BundleFailure reason) {
    assertThatThrownBy(() -> get(output))
        .isInstanceOfSatisfying(
            BundleFailedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void F6_pieces_of_many_bundles_share_a_stream_and_a_message_and_keep_their_order() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      List<BundleHandle> bundles = new ArrayList<>(List.of(running(gateway, harness)));
      for (int i = 0; i < 9; i++) {
        bundles.add(gateway.start("w1", "d1"));
        harness.takeBundle();
      }
      List<Future<Buffer>> outputs = bundles.stream().map(gateway::collect).toList();
      for (int round = 0; round < 20; round++) {
        Elements.Builder message = Elements.newBuilder();
        for (BundleHandle bundle : bundles) {
          message.addData(
              TestHarness.piece(bundle.id(), Samples.OUTPUT, bytes(round + ",")).getData(0));
        }
        harness.data().send(message.build());
      }
      Elements.Builder ends = Elements.newBuilder();
      bundles.forEach(
          bundle -> ends.addData(TestHarness.end(bundle.id(), Samples.OUTPUT).getData(0)));
      harness.data().send(ends.build());
      bundles.forEach(bundle -> harness.processed(bundle.id()));
      String all = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,";
      outputs.forEach(output -> assertThat(get(output)).hasToString(all));
    }
  }

  @Test
  void F6_inputs_go_to_their_port_in_order_and_end_with_an_empty_piece() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      gateway.collect(bundle);
      BundleInput input = get(bundle.input(Samples.IN));
      byte[] large = new byte[2_500_000];
      input.write(Buffer.buffer("begin"));
      input.write(Buffer.buffer(large));
      input.write(Buffer.buffer()); // means nothing, and must not end it
      input.write(Buffer.buffer("end"));
      input.end();
      ByteString.Output got = ByteString.newOutput();
      while (true) {
        Elements.Data piece = harness.data().next().getData(0);
        assertThat(piece.getInstructionReference()).isEqualTo(bundle.id());
        assertThat(piece.getTarget()).isEqualTo(Samples.INPUT);
        if (piece.getData().isEmpty()) {
          break;
        }
        assertThat(piece.getData().size()).isLessThanOrEqualTo(1 << 20);
        writeTo(got, piece.getData());
      }
      byte[] expected = new byte[large.length + 8];
      System.arraycopy(bytes("begin"), 0, expected, 0, 5);
      System.arraycopy(bytes("end"), 0, expected, large.length + 5, 3);
      assertThat(got.toByteString().toByteArray()).isEqualTo(expected);
      harness.data().send(TestHarness.end(bundle.id(), Samples.OUTPUT));
      harness.processed(bundle.id());
      assertThat(gateway.ended(bundle).inputs().get(0).bytes()).isEqualTo(expected.length);
    }
  }

  private static void writeTo(ByteString.Output out, ByteString bytes) {
    try {
      bytes.writeTo(out);
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void F6_a_stream_that_ends_before_its_logical_streams_fails_their_bundles() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      Future<Buffer> output = gateway.collect(bundle);
      harness.data().send(TestHarness.piece(bundle.id(), Samples.OUTPUT, bytes("half of")));
      harness.processed(bundle.id()); // real harnesses report success and lose their output
      harness.data().halfClose();
      assertFails(output, BundleFailure.DATA_LOST);
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.DATA_LOST);
      assertThat(harness.data().ended()).isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void F10_a_reset_in_the_middle_fails_the_bundle_and_a_new_stream_serves_the_next() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      Future<Buffer> output = gateway.collect(bundle);
      harness.data().send(TestHarness.piece(bundle.id(), Samples.OUTPUT, bytes("half of")));
      await().until(() -> get(bundle.status()).outputs().get(0).bytes() > 0);
      harness.data().cancel();
      assertFails(output, BundleFailure.DATA_LOST);
      await().until(() -> harness.openData(100).accepted());
      BundleHandle next = gateway.start("w1", "d1");
      harness.takeBundle();
      Future<Buffer> again = gateway.collect(next);
      harness.data().send(TestHarness.piece(next.id(), Samples.OUTPUT, bytes("whole")));
      harness.data().send(TestHarness.end(next.id(), Samples.OUTPUT));
      harness.processed(next.id());
      assertThat(get(again)).hasToString("whole");
    }
  }

  @Test
  void F6_data_for_an_instruction_that_is_not_active_is_dropped_and_counted() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1");
        TestHarness other = TestHarness.connect(gateway.port(), "w2")) {
      BundleHandle bundle = running(gateway, harness);
      Future<Buffer> output = gateway.collect(bundle);
      harness.data().send(TestHarness.piece("made-up", Samples.OUTPUT, bytes("x")));
      // Another harness's bundle, although it is active there.
      other.data().send(TestHarness.piece(bundle.id(), Samples.OUTPUT, bytes("forged")));
      other.data().send(TestHarness.end(bundle.id(), Samples.OUTPUT));
      awaitDropped(gateway, "inactive-data", 3);
      harness.data().send(TestHarness.piece(bundle.id(), Samples.OUTPUT, bytes("real")));
      harness.data().send(TestHarness.end(bundle.id(), Samples.OUTPUT));
      harness.processed(bundle.id());
      assertThat(get(output)).hasToString("real");
      gateway.ended(bundle);
      harness.data().send(TestHarness.piece(bundle.id(), Samples.OUTPUT, bytes("too late")));
      awaitDropped(gateway, "inactive-data", 4);
    }
  }

  private static void awaitDropped(FnGateway gateway, String reason, int count) {
    String meter = "headgate_fn_dropped_total{reason=\"" + reason + "\"}";
    await().untilAsserted(() -> assertThat(gateway.metric(meter)).isEqualTo(count));
  }

  @Test
  void F6_data_after_the_end_or_for_no_port_fails_the_bundle() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle twice = running(gateway, harness);
      harness.data().send(TestHarness.end(twice.id(), Samples.OUTPUT));
      harness.data().send(TestHarness.piece(twice.id(), Samples.OUTPUT, bytes("more")));
      assertThat(gateway.ended(twice).failure()).isEqualTo(BundleFailure.DATA_AFTER_END);
      BundleHandle nowhere = gateway.start("w1", "d1");
      harness.takeBundle();
      Target input = Samples.INPUT; // a port, but not one that the harness writes to
      harness.data().send(TestHarness.piece(nowhere.id(), input, bytes("x")));
      assertThat(gateway.ended(nowhere).failure()).isEqualTo(BundleFailure.UNKNOWN_PORT);
    }
  }

  @Test
  void F5_a_failed_bundle_ends_its_inputs_so_that_the_harness_comes_to_an_end() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      gateway.collect(bundle);
      BundleInput input = get(bundle.input(Samples.IN));
      input.write(Buffer.buffer("half of"));
      assertThat(harness.data().next().getData(0).getData().toStringUtf8()).isEqualTo("half of");
      input.abort();
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.INPUT_BROKEN);
      assertThat(harness.data().next().getData(0).getData().isEmpty()).isTrue();
      harness.processed(bundle.id());
      await()
          .untilAsserted(
              () -> assertThat(get(gateway.runner().harnesses()).get(0).outstanding()).isZero());
      assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.FAILED);
    }
  }

  @Test
  void F5_a_harness_that_is_done_before_its_input_has_the_rest_dropped() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      harness.data();
      Future<Buffer> output = gateway.collect(bundle);
      BundleInput input = get(bundle.input(Samples.IN));
      get(input.write(Buffer.buffer("some of it")));
      harness.data().send(TestHarness.end(bundle.id(), Samples.OUTPUT));
      harness.processed(bundle.id());
      get(output);
      get(input.write(Buffer.buffer("the rest")));
      assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
    }
  }

  @Test
  void F5_an_output_that_nobody_opens_fails_the_bundle() {
    try (FnGateway gateway = FnGateway.open(Map.of("openWait", Duration.ofMillis(200)));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.OUTPUT_NOT_OPENED);
      assertFails(gateway.collect(bundle), BundleFailure.OUTPUT_NOT_OPENED);
    }
  }

  @Test
  void F5_ports_are_opened_once_and_only_where_the_descriptor_has_them() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      gateway.collect(bundle);
      assertRefused(() -> get(bundle.output(Samples.OUT)), Refusal.PORT_TAKEN);
      assertRefused(() -> get(bundle.output(Samples.IN)), Refusal.NO_PORT);
      get(bundle.input(Samples.IN));
      assertRefused(() -> get(bundle.input(Samples.IN)), Refusal.PORT_TAKEN);
      assertRefused(() -> get(bundle.input(Samples.OUT)), Refusal.NO_PORT);
      get(bundle.cancel());
    }
  }

  private static void assertRefused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, Refusal reason) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FnRefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
