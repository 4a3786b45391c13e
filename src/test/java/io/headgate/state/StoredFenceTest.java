package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Execution;
import io.headgate.wire.UnreadableBytesException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What a fence stores in a cluster, read by members of other versions. */
class StoredFenceTest {
  private static final long[] IDS = {1, -5, Long.MAX_VALUE, Long.MIN_VALUE, 300};

  @Provide
  Arbitrary<ServedJob> jobs() {
    return ServedJobs.jobs();
  }

  @Property
  void everything_that_is_remembered_is_stored(@ForAll("jobs") ServedJob job) {
    assertThat(ServedJob.fromBytes(job.toBytes())).isEqualTo(job);
  }

  /** Two texts, the second current, an epoch with ids, and an older answer held. */
  private static ServedJob sample() {
    FenceConfig config = FenceConfig.DEFAULT;
    Execution epoch = Execution.ofEpoch(7, ServedJobs.NOON);
    byte[] form = ServedJobs.digest(3);
    long[] none = {};
    ServedJob job =
        ServedJob.pass(null, Execution.ofLocalTime("2026-11-30 09:00:00"), null, none, config, 1)
            .next();
    job =
        ServedJob.pass(job, Execution.ofLocalTime("2026-11-30 09:03:00"), null, none, config, 2)
            .next();
    job = ServedJob.pass(job, epoch, form, IDS, config, 3).next();
    return ServedJob.pass(
            job, Execution.ofEpoch(6, ServedJobs.NOON), form, IDS, config, 1_796_040_000_000L)
        .next();
  }

  @Test
  void bytes_of_version_1_are_read() throws IOException {
    byte[] stored = resource("served-job-1.hex");
    assertThat(ServedJob.fromBytes(stored)).isEqualTo(sample());
    assertThat(HexFormat.of().formatHex(sample().toBytes()))
        .as("what this version writes; a new field needs a new resource beside the old one")
        .isEqualTo(HexFormat.of().formatHex(stored));
  }

  @Test
  void bytes_of_a_newer_version_are_read_and_what_is_unknown_is_passed_over() throws IOException {
    byte[] stored = resource("served-job-1.hex");
    byte[] newer = Arrays.copyOf(stored, stored.length + 9);
    newer[0] = 2;
    Arrays.fill(newer, stored.length, newer.length, (byte) 0xEE);
    assertThat(ServedJob.fromBytes(newer)).isEqualTo(sample());
  }

  @Test
  void bytes_without_the_last_field_are_read_with_its_default() {
    ServedJob job =
        ServedJob.pass(
                null,
                Execution.ofEpoch(7, ServedJobs.NOON),
                null,
                new long[0],
                FenceConfig.DEFAULT,
                1)
            .next();
    byte[] whole = job.toBytes();
    assertThat(whole[whole.length - 1]).as("nothing is held").isZero();
    assertThat(ServedJob.fromBytes(Arrays.copyOf(whole, whole.length - 1))).isEqualTo(job);
  }

  @Test
  void L22a_that_a_job_is_untold_is_kept_and_the_version_before_passes_over_it() {
    ServedJob untold = sample().untold(true);
    byte[] bytes = untold.toBytes();
    assertThat(ServedJob.fromBytes(bytes)).isEqualTo(untold).isNotEqualTo(sample());
    assertThat(Arrays.copyOf(bytes, bytes.length - 1)).isEqualTo(sample().toBytes());
  }

  @Test
  void an_id_next_to_the_one_before_takes_one_byte() {
    long[] ids = new long[50];
    Arrays.setAll(ids, i -> i + 1);
    ServedJob job =
        ServedJob.pass(
                null,
                Execution.ofLocalTime("2026-11-30 09:00:00"),
                ServedJobs.digest(1),
                ids,
                FenceConfig.DEFAULT,
                0)
            .next();
    assertThat(job.toBytes().length).isLessThan(50 + 32 + 40);
  }

  @Property
  void spoiled_bytes_are_refused_or_read_as_something_else(
      @ForAll("jobs") ServedJob job, @ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = job.toBytes();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    byte[] spoiled = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    try {
      ServedJob read = ServedJob.fromBytes(spoiled);
      assertThat(read.idCount()).isLessThanOrEqualTo(spoiled.length);
    } catch (UnreadableBytesException expected) {
      assertThat(expected.getStackTrace()).isEmpty();
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (var in = StoredFenceTest.class.getResourceAsStream("/stored/" + name)) {
      assertThat(in).as(name).isNotNull();
      return HexFormat.of()
          .parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
    }
  }
}
