package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.GraphLimits;
import io.headgate.graph.Lookup;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A body that ends early, at every byte (L21): never an answer, least of all a smaller graph. */
class TruncatedBodyTest {
  static List<Recording> bodies() {
    return List.of(
        Recording.of("2.3.9-SNAPSHOT-20241023-v2", "02_job-info_branch"),
        Recording.of("2.3.9-SNAPSHOT-20241023-v2", "03_job-info_failrun"),
        Recording.of("2.3.8", "03_job-info_batch_copy_filter"),
        Recording.of("2.3.8", "02_job-info_multi"),
        Recording.of("2.3.8", "04_job-info_unknown"));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void L21_a_body_cut_anywhere_is_unavailable(Recording recording) {
    byte[] body = recording.body();
    int end = body.length;
    while (body[end - 1] != '}') {
      end--;
    }
    JobInfoParser parser = new JobInfoParser(GraphLimits.DEFAULT);
    for (int length = 0; length < end; length++) {
      JobInfoSlicer slicer = new JobInfoSlicer(Reading.MAX_BYTES);
      assertThat(slicer.feed(Arrays.copyOf(body, length)))
          .as("could go on after %d", length)
          .isTrue();
      assertThat(parser.parse(slicer, recording.jobId()))
          .as("the first %d of %d bytes", length, end)
          .isEqualTo(Reading.UNREADABLE);
    }
    assertThat(Reading.read(Arrays.copyOf(body, end), recording.jobId()))
        .as("all of it")
        .isNotInstanceOf(Lookup.Unavailable.class);
  }
}
