package io.headgate.fn;

import static io.headgate.fn.kit.FnGateway.bytes;
import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.headgate.fn.kit.ClientStream;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.junit.jupiter.api.Test;

/** What a harness may do that it should not, and what it gets for it. */
class HostileHarnessTest {
  /** A field with a length that goes past the end. */
  private static final byte[] GARBAGE = {10, 100, 1, 2, 3};

  private static BundleHandle running(FnGateway gateway, TestHarness harness) {
    gateway.register("d1");
    BundleHandle bundle = gateway.start("w1", "d1");
    harness.takeRegister();
    harness.takeBundle();
    return bundle;
  }

  private static void assertServes(FnGateway gateway, TestHarness harness) {
    harness.echoing();
    BundleHandle bundle = gateway.start("w1", "d1");
    Future<Buffer> output = gateway.collect(bundle);
    gateway.give(bundle, "as if nothing had been");
    assertThat(get(output)).hasToString("as if nothing had been");
  }

  private static void awaitDropped(FnGateway gateway, String reason, int count) {
    String meter = "headgate_fn_dropped_total{reason=\"" + reason + "\"}";
    await().untilAsserted(() -> assertThat(gateway.metric(meter)).isEqualTo(count));
  }

  @Test
  void F10_a_killed_harness_takes_its_bundles_with_it_and_nothing_else() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness other = TestHarness.connect(gateway.port(), "w2").echoing();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      Future<Buffer> output = gateway.collect(bundle);
      harness.data().send(TestHarness.piece(bundle.id(), Samples.OUTPUT, bytes("half of")));
      harness.state();
      harness.logging();
      await()
          .untilAsserted(
              () ->
                  assertThat(get(bundle.status()))
                      .satisfies(now -> assertThat(now.outputs().get(0).bytes()).isPositive()));
      harness.kill();
      assertThat(gateway.ended(bundle).failure())
          .isIn(BundleFailure.HARNESS_LOST, BundleFailure.DATA_LOST);
      await().until(output::isComplete);
      assertThat(output.failed()).isTrue();
      await()
          .until(
              () ->
                  get(gateway.runner().harnesses()).stream()
                      .noneMatch(
                          w -> w.id().equals("w1") && (w.control() || w.data() || w.state())));
      BundleHandle elsewhere = gateway.start("w2", "d1");
      Future<Buffer> fine = gateway.collect(elsewhere);
      gateway.give(elsewhere, "fine");
      assertThat(get(fine)).hasToString("fine");
      try (TestHarness again = TestHarness.connect(gateway.port(), "w1")) {
        assertServes(gateway, again);
      }
    }
  }

  @Test
  void F10_oversize_and_malformed_responses_are_counted_and_control_goes_on() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      harness.control().send(TestHarness.failed(bundle.id(), "x".repeat(5 << 20)));
      awaitDropped(gateway, "oversize", 1);
      assertThat(get(bundle.status()).phase()).isEqualTo(BundleStatus.Phase.RUNNING);
      harness.control().send(InstructionResponse.newBuilder().setInstructionId("none").build());
      assertServes(gateway, harness);
      get(bundle.cancel());
    }
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.idle(gateway.port(), "w1")) {
      ClientStream<byte[], byte[]> raw = harness.openRaw("BeamFnControl/Control");
      assertThat(raw.accepted()).isTrue();
      raw.send(GARBAGE).send(new byte[0]);
      awaitDropped(gateway, "malformed", 1);
      assertThat(raw.isOver()).isFalse();
      assertThat(get(gateway.runner().harnesses()).get(0).control()).isTrue();
    }
  }

  @Test
  void F10_oversize_and_malformed_data_ends_the_stream_and_fails_what_may_have_lost_some() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle large = running(gateway, harness);
      harness.data().send(TestHarness.piece(large.id(), Samples.OUTPUT, new byte[5 << 20]));
      assertThat(gateway.ended(large).failure()).isEqualTo(BundleFailure.DATA_LOST);
      assertThat(harness.data().ended()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      awaitDropped(gateway, "oversize", 1);

      BundleHandle broken = gateway.start("w1", "d1");
      harness.takeBundle();
      ClientStream<byte[], byte[]> raw = harness.openRaw("BeamFnData/Data");
      assertThat(raw.accepted()).isTrue();
      raw.send(GARBAGE);
      assertThat(gateway.ended(broken).failure()).isEqualTo(BundleFailure.DATA_LOST);
      assertThat(raw.ended()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      awaitDropped(gateway, "malformed", 1);

      await().until(() -> harness.openData(1_000).accepted());
      assertServes(gateway, harness);
    }
  }

  @Test
  void F10_malformed_state_and_logs_are_counted() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      ClientStream<byte[], byte[]> state = harness.openRaw("BeamFnState/State");
      assertThat(state.accepted()).isTrue();
      state.send(GARBAGE);
      assertThat(state.ended()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.STATE_LOST);
      ClientStream<byte[], byte[]> logging = harness.openRaw("BeamFnLogging/Logging");
      assertThat(logging.accepted()).isTrue();
      logging.send(GARBAGE);
      awaitDropped(gateway, "malformed", 2);
      logging.send(new byte[] {10, 2, 26, 50}); // an entry that breaks off
      awaitDropped(gateway, "malformed", 3);
      assertThat(logging.isOver()).isFalse();
    }
  }

  @Test
  void F10_ten_thousand_half_open_streams_leave_nothing_and_stop_nobody() {
    try (FnGateway gateway = FnGateway.open(Map.of("logKept", Duration.ofSeconds(1)));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      HttpClient client =
          gateway
              .vertx()
              .createHttpClient(
                  new HttpClientOptions()
                      .setProtocolVersion(HttpVersion.HTTP_2)
                      .setHttp2ClearTextUpgrade(false)
                      .setHttp2MultiplexingLimit(100),
                  new PoolOptions().setHttp2MaxSize(110).setMaxWaitQueueSize(20_000));
      Outcomes outcomes = new Outcomes();
      for (int i = 0; i < 10_000; i++) {
        String path = i % 2 == 0 ? "BeamFnControl/Control" : "BeamFnData/Data";
        String id = "h" + i;
        client
            .request(HttpMethod.POST, gateway.port(), "127.0.0.1", "/org.apache.beam.fn.v1." + path)
            .onFailure(failure -> outcomes.broken.incrementAndGet())
            .onSuccess(request -> halfOpen(request, id, outcomes));
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(outcomes.all()).isEqualTo(10_000));
      // A connection with too many refused streams is closed, and takes along those let in and,
      // where it was slow to read them, most refusals.
      assertThat(outcomes.letIn.get()).isGreaterThanOrEqualTo(1);
      assertThat(outcomes.crowded.get()).isGreaterThanOrEqualTo(1);
      assertThat(gateway.metric("headgate_fn_streams_refused_total{reason=\"crowded\"}"))
          .isGreaterThanOrEqualTo(outcomes.crowded.get());
      assertThat(get(gateway.runner().harnesses())).hasSizeLessThanOrEqualTo(256);
      assertServes(gateway, harness);
      get(client.close());
      await().until(() -> get(gateway.runner().harnesses()).size() == 1);
      assertThat(gateway.metric("headgate_fn_connections")).isLessThan(10);
    }
  }

  /** What became of half-open streams. */
  private static final class Outcomes {
    final AtomicInteger letIn = new AtomicInteger();
    final AtomicInteger crowded = new AtomicInteger();
    final AtomicInteger broken = new AtomicInteger();

    int all() {
      return letIn.get() + crowded.get() + broken.get();
    }
  }

  private static void halfOpen(HttpClientRequest request, String id, Outcomes outcomes) {
    request.putHeader("content-type", "application/grpc").putHeader("worker_id", id);
    request.setChunked(true);
    request.exceptionHandler(reset -> {});
    request
        .response()
        .onFailure(failure -> outcomes.broken.incrementAndGet())
        .onSuccess(
            response -> {
              response.exceptionHandler(reset -> {});
              String status = response.getHeader("grpc-status");
              (status == null ? outcomes.letIn : outcomes.crowded).incrementAndGet();
            });
    request.sendHead();
  }

  @Test
  void F10_an_endless_logical_stream_ends_with_the_bundles_deadline() {
    try (FnGateway gateway = FnGateway.open(Map.of("bundleDeadline", Duration.ofSeconds(2)));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness);
      BundleOutput output = get(bundle.output(Samples.OUT));
      output.handler(bytes -> {});
      var piece = TestHarness.piece(bundle.id(), Samples.OUTPUT, new byte[100_000]);
      Runnable send =
          () -> {
            while (harness.data().isReady()) {
              harness.data().send(piece);
            }
          };
      harness.data().onReady(send);
      send.run();
      harness.processed(bundle.id());
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.DEADLINE);
      harness.data().onReady(() -> {});
      await().until(() -> gateway.metric("headgate_fn_held_bytes") == 0);
    }
  }

  @Test
  void F10_packed_messages_are_refused_before_they_are_unpacked() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.idle(gateway.port(), "w1")) {
      HttpClient client =
          gateway
              .vertx()
              .createHttpClient(
                  new HttpClientOptions()
                      .setProtocolVersion(HttpVersion.HTTP_2)
                      .setHttp2ClearTextUpgrade(false));
      List<String> statuses = new ArrayList<>();
      for (String coding : List.of("gzip", "made-up")) {
        statuses.add(
            get(
                client
                    .request(
                        HttpMethod.POST,
                        gateway.port(),
                        "127.0.0.1",
                        "/org.apache.beam.fn.v1.BeamFnControl/Control")
                    .compose(
                        request ->
                            request
                                .putHeader("content-type", "application/grpc")
                                .putHeader("grpc-encoding", coding)
                                .send())
                    .map(response -> response.getHeader("grpc-status"))));
      }
      assertThat(statuses).containsExactly("12", "12");
      // And a message that only says that it is packed is an unreadable one.
      HttpClientRequest sly =
          get(
              client.request(
                  HttpMethod.POST,
                  gateway.port(),
                  "127.0.0.1",
                  "/org.apache.beam.fn.v1.BeamFnControl/Control"));
      sly.putHeader("content-type", "application/grpc").setChunked(true);
      sly.exceptionHandler(closed -> {});
      sly.response().onSuccess(response -> response.exceptionHandler(closed -> {}));
      sly.write(Buffer.buffer(new byte[] {1, 0, 0, 0, 5, 10, 100, 1, 2, 3}));
      awaitDropped(gateway, "malformed", 1);
      get(client.close());
    }
  }

  @Test
  void F10_a_worker_id_of_any_length_is_not_kept() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness fits = TestHarness.connect(gateway.port(), "w".repeat(256));
        TestHarness longer = TestHarness.idle(gateway.port(), "w".repeat(257))) {
      assertThat(longer.control().ended()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(get(gateway.runner().harnesses())).hasSize(1);
    }
  }
}
