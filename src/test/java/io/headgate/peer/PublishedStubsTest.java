package io.headgate.peer;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.headgate.fn.Answer;
import io.headgate.fn.BundleFailedException;
import io.headgate.fn.BundleFailure;
import io.headgate.fn.BundleHandle;
import io.headgate.fn.BundleInput;
import io.headgate.fn.BundleStatus;
import io.headgate.fn.HarnessStatus;
import io.headgate.fn.LogLine;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.apache.beam.fn.v1.BeamFnApi.PrimitiveTransformSplit;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A client whose messages and calls nobody here generated: Beam's own stubs of 2.2.0, on the gRPC,
 * Protobuf and HTTP/2 of 2017. They send no {@code worker_id}. Their State differs from ours and is
 * left alone.
 */
class PublishedStubsTest {
  /** A few seconds, most of them for its compilation; the rest is for a busy machine. */
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  private static final String NAMELESS = "";

  private static FnGateway gateway;
  private static StubsClient client;

  @BeforeAll
  static void connect() {
    gateway = FnGateway.open();
    client = StubsClient.start(gateway.port());
    await("connected: " + StubsClient.log())
        .atMost(START_LIMIT)
        .failFast("exited early: " + StubsClient.log(), () -> !client.running())
        .until(
            () -> get(gateway.runner().harnesses()),
            found -> found.stream().anyMatch(PublishedStubsTest::hasAllThree));
    gateway.register(understood("d1"));
  }

  private static boolean hasAllThree(HarnessStatus harness) {
    return harness.id().equals(NAMELESS)
        && harness.control()
        && harness.data()
        && harness.logging();
  }

  /** It has to see that the gateway goes, as real harnesses end then. */
  @AfterAll
  static void part() {
    try (FnGateway closed = gateway;
        StubsClient ended = client) {
      get(closed.stop());
      assertThat(ended.awaitExit()).as("exit code; see %s", StubsClient.log()).isZero();
    }
  }

  /**
   * A descriptor that these stubs can read, although theirs has maps where ours has lists: a
   * function's id would stand where they have a message.
   */
  private static ProcessBundleDescriptor understood(String id) {
    ProcessBundleDescriptor.Builder descriptor = Samples.descriptor(id).toBuilder();
    descriptor
        .getPrimitiveTransformBuilderList()
        .forEach(transform -> transform.getFunctionSpecBuilder().clearId().clearData());
    return descriptor.build();
  }

  private static List<LogLine> log() {
    return get(gateway.runner().log(NAMELESS));
  }

  @Test
  void F1_the_published_stubs_exchange_control_data_and_logging_with_the_gateway() {
    BundleHandle bundle = gateway.start(NAMELESS, "d1");
    Future<Buffer> output = gateway.collect(bundle);
    BundleInput input = get(bundle.input(Samples.IN));
    input.write(Buffer.buffer("early "));
    // Before it is at work nobody can be asked about it.
    await().until(() -> log().stream().anyMatch(line -> line.instruction().equals(bundle.id())));
    assertThat(get(bundle.progress())).isEqualTo(new Answer.Progress(0, 0));
    assertThat(get(bundle.split(0.5)).splits().getBytes())
        .isEqualTo(
            ProcessBundleSplitResponse.newBuilder()
                .addSplits(
                    PrimitiveTransformSplit.newBuilder().setPrimitiveTransformReference("work"))
                .build()
                .toByteArray());
    input.write(Buffer.buffer("harness"));
    input.end();

    assertThat(get(output)).hasToString("EARLY HARNESS");
    assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
    await()
        .untilAsserted(
            () ->
                assertThat(log())
                    .map(LogLine::message)
                    .contains(
                        "register d1[read, work, write]",
                        "progress of " + bundle.id(),
                        "split of " + bundle.id() + " at 0.5"));
    assertThat(log())
        .contains(
            new LogLine(
                LogLine.Severity.NOTICE,
                Instant.ofEpochSecond(1_500_000_000, 7),
                "process d1",
                "at some.Place",
                bundle.id(),
                "work",
                "StubsHarness.java",
                "main"));
  }

  @Test
  void F1_the_published_stubs_carry_more_than_any_window_holds_in_bundles_side_by_side() {
    String text = "a".repeat(5_000_000);
    List<BundleHandle> bundles =
        List.of(gateway.start(NAMELESS, "d1"), gateway.start(NAMELESS, "d1"));
    List<Future<Buffer>> outputs = bundles.stream().map(gateway::collect).toList();
    bundles.forEach(bundle -> gateway.give(bundle, text));
    outputs.forEach(
        output ->
            assertThat(get(output).toString().equals(text.toUpperCase(Locale.ROOT))).isTrue());
  }

  @Test
  void F1_an_error_of_the_published_stubs_fails_the_bundle_and_is_logged() {
    BundleHandle bundle = gateway.start(NAMELESS, "d1");
    Future<Buffer> output = gateway.collect(bundle);
    gateway.give(bundle, "fail");
    assertThatThrownBy(() -> get(output))
        .isInstanceOfSatisfying(
            BundleFailedException.class,
            e -> assertThat(e.reason()).isEqualTo(BundleFailure.HARNESS_ERROR));
    assertThat(log()).anyMatch(line -> line.message().contains("asked to fail"));
  }
}
