package io.headgate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lookups while pictures are drawn without a pause, for a minute: {@code mvn -Psoak verify}. */
@Tag("soak")
class PictureSoakTest {
  @Test
  void pictures_at_their_caps_take_nothing_from_lineage_but_processor_time() {
    PictureRun.Report report = PictureRun.run();
    report.print();

    assertThat(report.failed()).as("answers that are not 200").isZero();
    assertThat(report.refused()).as("requests without a permit of lineage").isZero();
    assertThat(report.pictures()).as("pictures that were drawn").hasSizeGreaterThan(5);
    assertThat(report.busy()).as("pictures refused").isLessThan(report.pictures().length / 10 + 1);
    assertThat(report.excess(0.5))
        .as("p50 of lookups with pictures over that beside any busy thread")
        .isLessThan(4);
  }
}
