package io.headgate.fn;

import static io.headgate.fn.kit.FnGateway.bytes;
import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.fn.v1.BeamFnApi.CacheToken;
import org.apache.beam.fn.v1.BeamFnApi.InstructionRequest;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleProgressResponse;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.junit.jupiter.api.Test;

/** Who may connect, and what becomes of instructions. */
class ControlStreamTest {
  @Test
  void F2_a_second_control_stream_of_a_live_id_is_refused_and_the_first_lives_on() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness first = TestHarness.connect(gateway.port(), "w1");
        TestHarness second = TestHarness.idle(gateway.port(), "w1")) {
      assertThat(second.control().ended()).isEqualTo(Status.Code.ALREADY_EXISTS);
      first.echoing();
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      Future<Buffer> output = gateway.collect(bundle);
      gateway.give(bundle, "still here");
      assertThat(get(output)).hasToString("still here");
    }
  }

  @Test
  void F2_one_harness_may_come_without_an_id_and_no_more() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness first = TestHarness.connect(gateway.port(), null);
        TestHarness second = TestHarness.idle(gateway.port(), null)) {
      assertThat(second.control().ended()).isEqualTo(Status.Code.ALREADY_EXISTS);
      assertThat(get(gateway.runner().harnesses())).singleElement().matches(HarnessStatus::control);
      first.echoing();
      gateway.register("d1");
      BundleHandle bundle = gateway.start("", "d1");
      Future<Buffer> output = gateway.collect(bundle);
      gateway.give(bundle, "nameless");
      assertThat(get(output)).hasToString("nameless");
    }
  }

  @Test
  void F2_instructions_have_ids_that_are_never_used_twice() {
    Set<String> ids = new HashSet<>();
    int given = 0;
    for (int start = 0; start < 2; start++) {
      try (FnGateway gateway = FnGateway.open();
          TestHarness harness = TestHarness.connect(gateway.port(), "w1").echoing()) {
        gateway.register("d1");
        for (int i = 0; i < 5; i++) {
          BundleHandle bundle = gateway.start("w1", "d1");
          gateway.collect(bundle);
          gateway.give(bundle, "x");
          gateway.ended(bundle);
          ids.add(bundle.id());
          given++;
        }
      }
    }
    assertThat(ids).hasSize(given);
  }

  @Test
  void F2_past_the_places_of_a_harness_the_caller_is_refused_at_once() {
    try (FnGateway gateway = FnGateway.open(Map.of("outstanding", 3));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      BundleHandle first = gateway.start("w1", "d1"); // one place for it, one for the register
      BundleHandle second = gateway.start("w1", "d1");
      assertBusy(gateway);
      harness.takeRegister();
      harness.takeBundle();
      harness.takeBundle();
      BundleHandle third = gateway.start("w1", "d1");
      harness.takeBundle();
      assertBusy(gateway);
      // A bundle that was called off keeps its place for as long as its harness may be at work.
      get(third.cancel());
      assertBusy(gateway);
      harness.control().send(TestHarness.failed(third.id(), "stopped"));
      await()
          .untilAsserted(
              () ->
                  assertThat(get(gateway.runner().harnesses()).get(0).outstanding()).isEqualTo(2));
      BundleHandle fourth = gateway.start("w1", "d1");
      assertThat(gateway.metric("headgate_fn_bundles_busy_total")).isEqualTo(3);
      for (BundleHandle bundle : List.of(first, second, fourth)) {
        get(bundle.cancel());
      }
    }
  }

  private static void assertBusy(FnGateway gateway) {
    assertThatThrownBy(() -> gateway.start("w1", "d1"))
        .isInstanceOfSatisfying(
            FnRefusedException.class, e -> assertThat(e.reason()).isEqualTo(Refusal.BUSY));
  }

  @Test
  void F2_unknown_late_and_repeated_responses_are_counted_and_ignored() {
    try (FnGateway gateway = FnGateway.open(Map.of("instructionDeadline", Duration.ofMillis(100)));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      harness.control().send(TestHarness.processedResponse("never-heard-of"));
      BundleHandle bundle = gateway.start("w1", "d1");
      InstructionRequest register = harness.control().next();
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.NOT_REGISTERED);
      harness.control().send(TestHarness.registered(register.getInstructionId()));
      harness.control().send(TestHarness.failed(bundle.id(), "no such descriptor"));
      harness.control().send(TestHarness.failed(bundle.id(), "as I said"));
      for (String reason : List.of("unknown", "late", "repeated")) {
        String meter = "headgate_fn_responses_ignored_total{reason=\"" + reason + "\"}";
        await().untilAsserted(() -> assertThat(gateway.metric(meter)).as(reason).isOne());
      }
      assertThat(harness.control().isOver()).isFalse();
    }
  }

  @Test
  void F2_when_the_stream_ends_everything_outstanding_fails_at_once() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      gateway.register("d2");
      BundleHandle running = gateway.start("w1", "d1");
      harness.takeRegister();
      harness.takeBundle();
      BundleHandle registering = gateway.start("w1", "d2");
      Future<Buffer> output = gateway.collect(running);
      harness.data().send(TestHarness.piece(running.id(), Samples.OUTPUT, bytes("part")));
      Future<Answer.Progress> progress = running.progress();
      harness.control().cancel();
      assertThat(gateway.ended(running).failure()).isEqualTo(BundleFailure.HARNESS_LOST);
      assertThat(gateway.ended(registering).failure()).isEqualTo(BundleFailure.HARNESS_LOST);
      assertThatThrownBy(() -> get(output))
          .isInstanceOfSatisfying(
              BundleFailedException.class,
              e -> assertThat(e.reason()).isEqualTo(BundleFailure.HARNESS_LOST));
      assertThatThrownBy(() -> get(progress)).isInstanceOf(FnRefusedException.class);
      assertThatThrownBy(() -> gateway.start("w1", "d1"))
          .isInstanceOfSatisfying(
              FnRefusedException.class, e -> assertThat(e.reason()).isEqualTo(Refusal.NO_HARNESS));
    }
  }

  @Test
  void F3_a_descriptor_is_sent_before_the_first_bundle_and_again_after_a_reconnect() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      for (int connection = 0; connection < 2; connection++) {
        BundleHandle first = gateway.start("w1", "d1");
        InstructionRequest register = harness.takeRegister();
        assertThat(register.getRegister().getProcessBundleDescriptorList())
            .singleElement()
            .satisfies(sent -> assertThat(sent.getId()).isEqualTo("d1"));
        harness.takeBundle();
        BundleHandle second = gateway.start("w1", "d1");
        harness.takeBundle(); // at once, without another register
        harness.control().cancel();
        gateway.ended(first);
        gateway.ended(second);
        await().until(() -> harness.openControl().accepted());
      }
    }
  }

  @Test
  void F2_bundles_that_wait_for_one_register_share_it() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      BundleHandle first = gateway.start("w1", "d1");
      BundleHandle second = gateway.start("w1", "d1");
      harness.takeRegister();
      assertThat(
              Set.of(
                  harness.takeBundle().getInstructionId(), harness.takeBundle().getInstructionId()))
          .containsExactlyInAnyOrder(first.id(), second.id());
      harness.control().cancel();
    }
  }

  @Test
  void F2_a_harness_that_never_answers_costs_the_deadline_and_no_more() {
    try (FnGateway gateway =
            FnGateway.open(Map.of("bundleDeadline", Duration.ofMillis(200), "outstanding", 2));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      harness.takeRegister();
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.DEADLINE);
      get(gateway.start("w1", "d1").cancel()); // its place is free again
    }
  }

  @Test
  void F2_a_response_of_another_kind_fails_its_instruction() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      BundleHandle wrong = gateway.start("w1", "d1");
      harness.takeRegister();
      harness.takeBundle();
      harness.control().send(TestHarness.registered(wrong.id()));
      assertThat(gateway.ended(wrong).failure()).isEqualTo(BundleFailure.WRONG_RESPONSE);
      BundleHandle empty = gateway.start("w1", "d1");
      harness.takeBundle();
      harness.control().send(InstructionResponse.newBuilder().setInstructionId(empty.id()).build());
      assertThat(gateway.ended(empty).failure()).isEqualTo(BundleFailure.WRONG_RESPONSE);
      BundleHandle faulty = gateway.start("w1", "d1");
      harness.takeBundle();
      harness.control().send(TestHarness.failed(faulty.id(), "a fault of the user's function"));
      assertThat(gateway.ended(faulty).failure()).isEqualTo(BundleFailure.HARNESS_ERROR);
      assertThat(get(gateway.runner().log("w1")))
          .extracting(LogLine::message)
          .containsExactly("a fault of the user's function");
    }
  }

  @Test
  void F5_cache_tokens_progress_and_split_pass_through() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      BundleHandle bundle =
          get(
              gateway
                  .runner()
                  .start(
                      "w1",
                      "d1",
                      List.of(
                          new ControlLink.CacheToken(
                              new PortId("work", "state"), Buffer.buffer("token")))));
      harness.takeRegister();
      List<CacheToken> tokens = harness.takeBundle().getProcessBundle().getCacheTokensList();
      assertThat(tokens)
          .singleElement()
          .satisfies(
              token -> {
                assertThat(token.getTarget()).isEqualTo(Samples.target("work", "state"));
                assertThat(token.getToken().toStringUtf8()).isEqualTo("token");
              });

      Future<Answer.Progress> progress = bundle.progress();
      InstructionRequest asked = harness.control().next();
      assertThat(asked.getProcessBundleProgress().getInstructionReference()).isEqualTo(bundle.id());
      harness
          .control()
          .send(
              InstructionResponse.newBuilder()
                  .setInstructionId(asked.getInstructionId())
                  .setProcessBundleProgress(
                      ProcessBundleProgressResponse.newBuilder()
                          .setFinishedWork(3.5)
                          .setBacklog(0.25))
                  .build());
      assertThat(get(progress)).isEqualTo(new Answer.Progress(3.5, 0.25));

      Future<Answer.Split> split = bundle.split(0.5);
      asked = harness.control().next();
      assertThat(asked.getProcessBundleSplit().getInstructionReference()).isEqualTo(bundle.id());
      assertThat(asked.getProcessBundleSplit().getFraction()).isEqualTo(0.5);
      ProcessBundleSplitResponse splits =
          ProcessBundleSplitResponse.newBuilder()
              .addSplits(
                  org.apache.beam.fn.v1.BeamFnApi.PrimitiveTransformSplit.newBuilder()
                      .setPrimitiveTransformReference("work"))
              .build();
      harness
          .control()
          .send(
              InstructionResponse.newBuilder()
                  .setInstructionId(asked.getInstructionId())
                  .setProcessBundleSplit(splits)
                  .build());
      assertThat(get(split).splits().getBytes()).isEqualTo(splits.toByteArray());
      harness.control().send(TestHarness.failed(bundle.id(), "enough"));
      gateway.ended(bundle);
      assertThatThrownBy(() -> get(bundle.progress()))
          .isInstanceOfSatisfying(
              FnRefusedException.class, e -> assertThat(e.reason()).isEqualTo(Refusal.NOT_AT_WORK));
    }
  }
}
