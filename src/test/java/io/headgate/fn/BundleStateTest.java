package io.headgate.fn;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.StateClient;
import io.headgate.fn.kit.TestHarness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.beam.fn.v1.BeamFnApi.ContinuableStream;
import org.apache.beam.fn.v1.BeamFnApi.StateKey;
import org.apache.beam.fn.v1.BeamFnApi.StateRequest;
import org.apache.beam.fn.v1.BeamFnApi.StateResponse;
import org.junit.jupiter.api.Test;

/** State as bundles see it: their own at once, that of others when these have succeeded. */
class BundleStateTest {
  private static final StateKey CELL = Samples.key("work", "bag", "alice");
  private static final StateKey OTHER = Samples.key("work", "bag", "bob");

  private static BundleHandle start(FnGateway gateway, TestHarness harness) {
    BundleHandle bundle = gateway.start("w1", "d1");
    if (harness.control().next().hasRegister()) {
      throw new AssertionError("register first");
    }
    return bundle;
  }

  /** A harness that has the descriptor. */
  private static TestHarness harness(FnGateway gateway) {
    TestHarness harness = TestHarness.connect(gateway.port(), "w1");
    gateway.register("d1");
    BundleHandle first = gateway.start("w1", "d1");
    harness.takeRegister();
    harness.takeBundle();
    succeed(gateway, harness, first);
    return harness;
  }

  private static void succeed(FnGateway gateway, TestHarness harness, BundleHandle bundle) {
    gateway.collect(bundle);
    harness.data().send(TestHarness.end(bundle.id(), Samples.OUTPUT));
    harness.processed(bundle.id());
    assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
  }

  private static void fail(FnGateway gateway, TestHarness harness, BundleHandle bundle) {
    harness.control().send(TestHarness.failed(bundle.id(), "failed"));
    assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.FAILED);
  }

  @Test
  void F7_a_bundle_sees_its_own_writes_at_once_and_others_see_them_once_it_has_succeeded() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle first = start(gateway, harness);
      StateClient state = new StateClient(harness, first);
      assertThat(state.read(CELL)).isEmpty();
      state.append(CELL, "a");
      state.append(CELL, "b");
      assertThat(state.read(CELL)).isEqualTo("ab");
      succeed(gateway, harness, first);

      BundleHandle second = start(gateway, harness);
      state = new StateClient(harness, second);
      state.append(CELL, "c");
      assertThat(state.read(CELL)).isEqualTo("abc");
      assertThat(state.read(OTHER)).isEmpty();
      state.clear(CELL);
      assertThat(state.read(CELL)).isEmpty();
      state.append(CELL, "d");
      assertThat(state.read(CELL)).isEqualTo("d");
      succeed(gateway, harness, second);

      BundleHandle third = start(gateway, harness);
      assertThat(new StateClient(harness, third).read(CELL)).isEqualTo("d");
      succeed(gateway, harness, third);
    }
  }

  @Test
  void F7_a_failed_bundle_leaves_nothing() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle good = start(gateway, harness);
      new StateClient(harness, good).append(CELL, "kept");
      succeed(gateway, harness, good);

      BundleHandle bad = start(gateway, harness);
      StateClient state = new StateClient(harness, bad);
      state.clear(CELL);
      state.append(CELL, "lost");
      state.append(OTHER, "lost, too");
      fail(gateway, harness, bad);

      BundleHandle next = start(gateway, harness);
      state = new StateClient(harness, next);
      assertThat(state.read(CELL)).isEqualTo("kept");
      assertThat(state.read(OTHER)).isEmpty();
      succeed(gateway, harness, next);
    }
  }

  @Test
  void F7_a_cell_that_an_open_bundle_has_touched_refuses_another() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle first = start(gateway, harness);
      new StateClient(harness, first).read(CELL);
      BundleHandle second = start(gateway, harness);
      StateClient state = new StateClient(harness, second);
      assertThat(state.get(CELL, null).getError()).isEqualTo(StateRefusal.CELL_IN_USE.text());
      state.append(OTHER, "mine"); // another cell is free
      succeed(gateway, harness, first);
      assertThat(state.read(CELL)).isEmpty(); // and now this one is
      succeed(gateway, harness, second);
    }
  }

  @Test
  void F7_a_bundle_fails_if_a_write_was_refused_whatever_its_harness_says() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle first = start(gateway, harness);
      new StateClient(harness, first).append(CELL, "a");
      BundleHandle second = start(gateway, harness);
      StateClient state = new StateClient(harness, second);
      state.append(OTHER, "b");
      assertThat(state.sendAppend(CELL, "c").getError()).isNotEmpty();
      harness.data().send(TestHarness.end(second.id(), Samples.OUTPUT));
      harness.processed(second.id()); // it swallows the error
      assertThat(gateway.ended(second).failure()).isEqualTo(BundleFailure.STATE_WRITE_REFUSED);
      succeed(gateway, harness, first);
      BundleHandle third = start(gateway, harness);
      assertThat(new StateClient(harness, third).read(OTHER)).isEmpty();
      succeed(gateway, harness, third);
    }
  }

  @Test
  void F7_requests_after_the_response_are_errors_and_a_late_write_fails_the_bundle() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle bundle = start(gateway, harness);
      gateway.collect(bundle);
      harness.processed(bundle.id());
      StateClient state = new StateClient(harness, bundle);
      await()
          .untilAsserted(
              () ->
                  assertThat(state.get(CELL, null).getError())
                      .isEqualTo(StateRefusal.NOT_ACTIVE.text()));
      assertThat(get(bundle.status()).phase()).isEqualTo(BundleStatus.Phase.RUNNING);
      assertThat(state.sendAppend(CELL, "late").getError()).isNotEmpty();
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.STATE_WRITE_REFUSED);
      assertThat(state.get(CELL, null).getError()).isEqualTo(StateRefusal.NOT_ACTIVE.text());
    }
  }

  @Test
  void F7_pages_of_about_a_megabyte_end_where_an_append_ended() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      int size = 300_000;
      BundleHandle first = start(gateway, harness);
      StateClient state = new StateClient(harness, first);
      for (int i = 0; i < 8; i++) {
        state.append(CELL, ByteString.copyFrom(block(i, size)));
      }
      succeed(gateway, harness, first);
      BundleHandle second = start(gateway, harness);
      state = new StateClient(harness, second);
      state.append(CELL, ByteString.copyFrom(block(8, size)));
      state.append(CELL, ByteString.copyFrom(block(9, 2_000_000))); // larger than a page
      List<Integer> pages = new ArrayList<>();
      ByteString all = ByteString.EMPTY;
      ByteString token = null;
      do {
        ContinuableStream page = state.get(CELL, token).getGet().getStream();
        pages.add(page.getData().size());
        all = all.concat(page.getData());
        token = page.getContinuationToken();
      } while (!token.isEmpty());
      assertThat(pages).containsExactly(3 * size, 3 * size, 3 * size, 2_000_000);
      ByteString expected = ByteString.EMPTY;
      for (int i = 0; i < 9; i++) {
        expected = expected.concat(ByteString.copyFrom(block(i, size)));
      }
      assertThat(all).isEqualTo(expected.concat(ByteString.copyFrom(block(9, 2_000_000))));
      succeed(gateway, harness, second);
    }
  }

  private static byte[] block(int number, int size) {
    byte[] block = new byte[size];
    java.util.Arrays.fill(block, (byte) number);
    return block;
  }

  @Test
  void F7_a_token_is_bound_to_bundle_cell_and_page() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle bundle = start(gateway, harness);
      StateClient state = new StateClient(harness, bundle);
      for (StateKey cell : List.of(CELL, OTHER)) {
        state.append(cell, ByteString.copyFrom(block(1, 800_000)));
        state.append(cell, ByteString.copyFrom(block(2, 800_000)));
      }
      ByteString token = state.get(CELL, null).getGet().getStream().getContinuationToken();
      assertThat(token).isNotEqualTo(ByteString.EMPTY);
      assertThat(state.get(CELL, token).getError()).isEmpty();
      assertThat(state.get(CELL, token).getError()).as("asked again").isEmpty();
      String foreign = StateRefusal.FOREIGN_TOKEN.text();
      assertThat(state.get(OTHER, token).getError()).as("of another cell").isEqualTo(foreign);
      for (int i = 0; i < token.size(); i++) {
        byte[] forged = token.toByteArray();
        forged[i] ^= 1; // another page, or another code
        assertThat(state.get(CELL, ByteString.copyFrom(forged)).getError()).isEqualTo(foreign);
      }
      assertThat(state.get(CELL, ByteString.copyFromUtf8("x")).getError()).isEqualTo(foreign);
      assertThat(state.get(CELL, token.concat(token)).getError()).isEqualTo(foreign);

      BundleHandle other = start(gateway, harness);
      StateKey third = Samples.key("work", "bag", "carol");
      StateClient others = new StateClient(harness, other);
      others.append(third, ByteString.copyFrom(block(1, 800_000)));
      assertThat(others.get(third, token).getError()).as("of another bundle").isEqualTo(foreign);

      state.clear(CELL);
      assertThat(state.get(CELL, token).getError()).as("cleared since").isEqualTo(foreign);
      succeed(gateway, harness, bundle);
      succeed(gateway, harness, other);
    }
  }

  @Test
  void F7_what_a_bundle_may_write_is_bounded() {
    try (FnGateway gateway = FnGateway.open(Map.of("stagedBytes", 3 << 20));
        TestHarness harness = harness(gateway)) {
      BundleHandle bundle = start(gateway, harness);
      StateClient state = new StateClient(harness, bundle);
      ByteString megabyte = ByteString.copyFrom(new byte[1 << 20]);
      state.append(CELL, megabyte);
      state.clear(CELL); // makes room
      state.append(CELL, megabyte);
      state.append(CELL, megabyte);
      assertThat(state.sendAppend(CELL, megabyte).getError())
          .isEqualTo(StateRefusal.TOO_MUCH.text());
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.STATE_WRITE_REFUSED);
    }
  }

  @Test
  void F7_empty_appends_and_cells_that_are_only_read_are_not_free() {
    try (FnGateway gateway = FnGateway.open(Map.of("stagedBytes", 32 << 10));
        TestHarness harness = harness(gateway)) {
      BundleHandle appending = start(gateway, harness);
      StateClient state = new StateClient(harness, appending);
      long appends =
          IntStream.range(0, 1_000)
              .takeWhile(i -> state.sendAppend(CELL, ByteString.EMPTY).getError().isEmpty())
              .count();
      assertThat(appends).isLessThan(1_000);
      assertThat(gateway.ended(appending).failure()).isEqualTo(BundleFailure.STATE_WRITE_REFUSED);
      BundleHandle reading = start(gateway, harness);
      StateClient reads = new StateClient(harness, reading);
      long cells =
          IntStream.range(0, 1_000)
              .takeWhile(
                  i -> reads.get(Samples.key("work", "bag", "u" + i), null).getError().isEmpty())
              .count();
      assertThat(cells).isLessThan(1_000);
      succeed(gateway, harness, reading);
    }
  }

  @Test
  void F7_what_all_bundles_may_write_is_bounded() {
    try (FnGateway gateway = FnGateway.open(Map.of("allStagedBytes", 3L << 20));
        TestHarness harness = harness(gateway)) {
      ByteString megabytes = ByteString.copyFrom(new byte[2 << 20]);
      BundleHandle first = start(gateway, harness);
      new StateClient(harness, first).append(CELL, megabytes);
      BundleHandle second = start(gateway, harness);
      assertThat(new StateClient(harness, second).sendAppend(OTHER, megabytes).getError())
          .isEqualTo(StateRefusal.TOO_MUCH.text());
      gateway.ended(second);
      succeed(gateway, harness, first);
      BundleHandle third = start(gateway, harness);
      new StateClient(harness, third).append(OTHER, megabytes);
      succeed(gateway, harness, third);
    }
  }

  @Test
  void F7_state_belongs_to_its_descriptor() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle first = start(gateway, harness);
      new StateClient(harness, first).append(CELL, "of d1");
      succeed(gateway, harness, first);
      gateway.register("d2");
      BundleHandle second = gateway.start("w1", "d2");
      harness.takeRegister();
      harness.takeBundle();
      assertThat(new StateClient(harness, second).read(CELL)).isEmpty();
      succeed(gateway, harness, second);
    }
  }

  @Test
  void F7_every_request_is_answered_once_under_its_id() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle bundle = start(gateway, harness);
      List<String> ids = IntStream.range(0, 500).mapToObj(i -> "request-" + i).toList();
      for (int i = 0; i < ids.size(); i++) {
        StateRequest.Builder request =
            StateRequest.newBuilder()
                .setId(ids.get(i))
                .setInstructionReference(i % 3 == 0 ? "unknown" : bundle.id())
                .setStateKey(Samples.key("work", "bag", "user-" + i % 7));
        request.setGet(request.getGet());
        harness.state().send(request.build());
      }
      List<String> answered = new ArrayList<>();
      List<String> refused = new ArrayList<>();
      for (int i = 0; i < ids.size(); i++) {
        StateResponse response = harness.state().next();
        answered.add(response.getId());
        if (!response.getError().isEmpty()) {
          refused.add(response.getId());
        }
      }
      assertThat(answered).containsExactlyInAnyOrderElementsOf(ids);
      assertThat(refused).hasSize(167);
      succeed(gateway, harness, bundle);
    }
  }

  @Test
  void F7_a_request_without_key_or_action_is_an_error_and_never_breaks_the_stream() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle bundle = start(gateway, harness);
      StateRequest.Builder request =
          StateRequest.newBuilder().setId("1").setInstructionReference(bundle.id());
      harness.state().send(request.clone().setGet(request.getGet()).build());
      assertThat(harness.state().next().getError()).isEqualTo(StateRefusal.MALFORMED.text());
      harness.state().send(request.clone().setId("2").setStateKey(CELL).build());
      assertThat(harness.state().next().getError()).isEqualTo(StateRefusal.MALFORMED.text());
      gateway.ended(bundle);
      assertThat(harness.state().isOver()).isFalse();
    }
  }

  @Test
  void F10_a_state_message_that_is_too_large_fails_what_it_may_have_belonged_to() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle bundle = start(gateway, harness);
      StateClient state = new StateClient(harness, bundle);
      state.append(CELL, "a");
      state.post(CELL, ByteString.copyFrom(new byte[5 << 20]));
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.STATE_LOST);
      assertThat(harness.state().ended()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      await().until(() -> harness.openState().accepted());
      BundleHandle next = start(gateway, harness);
      assertThat(new StateClient(harness, next).read(CELL)).isEmpty();
      succeed(gateway, harness, next);
    }
  }

  @Test
  void F7_control_that_ends_rolls_state_back() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = harness(gateway)) {
      BundleHandle bundle = start(gateway, harness);
      new StateClient(harness, bundle).append(CELL, "lost");
      harness.control().cancel();
      assertThat(gateway.ended(bundle).failure()).isEqualTo(BundleFailure.HARNESS_LOST);
      gateway.awaitNothingHeld();
      assertThat(gateway.state().bytes()).isZero();
    }
  }
}
