package io.headgate.directory;

import static io.headgate.directory.Publications.NOON;
import static io.headgate.directory.Publications.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.JobListing;
import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.JobTime;
import io.headgate.wire.UnreadableBytesException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What a list tells of records, put together where they are kept. */
class ListedRecordsTest {
  private static final int MOST = 100;

  @Provide
  Arbitrary<JobRecord> records() {
    return Publications.records();
  }

  private static ListedRecords listed(int firstId, List<JobRecord> records) {
    ListedRecords listed = new ListedRecords(MOST, NOW);
    for (int i = 0; i < records.size(); i++) {
      listed.add(firstId + i, records.get(i).toBytes());
    }
    return listed;
  }

  @Property
  void a_record_is_listed_as_what_a_lookup_would_find(@ForAll("records") JobRecord record) {
    JobSummary job = JobRecord.summary(7, record.toBytes(), NOW);
    Run active = record.active();
    EndedRun ended = record.retained();
    if (active != null) {
      assertThat(job)
          .isEqualTo(
              new JobSummary(
                  7, null, active.status(), true, JobTime.ofMillis(active.createdAt()), null));
    } else if (ended != null && NOW < ended.stateExpiresAt()) {
      assertThat(job.active()).isFalse();
      assertThat(job.status()).isEqualTo(ended.run().status());
      assertThat(job.created()).isEqualTo(JobTime.ofMillis(ended.run().createdAt()));
      assertThat(job.ended()).isEqualTo(JobTime.ofMillis(ended.endedAt()));
    } else {
      assertThat(job).isNull();
    }
  }

  @Test
  void an_end_that_was_not_stored_is_not_made_up() {
    byte[] stored = Publications.record(Publications.of(1, JobStatus.FINISHED, null)).toBytes();
    byte[] older = Arrays.copyOf(stored, stored.length - 6);
    older[2] -= 6;
    assertThat(JobRecord.summary(7, older, NOW).ended()).isNull();
    assertThat(JobRecord.summary(7, stored, NOW).ended()).isEqualTo(JobTime.ofMillis(NOW));
  }

  @Property
  void what_members_keep_comes_together_as_if_one_had_kept_it(
      @ForAll @Size(max = 20) List<@From("records") JobRecord> some,
      @ForAll @Size(max = 20) List<@From("records") JobRecord> others) {
    ListedRecords here = listed(1, some);
    here.addAll(ListedRecords.fromBytes(listed(1_000, others).toBytes()));
    ListedRecords all = listed(1, some);
    for (int i = 0; i < others.size(); i++) {
      all.add(1_000 + i, others.get(i).toBytes());
    }
    assertThat(here.listing()).isEqualTo(all.listing());
  }

  @Test
  void of_more_than_the_most_the_first_are_kept_and_the_list_is_not_whole() {
    ListedRecords records = new ListedRecords(2, NOW);
    for (long id = 1; id <= 3; id++) {
      Publication publication =
          new Publication(id, 1, JobStatus.RUNNING, NOON.plusMillis(id), null);
      records.add(id, Publications.record(publication).toBytes());
    }
    JobListing.Read listing = ListedRecords.fromBytes(records.toBytes()).listing();
    assertThat(listing.jobs()).extracting(JobSummary::jobId).containsExactly(3L, 2L);
    assertThat(listing.whole()).isFalse();
  }

  @Test
  void a_record_that_nobody_can_have_published_is_left_out() {
    ListedRecords records = new ListedRecords(2, NOW);
    records.add(7, new byte[] {1, 100});
    records.add(-7, Publications.record(Publications.of(1, JobStatus.RUNNING, null)).toBytes());
    assertThat(records.listing()).isEqualTo(new JobListing.Read(List.of(), false));
  }

  @Test
  void what_a_newer_member_adds_is_passed_over() {
    ListedRecords records =
        listed(7, List.of(Publications.record(Publications.of(1, JobStatus.RUNNING, null))));
    byte[] bytes = records.toBytes();
    byte[] newer = Arrays.copyOf(bytes, bytes.length + 3);
    newer[0] = 2;
    assertThat(ListedRecords.fromBytes(newer).listing()).isEqualTo(records.listing());
  }

  @Property
  void spoiled_bytes_are_refused_or_read_as_something_else(
      @ForAll @Size(max = 5) List<@From("records") JobRecord> records, @ForAll long seed) {
    byte[] bytes = listed(1, records).toBytes();
    Random random = new Random(seed);
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    try {
      byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      assertThat(ListedRecords.fromBytes(cut).listing().jobs()).hasSizeLessThan(bytes.length);
    } catch (UnreadableBytesException expected) {
      assertThat(expected.getStackTrace()).isEmpty();
    }
  }
}
