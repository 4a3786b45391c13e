package io.headgate.fn;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.beam.fn.v1.BeamFnApi.LogEntry;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What harnesses log, and how much of it is kept. */
class HarnessLogTest {
  private static LogEntry.List list(LogEntry.Builder... entries) {
    LogEntry.List.Builder list = LogEntry.List.newBuilder();
    for (LogEntry.Builder entry : entries) {
      list.addLogEntries(entry);
    }
    return list.build();
  }

  private static LogEntry.Builder entry(String message) {
    return LogEntry.newBuilder().setMessage(message).setSeverity(LogEntry.Severity.INFO);
  }

  private static List<LogLine> awaitLog(FnGateway gateway, String harness, int count) {
    await().untilAsserted(() -> assertThat(get(gateway.runner().log(harness))).hasSize(count));
    return get(gateway.runner().log(harness));
  }

  @Test
  void F8_entries_are_kept_with_all_that_they_say() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      harness
          .logging()
          .send(
              list(
                  entry("it works")
                      .setSeverity(LogEntry.Severity.NOTICE)
                      .setTimestamp(Timestamp.newBuilder().setSeconds(1_500_000_000).setNanos(7))
                      .setTrace("at some.Place")
                      .setInstructionReference("i")
                      .setPrimitiveTransformReference("t")
                      .setLogLocation("Some.java:7")
                      .setThread("main"),
                  LogEntry.newBuilder()));
      List<LogLine> lines = awaitLog(gateway, "w1", 2);
      assertThat(lines.get(0))
          .isEqualTo(
              new LogLine(
                  LogLine.Severity.NOTICE,
                  Instant.ofEpochSecond(1_500_000_000, 7),
                  "it works",
                  "at some.Place",
                  "i",
                  "t",
                  "Some.java:7",
                  "main"));
      assertThat(lines.get(1).severity()).isEqualTo(LogLine.Severity.TRACE);
    }
  }

  @Test
  void F8_one_logger_gets_all_at_the_matching_level_in_one_line_each() {
    Logger logger = (Logger) LoggerFactory.getLogger(HarnessLog.LOGGER);
    ListAppender<ILoggingEvent> ear = new ListAppender<>();
    ear.start();
    logger.addAppender(ear);
    logger.setLevel(Level.TRACE);
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      LogEntry.List.Builder all = LogEntry.List.newBuilder();
      for (int severity = 0; severity <= 70; severity += 5) {
        all.addLogEntries(entry("severity " + severity).setSeverityValue(severity));
      }
      harness.logging().send(all.build());
      harness
          .logging()
          .send(
              list(entry("two\nlines \u001B[31mand\u202E more\u2028 of \\ it").setTrace("a\r\nb")));
      awaitLog(gateway, "w1", 16);
      assertThat(ear.list)
          .extracting(ILoggingEvent::getLevel)
          .containsExactly(
              Level.TRACE,
              Level.TRACE,
              Level.DEBUG,
              Level.DEBUG,
              Level.INFO,
              Level.INFO,
              Level.INFO,
              Level.INFO,
              Level.WARN,
              Level.WARN,
              Level.ERROR,
              Level.ERROR,
              Level.ERROR,
              Level.ERROR,
              Level.ERROR,
              Level.INFO);
      assertThat(ear.list.get(15).getFormattedMessage())
          .isEqualTo(
              "w1 [] two\\nlines \\u001B[31mand\\u202E more\\u2028 of \\\\ it\\na\\u000D\\nb");
    } finally {
      logger.setLevel(null);
      logger.detachAppender(ear);
    }
  }

  @Test
  void F8_text_is_cut_at_8_kib_and_the_ring_is_bounded_in_bytes() {
    try (FnGateway gateway = FnGateway.open(Map.of("logBytes", 64 << 10));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      for (int i = 0; i < 40; i++) {
        harness
            .logging()
            .send(list(entry(i + ":" + "ä".repeat(20_000)).setTrace("t".repeat(9_000))));
      }
      await()
          .untilAsserted(
              () ->
                  assertThat(get(gateway.runner().log("w1")))
                      .last()
                      .matches(line -> line.message().startsWith("39:")));
      List<LogLine> lines = get(gateway.runner().log("w1"));
      assertThat(lines).hasSizeLessThan(10);
      assertThat(lines)
          .allSatisfy(
              line -> {
                assertThat(line.message().getBytes(java.nio.charset.StandardCharsets.UTF_8).length)
                    .isBetween(8_190, 8_192);
                assertThat(line.trace()).hasSize(8_192);
              });
    }
  }

  @Test
  void F8_a_flood_is_counted_and_dropped_and_control_goes_on() {
    try (FnGateway gateway = FnGateway.open(Map.of("logRate", 50));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1").echoing()) {
      gateway.register("d1");
      LogEntry.List.Builder many = LogEntry.List.newBuilder();
      IntStream.range(0, 20_000).forEach(i -> many.addLogEntries(entry("flood " + i)));
      for (int i = 0; i < 20; i++) {
        harness.logging().send(many.build());
        BundleHandle bundle = gateway.start("w1", "d1");
        Future<Buffer> output = gateway.collect(bundle);
        gateway.give(bundle, "meanwhile");
        assertThat(get(output)).hasToString("meanwhile");
      }
      await()
          .untilAsserted(
              () ->
                  assertThat(
                          gateway.metric("headgate_fn_log_entries_total")
                              + gateway.metric("headgate_fn_dropped_total{reason=\"log-flood\"}"))
                      .isEqualTo(400_000));
      assertThat(gateway.metric("headgate_fn_log_entries_total")).isLessThan(20_000);
      assertThat(harness.logging().isOver()).isFalse();
    }
  }

  @Test
  void F8_entries_that_cannot_be_read_are_dropped_and_the_stream_goes_on() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      harness
          .logging()
          .send(
              LogEntry.List.newBuilder()
                  .setUnknownFields(
                      com.google.protobuf.UnknownFieldSet.newBuilder()
                          .addField(
                              99,
                              com.google.protobuf.UnknownFieldSet.Field.newBuilder()
                                  .addLengthDelimited(ByteString.copyFromUtf8("later"))
                                  .build())
                          .build())
                  .addLogEntries(
                      entry("time").setTimestamp(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE)))
                  .build());
      assertThat(awaitLog(gateway, "w1", 1).get(0).at())
          .isBetween(
              Instant.parse("9999-12-31T23:59:59Z"), Instant.parse("+10000-01-01T00:00:00Z"));
      harness.logging().send(list(entry("x".repeat(5 << 20)))); // too large for a message
      await()
          .untilAsserted(
              () ->
                  assertThat(gateway.metric("headgate_fn_dropped_total{reason=\"oversize\"}"))
                      .isOne());
      harness.logging().send(list(entry("still here")));
      awaitLog(gateway, "w1", 2);
    }
  }

  @Test
  void F8_a_log_outlives_its_harness_for_a_while() {
    try (FnGateway gateway = FnGateway.open(Map.of("logKept", Duration.ofSeconds(2)));
        TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      harness.logging().send(list(entry("last words")));
      awaitLog(gateway, "w1", 1);
      harness.kill();
      await().until(() -> !get(gateway.runner().harnesses()).get(0).logging());
      assertThat(get(gateway.runner().log("w1"))).hasSize(1);
      await().until(() -> get(gateway.runner().harnesses()).isEmpty());
      assertThatThrownBy(() -> get(gateway.runner().log("w1")))
          .isInstanceOf(FnRefusedException.class);
    }
  }

  @Test
  void F8_of_those_that_have_left_the_first_is_forgotten_for_a_newcomer() {
    try (FnGateway gateway = FnGateway.open(Map.of("harnesses", 2));
        TestHarness first = TestHarness.connect(gateway.port(), "w1");
        TestHarness second = TestHarness.connect(gateway.port(), "w2")) {
      try (TestHarness third = TestHarness.idle(gateway.port(), "w3")) {
        assertThat(third.control().ended()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      }
      first.kill();
      await().until(() -> get(gateway.runner().harnesses()).stream().anyMatch(w -> !w.control()));
      try (TestHarness third = TestHarness.connect(gateway.port(), "w3")) {
        assertThat(get(gateway.runner().harnesses()))
            .extracting(HarnessStatus::id)
            .containsExactly("w2", "w3");
      }
    }
  }

  @Test
  void F8_logs_may_come_before_the_harness_is_known_otherwise() {
    try (FnGateway gateway = FnGateway.open();
        TestHarness harness = TestHarness.idle(gateway.port(), "w1")) {
      harness.logging().send(list(entry("starting")));
      awaitLog(gateway, "w1", 1);
      assertThat(harness.control().accepted()).isTrue();
      harness.echoing();
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      Future<Buffer> output = gateway.collect(bundle, Samples.OUT);
      gateway.give(bundle, "x");
      assertThat(get(output)).hasToString("x");
      awaitLog(gateway, "w1", 1);
    }
  }
}
