package io.headgate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ten times what can be served, for half a minute, with a heap of 512 MB: {@code mvn -Psoak
 * verify}.
 */
@Tag("soak")
class OverloadSoakTest {
  @Test
  void L20_under_overload_goodput_stays_and_refusals_are_cheap() throws Exception {
    OverloadRun.Report report = OverloadRun.run(10, 30);

    assertThat(report.strangeAnswers()).as("answers that are neither 200 nor 503").isZero();
    assertThat(report.brokenConnections()).as("connections lost").isZero();
    assertThat(report.goodputAt3()).as("goodput at 3 x, over the peak").isGreaterThan(0.9);
    assertThat(report.goodputAt10()).as("goodput at 10 x, over the peak").isGreaterThan(0.8);
    assertThat(report.refusalMicros())
        .as("CPU of a refusal against that of an answer that took a permit, in us")
        .isLessThan(report.answerMicros());
    assertThat(report.nothingHeld()).as("permits, flights and bytes are back").isTrue();
  }
}
