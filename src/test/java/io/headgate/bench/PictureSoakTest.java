package io.headgate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lookups while pictures are asked for without a pause, for four minutes: {@code mvn -Psoak
 * verify}.
 */
@Tag("soak")
class PictureSoakTest {
  @Test
  void pictures_at_their_caps_take_nothing_from_lineage_but_processor_time() throws Exception {
    PictureRun.Report report = PictureRun.run();
    report.print();

    assertThat(report.failed() + report.failedPictures()).as("answers that are not 200").isZero();
    assertThat(report.few().excess(0.5))
        .as("p50 of a few lookups with pictures over that beside any busy thread")
        .isLessThan(1.5);
    assertThat(report.many().left())
        .as("as many lookups as there can be, with pictures over those beside any busy thread")
        .isGreaterThan(1);
  }
}
