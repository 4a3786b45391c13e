package io.headgate.directory;

import static io.headgate.directory.Publications.NOON;
import static io.headgate.directory.Publications.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.JobStatus;
import io.headgate.wire.UnreadableBytesException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What the directory stores in a cluster, read by members of other versions. */
class StoredRecordTest {
  @Provide
  Arbitrary<JobRecord> records() {
    return Publications.records();
  }

  @Provide
  Arbitrary<Publication> publications() {
    return Publications.any();
  }

  @Property
  void everything_that_is_known_is_stored(@ForAll("records") JobRecord record) {
    assertThat(JobRecord.fromBytes(record.toBytes())).isEqualTo(record);
    assertThat(record.toBytes().length - record.graphBytes()).isBetween(3, 110);
  }

  @Property
  void a_publication_arrives_at_the_owner_as_it_was_sent(
      @ForAll("publications") Publication publication) {
    assertThat(Publication.fromBytes(publication.toBytes())).isEqualTo(publication);
  }

  /** An execution that ended twice, the second time with another graph, and an active one. */
  private static JobRecord sample() {
    return Publications.after(
        List.of(
            new Publications.Step(
                new Publication(7, 3, JobStatus.SAVEPOINT_DONE, NOON, new byte[] {1, 2, 3}), 0),
            new Publications.Step(
                new Publication(7, 3, JobStatus.CANCELED, NOON, new byte[] {4, 5}), 100),
            new Publications.Step(
                new Publication(7, 300, JobStatus.RUNNING, NOON.plusMillis(99), null), 100)));
  }

  @Test
  void records_of_version_1_are_read() throws IOException {
    byte[] stored = resource("job-record-1.hex");
    assertThat(JobRecord.fromBytes(stored)).isEqualTo(sample());
    assertThat(HexFormat.of().formatHex(sample().toBytes()))
        .as("what this version writes; a new field needs a new resource beside the old one")
        .isEqualTo(HexFormat.of().formatHex(stored));
  }

  @Test
  void records_of_a_newer_version_are_read_and_what_is_unknown_is_passed_over() throws IOException {
    byte[] stored = resource("job-record-1.hex");
    // The active part, with six bytes more than this version knows.
    int length = stored[1];
    byte[] newer = new byte[stored.length + 6 + 4];
    System.arraycopy(stored, 0, newer, 0, 2 + length);
    newer[0] = 2;
    newer[1] += 6;
    System.arraycopy(stored, 2 + length, newer, 8 + length, stored.length - 2 - length);
    assertThat(JobRecord.fromBytes(newer)).isEqualTo(sample());
  }

  @Test
  void a_record_without_the_field_added_last_is_read_with_its_default() {
    JobRecord record = Publications.record(Publications.of(1, JobStatus.FINISHED, null));
    byte[] whole = record.toBytes();
    int end = 6; // the length of NOW as a number
    byte[] older = Arrays.copyOf(whole, whole.length - end);
    assertThat(whole[1]).as("nothing is active").isZero();
    older[2] -= (byte) end;
    EndedRun read = JobRecord.fromBytes(older).retained();
    assertThat(read.endedAt()).isZero();
    assertThat(read)
        .isEqualTo(new EndedRun(record.retained().run(), 0, NOW + Publications.HISTORY, 0));
  }

  @Test
  void a_state_that_only_a_newer_version_knows_is_still_an_end_or_none() {
    for (JobStatus status : new JobStatus[] {JobStatus.RUNNING, JobStatus.FINISHED}) {
      byte[] bytes = Publications.of(1, status, null).toBytes();
      int at = 4; // version, job, length of the run, epoch
      assertThat(bytes[at] & 0x7F).isEqualTo(status.ordinal());
      bytes[at] = (byte) (bytes[at] & 0x80 | 0x7E);
      assertThat(Publication.fromBytes(bytes).status().isEnd()).isEqualTo(status.isEnd());
    }
  }

  @Property
  void spoiled_records_are_refused_or_read_as_something_else(
      @ForAll("records") JobRecord record, @ForAll long seed) {
    byte[] spoiled = spoiled(record.toBytes(), new Random(seed));
    try {
      assertThat(JobRecord.fromBytes(spoiled).graphBytes()).isLessThan(spoiled.length);
    } catch (UnreadableBytesException expected) {
      assertThat(expected.getStackTrace()).isEmpty();
    }
  }

  @Property
  void spoiled_publications_are_refused_or_read_as_something_else(
      @ForAll("publications") Publication publication, @ForAll long seed) {
    byte[] spoiled = spoiled(publication.toBytes(), new Random(seed));
    try {
      assertThat(Publication.fromBytes(spoiled).epoch()).isPositive();
    } catch (UnreadableBytesException expected) {
      assertThat(expected.getStackTrace()).isEmpty();
    }
  }

  private static byte[] spoiled(byte[] bytes, Random random) {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
  }

  private static byte[] resource(String name) throws IOException {
    try (var in = StoredRecordTest.class.getResourceAsStream("/stored/" + name)) {
      assertThat(in).as(name).isNotNull();
      return HexFormat.of()
          .parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
    }
  }
}
