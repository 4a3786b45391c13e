package io.headgate.fn;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.fn.v1.BeamFnApi.Elements;
import org.junit.jupiter.api.Test;

/** A slow end slows the other, and what lies between stays bounded. */
class BackpressureTest {
  private static final int PIECE = 256 * 1024;

  /** Sends pieces for as long as the stream takes them; says how many bytes it took. */
  private static AtomicLong flood(TestHarness harness, BundleHandle bundle) {
    AtomicLong sent = new AtomicLong();
    Elements piece = TestHarness.piece(bundle.id(), Samples.OUTPUT, new byte[PIECE]);
    Runnable send =
        () -> {
          while (harness.data().isReady()) {
            harness.data().send(piece);
            sent.addAndGet(PIECE);
          }
        };
    harness.data().onReady(send);
    send.run();
    return sent;
  }

  private static BundleHandle running(FnGateway gateway, TestHarness harness, String worker) {
    gateway.register("d1");
    BundleHandle bundle = gateway.start(worker, "d1");
    harness.takeRegister();
    harness.takeBundle();
    return bundle;
  }

  /** Waits until a number no longer grows. */
  private static long settled(AtomicLong number) {
    AtomicLong before = new AtomicLong(-1);
    await()
        .pollInterval(Duration.ofMillis(200))
        .until(() -> before.getAndSet(number.get()) == number.get());
    return number.get();
  }

  @Test
  void F5_a_reader_that_stops_holds_the_harness_and_what_is_held_stays_bounded() {
    try (FnGateway gateway = FnGateway.open(Map.of("streamBytes", 2 << 20));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness, "w1");
      BundleOutput output = get(bundle.output(Samples.OUT));
      output.pause().handler(bytes -> {});
      AtomicLong sent = flood(harness, bundle);
      long atRest = settled(sent);
      // Held here, in the window of HTTP/2, in the harness's own buffer.
      assertThat(atRest).isLessThan((2L + 1 + 1 + 1) << 20);
      assertThat(gateway.metric("headgate_fn_held_bytes")).isLessThan((2 << 20) + PIECE + 1);
      assertThat(gateway.metric("headgate_fn_data_pauses_total")).isOne();
      output.resume();
      await().until(() -> sent.get() > 20L << 20); // it goes on
      get(bundle.cancel());
    }
  }

  @Test
  void F5_a_bundle_on_another_harness_goes_on_and_one_on_the_same_waits_for_the_idle_reader() {
    try (FnGateway gateway =
            FnGateway.open(Map.of("readIdle", Duration.ofSeconds(3), "streamBytes", 1 << 20));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1");
        TestHarness other = TestHarness.connect(gateway.port(), "w2").echoing()) {
      BundleHandle stuck = running(gateway, harness, "w1");
      BundleHandle waiting = gateway.start("w1", "d1");
      harness.takeBundle();
      BundleOutput idle = get(stuck.output(Samples.OUT));
      idle.pause().handler(bytes -> {});
      Future<Buffer> behind = gateway.collect(waiting);
      settled(flood(harness, stuck));
      harness.data().onReady(() -> {});
      harness.data().send(TestHarness.piece(waiting.id(), Samples.OUTPUT, new byte[1]));
      harness.data().send(TestHarness.end(waiting.id(), Samples.OUTPUT));
      harness.processed(waiting.id());

      BundleHandle elsewhere = gateway.start("w2", "d1");
      Future<Buffer> output = gateway.collect(elsewhere);
      gateway.give(elsewhere, "meanwhile");
      assertThat(get(output)).hasToString("meanwhile");
      assertThat(behind.isComplete()).as("behind the idle reader").isFalse();

      assertThat(gateway.ended(stuck).failure()).isEqualTo(BundleFailure.READER_IDLE);
      assertThat(get(behind).length()).isOne();
      harness.control().send(TestHarness.failed(stuck.id(), "stopped"));
    }
  }

  @Test
  void F5_a_reader_that_takes_a_little_now_and_then_is_not_idle() {
    try (FnGateway gateway =
            FnGateway.open(Map.of("readIdle", Duration.ofSeconds(1), "streamBytes", 1 << 20));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness, "w1");
      BundleOutput output = get(bundle.output(Samples.OUT));
      output.pause().handler(bytes -> {});
      flood(harness, bundle);
      long timer = gateway.vertx().setPeriodic(300, tick -> output.fetch(1));
      await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
      assertThat(get(bundle.status()).phase()).isEqualTo(BundleStatus.Phase.RUNNING);
      gateway.vertx().cancelTimer(timer);
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.READER_IDLE);
    }
  }

  @Test
  void F5_input_beyond_the_buffer_is_taken_only_while_every_output_is_open() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness, "w1");
      harness.data();
      BundleInput input = get(bundle.input(Samples.IN));
      Future<Void> first = input.write(Buffer.buffer(new byte[256 << 10]));
      assertThat(input.writeQueueFull()).isTrue();
      assertThat(get(bundle.status()).inputs().get(0).bytes()).isEqualTo(256 << 10);
      assertThat(first.isComplete()).as("taken").isFalse();
      assertThat(harness.data().waiting()).isZero();
      gateway.collect(bundle);
      get(first);
      assertThat(harness.data().next().getData(0).getData().size()).isEqualTo(256 << 10);
      get(bundle.cancel());
    }
  }

  @Test
  void F5_a_harness_that_stops_reading_holds_the_writer() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness, "w1");
      harness.openData(0);
      gateway.collect(bundle);
      BundleInput input = get(bundle.input(Samples.IN));
      AtomicLong taken = new AtomicLong();
      write(input, taken);
      long atRest = settled(taken);
      // In the harness's window, on the stream here, and one write more.
      assertThat(atRest).isLessThan((1L + 1 + 1 + 1) << 20);
      harness.data().request(1_000);
      await().until(() -> taken.get() > 20L << 20); // it goes on
      get(bundle.cancel());
    }
  }

  private static void write(BundleInput input, AtomicLong taken) {
    input
        .write(Buffer.buffer(new byte[PIECE]))
        .onSuccess(
            v -> {
              taken.addAndGet(PIECE);
              write(input, taken);
            });
  }

  @Test
  void F5_a_writer_that_heeds_nothing_fails_its_bundle_before_it_fills_the_memory() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      BundleHandle bundle = running(gateway, harness, "w1");
      BundleInput input = get(bundle.input(Samples.IN));
      Buffer megabyte = Buffer.buffer(new byte[1 << 20]);
      for (int i = 0; i < 20; i++) {
        input.write(megabyte);
      }
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.INPUT_BROKEN);
    }
  }

  @Test
  void F6_when_all_harnesses_together_hold_too_much_each_is_held_to_one_message() {
    try (FnGateway gateway = FnGateway.open(Map.of("streamBytes", 4 << 20, "heldBytes", 3L << 20));
        TestHarness first = TestHarness.connect(gateway.port(), "w1");
        TestHarness second = TestHarness.connect(gateway.port(), "w2")) {
      BundleHandle one = running(gateway, first, "w1");
      BundleHandle two = running(gateway, second, "w2");
      BundleOutput oneOut = get(one.output(Samples.OUT));
      oneOut.pause().handler(bytes -> {});
      BundleOutput twoOut = get(two.output(Samples.OUT));
      twoOut.pause().handler(bytes -> {});
      settled(flood(first, one));
      AtomicLong sent = flood(second, two);
      settled(sent);
      assertThat(gateway.metric("headgate_fn_held_bytes")).isLessThan((3L << 20) + 3 * PIECE);
      oneOut.resume(); // makes room, and both go on
      twoOut.resume();
      await().until(() -> sent.get() > 20L << 20);
      get(one.cancel());
      get(two.cancel());
    }
  }
}
