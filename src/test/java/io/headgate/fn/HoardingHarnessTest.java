package io.headgate.fn;

import static io.headgate.fn.kit.FnGateway.get;
import static io.headgate.kit.RawHttp2.ACK;
import static io.headgate.kit.RawHttp2.DATA;
import static io.headgate.kit.RawHttp2.END_HEADERS;
import static io.headgate.kit.RawHttp2.END_STREAM;
import static io.headgate.kit.RawHttp2.HEADERS;
import static io.headgate.kit.RawHttp2.INITIAL_WINDOW_SIZE;
import static io.headgate.kit.RawHttp2.SETTINGS;
import static io.headgate.kit.RawHttp2.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.headgate.kit.RawHttp2;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.apache.beam.fn.v1.BeamFnApi.Elements;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.fn.v1.BeamFnApi.PrimitiveTransformSplit;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.apache.beam.fn.v1.BeamFnApi.StateRequest;
import org.junit.jupiter.api.Test;

/** What costs a client next to nothing must not cost the gateway its memory. */
class HoardingHarnessTest {
  private static final int CANCEL = 8;
  private static final String CHECK = "/grpc.health.v1.Health/Check";

  private static byte[] call(String path, String... headers) {
    String[] all = new String[headers.length + 2];
    all[0] = "content-type";
    all[1] = "application/grpc";
    System.arraycopy(headers, 0, all, 2, headers.length);
    return head("POST", path, all);
  }

  private static String path(String service) {
    return "/org.apache.beam.fn.v1.BeamFn" + service + "/" + service;
  }

  private static byte[] message(byte[] bytes) {
    return Buffer.buffer()
        .appendByte((byte) 0)
        .appendInt(bytes.length)
        .appendBytes(bytes)
        .getBytes();
  }

  private static BundleHandle running(FnGateway gateway, TestHarness harness) {
    gateway.register("d1");
    BundleHandle bundle = gateway.start("w1", "d1");
    harness.takeRegister();
    harness.takeBundle();
    return bundle;
  }

  @Test
  void F10_pieces_of_one_byte_hold_the_harness_as_large_ones_do() {
    try (FnGateway gateway = FnGateway.open(Map.of("streamBytes", 1 << 20));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      BundleOutput output = get(bundle.output(Samples.OUT));
      output.pause().handler(bytes -> {});
      Elements.Data piece =
          Elements.Data.newBuilder()
              .setInstructionReference(bundle.id())
              .setTarget(Samples.OUTPUT)
              .setData(ByteString.copyFromUtf8("x"))
              .build();
      Elements.Builder many = Elements.newBuilder();
      for (int i = 0; i < 500; i++) {
        many.addData(piece);
      }
      for (int i = 0; i < 100; i++) {
        harness.data().send(many.build());
      }
      String received = "headgate_fn_data_received_bytes_total";
      await().until(() -> gateway.metric("headgate_fn_data_pauses_total") == 1);
      // What a window has room for may come behind the pause, but is not looked at.
      assertThat(gateway.metric(received)).isLessThan(10_000);
      assertThat(gateway.metric("headgate_fn_held_bytes")).isLessThan(2 << 20);
      output.resume();
      await().until(() -> gateway.metric(received) == 50_000);
      await().until(() -> gateway.metric("headgate_fn_held_bytes") == 0);
      get(bundle.cancel());
    }
  }

  @Test
  void F10_writes_of_one_byte_fill_the_queue_of_an_input_as_large_ones_do() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      BundleInput input = get(bundle.input(Samples.IN));
      int writes = 0;
      while (!input.writeQueueFull()) {
        input.write(Buffer.buffer("x"));
        writes++;
      }
      assertThat(writes).isLessThan(1_000);
      get(bundle.cancel());
    }
  }

  @Test
  void F10_a_harness_that_reads_no_answers_gets_few() {
    try (FnGateway gateway = FnGateway.open();
        RawHttp2 harness = new RawHttp2(gateway.port())) {
      harness.settings(INITIAL_WINDOW_SIZE, 0).send(SETTINGS, ACK, 0);
      harness.send(HEADERS, END_HEADERS, 1, call(path("State"), "worker_id", "w1"));
      StateRequest request =
          StateRequest.newBuilder().setId("r").setInstructionReference("nobody").build();
      Buffer requests = Buffer.buffer();
      int sent = 0;
      while (requests.length() < 16_000) {
        requests.appendBytes(message(request.toByteArray()));
        sent++;
      }
      int frames = 12; // together less than the window of a stream with a heap of a gigabyte
      for (int i = 0; i < frames; i++) {
        harness.send(DATA, 0, 1, requests.getBytes());
      }
      int all = frames * sent;
      harness.flush();
      String refused = "headgate_fn_state_refused_total{reason=\"malformed\"}";
      await().until(() -> gateway.metric("headgate_fn_unwritten_bytes") >= 1 << 20);
      assertThat(gateway.metric(refused)).isLessThan(2_000);
      assertThat(gateway.metric("headgate_fn_unwritten_bytes")).isLessThan(1 << 21);
      // One that reads again is answered all.
      harness.window(1, 10_000_000).window(0, 10_000_000).flush();
      await().until(() -> gateway.metric(refused) == all);
      await().until(() -> gateway.metric("headgate_fn_unwritten_bytes") == 0);
    }
  }

  @Test
  void F10_questions_of_health_that_never_come_whole_are_reset() {
    try (FnGateway gateway = FnGateway.open()) {
      RawHttp2[] clients = new RawHttp2[4];
      for (int i = 0; i < clients.length; i++) {
        clients[i] = new RawHttp2(gateway.port()).settings();
        for (int stream = 1; stream < 200; stream += 2) {
          clients[i].send(HEADERS, END_HEADERS, stream, call(CHECK));
        }
        clients[i].flush();
      }
      assertThat(clients[0].answer(1).reset()).hasValue(CANCEL);
      try (RawHttp2 other = new RawHttp2(gateway.port()).settings()) {
        other.send(HEADERS, END_HEADERS, 1, call(CHECK));
        other.send(DATA, END_STREAM, 1, message(new byte[0]));
        assertThat(other.answer(1).headers()).containsEntry("grpc-status", "0");
        // No question is longer than the longest name.
        other.send(HEADERS, END_HEADERS, 3, call(CHECK));
        other.send(DATA, 0, 3, new byte[] {0, 0, 64, 0, 0});
        assertThat(other.answer(3).reset()).hasValue(CANCEL);
      }
      for (RawHttp2 client : clients) {
        client.close();
      }
    }
  }

  @Test
  void F10_a_reset_right_behind_the_end_of_a_stream_leaves_its_connection_open() {
    try (FnGateway gateway = FnGateway.open();
        RawHttp2 harness = new RawHttp2(gateway.port()).settings()) {
      for (int stream = 1; stream < 20; stream += 2) {
        harness.send(
            HEADERS, END_HEADERS, stream, call(path("Control"), "worker_id", "w" + stream));
        harness.flush();
        int harnesses = (stream + 1) / 2;
        await().until(() -> get(gateway.runner().harnesses()).size() == harnesses);
        harness.send(DATA, END_STREAM, stream).reset(stream, CANCEL).flush();
      }
      harness.send(HEADERS, END_HEADERS, 101, call(CHECK));
      harness.send(DATA, END_STREAM, 101, message(new byte[0]));
      assertThat(harness.answer(101).headers()).containsEntry("grpc-status", "0");
    }
  }

  @Test
  void F10_a_call_of_no_method_or_type_is_refused_and_reset() {
    try (FnGateway gateway = FnGateway.open();
        RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      client.send(HEADERS, END_HEADERS, 1, call("/made.Up/Method"));
      client.send(
          HEADERS, END_HEADERS, 3, head("POST", path("Data"), "content-type", "application/json"));
      assertThat(client.answer(1).headers()).containsEntry("grpc-status", "12");
      assertThat(client.answer(3).status()).isEqualTo(415);
      await().until(() -> client.answer(1).reset().isPresent());
      await().until(() -> client.answer(3).reset().isPresent());
      assertThat(get(gateway.runner().harnesses())).isEmpty();
    }
  }

  @Test
  void F10_a_response_with_more_splits_than_there_are_transforms_counts_as_unreadable() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      ProcessBundleSplitResponse.Builder splits = ProcessBundleSplitResponse.newBuilder();
      for (int i = 0; i < 10_001; i++) {
        splits.addSplits(PrimitiveTransformSplit.getDefaultInstance());
      }
      harness
          .control()
          .send(
              InstructionResponse.newBuilder()
                  .setInstructionId("i")
                  .setProcessBundleSplit(splits)
                  .build());
      await().until(() -> gateway.metric("headgate_fn_dropped_total{reason=\"malformed\"}") == 1);
    }
  }

  @Test
  void F3_a_descriptor_that_was_long_not_used_is_sent_once_more() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      for (int i = 0; i <= 1_024; i++) {
        run(gateway, harness, "d" + i);
        get(gateway.runner().remove("d" + i));
      }
      run(gateway, harness, "d0");
    }
  }

  private static void run(FnGateway gateway, TestHarness harness, String descriptor) {
    gateway.register(ProcessBundleDescriptor.newBuilder().setId(descriptor).build());
    BundleHandle bundle = gateway.start("w1", descriptor);
    harness.takeRegister();
    harness.takeBundle();
    harness.processed(bundle.id());
    assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
  }

  @Test
  void F5_results_of_bundles_with_many_ports_are_forgotten_sooner() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      harness
          .control()
          .handler(
              request -> {
                String id = request.getInstructionId();
                harness
                    .control()
                    .send(
                        request.hasRegister()
                            ? TestHarness.registered(id)
                            : TestHarness.failed(id, "no"));
              });
      var read = Samples.transform("read", Samples.INPUT_URN);
      for (int i = 0; i < 1_000; i++) {
        read.putOutputs("o" + i, Samples.collection("bytes"));
      }
      gateway.register(
          ProcessBundleDescriptor.newBuilder()
              .setId("wide")
              .addCoders(Samples.coder("bytes"))
              .addPrimitiveTransform(read)
              .build());
      BundleHandle first = gateway.start("w1", "wide");
      gateway.ended(first);
      for (int i = 0; i < 64; i++) {
        gateway.ended(gateway.start("w1", "wide"));
      }
      assertThat(get(gateway.runner().bundle(first.id()).map(true).otherwise(false))).isTrue();
      gateway.ended(gateway.start("w1", "wide"));
      assertThat(get(gateway.runner().bundle(first.id()).map(true).otherwise(false))).isFalse();
    }
  }
}
