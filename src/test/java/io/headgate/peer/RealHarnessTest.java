package io.headgate.peer;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.headgate.fn.BundleFailedException;
import io.headgate.fn.BundleFailure;
import io.headgate.fn.BundleHandle;
import io.headgate.fn.BundleInput;
import io.headgate.fn.BundleOutput;
import io.headgate.fn.BundleStatus;
import io.headgate.fn.LogLine;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.peer.BeamElements.Pair;
import io.headgate.peer.RealHarness.Stage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Beam's own Java SDK harness, of 2.11.0, runs functions that are written with Beam's SDK. It
 * speaks the successor of our protocol, so a bridge in its process rewrites the messages that
 * differ: the descriptor, requests for state and their answers, severities of logs. What comes on
 * Data, and answers to instructions, is the harness's own.
 */
class RealHarnessTest {
  /** A few seconds on a machine that is not busy. */
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  /** What takes a second, on a machine that is busy. */
  private static final Duration BUSY_LIMIT = Duration.ofSeconds(60);

  private static final String HARNESS = "beam-2.11.0";

  private static FnGateway gateway;
  private static RealHarness harness;
  private static Map<String, Stage> stages;

  @BeforeAll
  static void connect() {
    gateway = FnGateway.open();
    harness = RealHarness.start(gateway.port(), HARNESS);
    await("connected: " + RealHarness.log())
        .atMost(START_LIMIT)
        .failFast("exited early: " + RealHarness.log(), () -> !harness.running())
        .until(() -> isReady(HARNESS));
    stages = harness.stages().stream().collect(Collectors.toMap(Stage::id, Function.identity()));
    stages.values().forEach(stage -> gateway.register(descriptor(stage)));
  }

  /** Data and State it opens when it needs them. */
  private static boolean isReady(String id) {
    return get(gateway.runner().harnesses()).stream()
        .anyMatch(status -> status.id().equals(id) && status.control() && status.logging());
  }

  /** Its id and its ports are what the gateway needs to know of a stage. */
  private static ProcessBundleDescriptor descriptor(Stage stage) {
    String in = stage.input().transform();
    String out = stage.output().transform();
    return ProcessBundleDescriptor.newBuilder()
        .setId(stage.id())
        .addCoders(Samples.coder("bytes"))
        .addPrimitiveTransform(
            Samples.transform(in, Samples.INPUT_URN)
                .putOutputs(stage.input().name(), Samples.collection("bytes")))
        .addPrimitiveTransform(
            Samples.transform("work", "urn:example:work:1")
                .putInputs("main", Samples.targets(Samples.target(in, stage.input().name())))
                .putOutputs("result", Samples.collection("bytes")))
        .addPrimitiveTransform(
            Samples.transform(out, Samples.OUTPUT_URN)
                .putInputs(
                    stage.output().name(), Samples.targets(Samples.target("work", "result"))))
        .build();
  }

  /** It has to see that the gateway goes, as real harnesses end then. */
  @AfterAll
  static void part() {
    try (FnGateway closed = gateway;
        RealHarness ended = harness) {
      get(closed.stop());
      assertThat(ended.awaitExit()).as("exit code; see %s", RealHarness.log()).isZero();
    }
  }

  private static BundleHandle start(String stage) {
    return gateway.start(HARNESS, stage);
  }

  /** Runs a bundle with this input, and gives what came out once it has succeeded. */
  private static List<Pair> run(String stage, Buffer... elements) {
    BundleHandle bundle = start(stage);
    Future<Buffer> output = gateway.collect(bundle, stages.get(stage).output());
    give(bundle, stage, elements);
    List<Pair> pairs = BeamElements.pairs(get(output));
    assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
    return pairs;
  }

  private static void give(BundleHandle bundle, String stage, Buffer... elements) {
    BundleInput input = get(bundle.input(stages.get(stage).input()));
    for (Buffer element : elements) {
      input.write(element);
    }
    input.end();
  }

  private static void failsOnly(String stage, Buffer... elements) {
    BundleHandle bundle = start(stage);
    Future<Buffer> output = gateway.collect(bundle, stages.get(stage).output());
    give(bundle, stage, elements);
    assertThatThrownBy(() -> get(output))
        .isInstanceOfSatisfying(
            BundleFailedException.class,
            e -> assertThat(e.reason()).isEqualTo(BundleFailure.HARNESS_ERROR));
  }

  /** Logs come on a stream of their own, and so a little later. */
  private static void logs(Predicate<LogLine> line) {
    await()
        .atMost(BUSY_LIMIT)
        .untilAsserted(() -> assertThat(get(gateway.runner().log(HARNESS))).anyMatch(line));
  }

  @Test
  void F6_F8_a_function_of_beams_runs_in_a_bundle_and_what_it_logs_is_in_the_ring() {
    assertThat(run("words", BeamElements.text("to be"), BeamElements.text("or not")))
        .containsExactly(
            new Pair("to", "TO"),
            new Pair("be", "BE"),
            new Pair("or", "OR"),
            new Pair("not", "NOT"));
    logs(
        line ->
            line.severity() == LogLine.Severity.INFO
                && line.location().equals("Stages")
                && line.message().equals("words of or not"));
  }

  @Test
  void F7_the_state_of_a_function_of_beams_is_kept_from_bundle_to_bundle() {
    assertThat(
            run(
                "visits",
                BeamElements.pair("ann", "1"),
                BeamElements.pair("bob", "2"),
                BeamElements.pair("ann", "3")))
        .containsExactly(new Pair("ann", "1"), new Pair("bob", "2"), new Pair("ann", "1,3"));
    assertThat(run("visits", BeamElements.pair("bob", "4"), BeamElements.pair("ann", "5")))
        .containsExactly(new Pair("bob", "2,4"), new Pair("ann", "1,3,5"));
    assertThat(run("visits", BeamElements.pair("ann", "forget"), BeamElements.pair("ann", "6")))
        .containsExactly(new Pair("ann", "6"));
    assertThat(run("visits", BeamElements.pair("ann", "7"), BeamElements.pair("bob", "8")))
        .containsExactly(new Pair("ann", "6,7"), new Pair("bob", "2,4,8"));
    logs(line -> line.severity() == LogLine.Severity.WARN && line.message().equals("visit of 8"));
  }

  @Test
  void F7_a_function_of_beams_that_fails_leaves_its_state_as_it_was() {
    assertThat(run("visits", BeamElements.pair("eve", "1"))).containsExactly(new Pair("eve", "1"));
    failsOnly("visits", BeamElements.pair("eve", "2"), BeamElements.pair("eve", "fail"));
    assertThat(run("visits", BeamElements.pair("eve", "3")))
        .containsExactly(new Pair("eve", "1,3"));
    logs(line -> line.message().contains("asked to forget all of 1,2,fail"));
  }

  @Test
  void F10_beams_harness_is_killed_in_a_bundle_and_another_goes_on() {
    try (RealHarness doomed = RealHarness.another(gateway.port(), "doomed")) {
      await().atMost(START_LIMIT).until(() -> isReady("doomed"));
      BundleHandle bundle = gateway.start("doomed", "words");
      BundleOutput output = get(bundle.output(stages.get("words").output()));
      Promise<Void> end = Promise.promise();
      output.pause().exceptionHandler(end::fail).handler(bytes -> {});
      give(bundle, "words", BeamElements.text("100000"));
      await().atMost(BUSY_LIMIT).until(() -> gateway.metric("headgate_fn_held_bytes") > 1_000_000);
      doomed.kill();
      assertThat(gateway.ended(bundle).failure())
          .isIn(BundleFailure.HARNESS_LOST, BundleFailure.DATA_LOST); // whichever breaks first
      assertThatThrownBy(() -> get(end.future())).isInstanceOf(BundleFailedException.class);
      await().until(() -> gateway.metric("headgate_fn_held_bytes") == 0);
      assertThat(run("words", BeamElements.text("on"))).containsExactly(new Pair("on", "ON"));
    }
  }

  @Test
  void F6_a_function_of_beams_fails_its_bundle_and_no_other() {
    failsOnly("words", BeamElements.text("to fail"));
    assertThat(run("words", BeamElements.text("again")))
        .containsExactly(new Pair("again", "AGAIN"));
  }

  @Test
  void F5_F6_a_hundred_megabytes_come_from_a_function_of_beams_through_a_reader_that_pauses() {
    BundleHandle bundle = start("words");
    BundleOutput output = get(bundle.output(stages.get("words").output()));
    Promise<Void> end = Promise.promise();
    AtomicLong taken = new AtomicLong();
    output.pause().exceptionHandler(end::fail).endHandler(nothing -> end.complete());
    output.handler(bytes -> taken.addAndGet(bytes.length()));
    give(bundle, "words", BeamElements.text("100000"));
    await().atMost(BUSY_LIMIT).until(() -> gateway.metric("headgate_fn_data_pauses_total") > 0);
    output.resume();
    get(end.future());
    // Time, windows, pane, an empty key, and the value behind a length of two bytes.
    assertThat(taken.get()).isEqualTo(100_000L * (8 + 4 + 1 + 1 + 2 + 1000));
  }
}
