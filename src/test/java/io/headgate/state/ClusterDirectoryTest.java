package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.map.IMap;
import io.headgate.directory.DirectoryConfig;
import io.headgate.directory.DirectoryUnavailableException;
import io.headgate.directory.JobRecord;
import io.headgate.directory.Publication;
import io.headgate.directory.PublishOutcome;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.JobTime;
import io.headgate.graph.Unavailability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The directory in a cluster of real members, each asked as its gateway would. */
class ClusterDirectoryTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  private static TestMember first;
  private static TestMember second;

  @BeforeAll
  static void start() {
    first = TestMember.first();
    second = first.join();
    first.awaitSettled(2);
  }

  @AfterAll
  static void stop() {
    second.close();
    first.close();
  }

  private static Publication job(long id, long epoch, JobStatus status, byte @Nullable [] graph) {
    return new Publication(id, epoch, status, NOON.plusSeconds(epoch), graph);
  }

  private static byte[] bytes(int length, long of) {
    byte[] bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) of);
    return bytes;
  }

  private static PublishOutcome publish(ClusterDirectory directory, Publication publication) {
    return TestMember.await(directory.publish(publication).answer().toCompletableFuture());
  }

  private static @Nullable JobRecord read(ClusterDirectory directory, long jobId) {
    return TestMember.await(
        directory.read(jobId, Deadline.in(PATIENCE)).answer().toCompletableFuture());
  }

  /** The reason that the call fails with, or null if it succeeds. */
  private static @Nullable Unavailability failure(Call<?> call) {
    Throwable failure =
        call.answer().handle((answer, thrown) -> thrown).toCompletableFuture().join();
    if (failure == null) {
      return null;
    }
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    assertThat(cause).isInstanceOf(DirectoryUnavailableException.class);
    return ((DirectoryUnavailableException) cause).reason();
  }

  @Test
  void what_one_gateway_publishes_another_reads() {
    for (TestMember owner : List.of(first, second)) {
      long id = owner.owned(100).findFirst().orElseThrow();
      Publication running = job(id, 3, JobStatus.RUNNING, bytes(100, 1));
      assertThat(read(second.directory(), id)).isNull();
      assertThat(publish(first.directory(), running)).isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(publish(second.directory(), running)).isEqualTo(PublishOutcome.UNCHANGED);
      JobRecord expected = JobRecord.publish(null, running, NOON.toEpochMilli(), 0).record();
      assertThat(read(first.directory(), id)).isEqualTo(expected);
      assertThat(read(second.directory(), id)).isEqualTo(expected);
      assertThat(publish(second.directory(), job(id, 2, JobStatus.RUNNING, null)))
          .isEqualTo(PublishOutcome.STALE_EPOCH);
      assertThat(publish(second.directory(), job(id, 3, JobStatus.FINISHED, null)))
          .isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(publish(first.directory(), running)).isEqualTo(PublishOutcome.ENDED);
      assertThat(remove(first, id)).isTrue();
      assertThat(remove(second, id)).isFalse();
      assertThat(read(second.directory(), id)).isNull();
    }
  }

  @Test
  void the_jobs_of_all_members_are_listed_at_either() {
    byte[] graph = bytes(5_000, 1);
    List<JobSummary> expected = new ArrayList<>();
    long now = System.currentTimeMillis();
    for (TestMember owner : List.of(first, second)) {
      List<Long> ids = owner.owned(1_000_000).limit(3).boxed().toList();
      publish(first.directory(), job(ids.get(0), 3, JobStatus.RUNNING, graph));
      publish(second.directory(), job(ids.get(1), 3, JobStatus.RUNNING, graph));
      publish(first.directory(), job(ids.get(1), 3, JobStatus.FINISHED, null));
      publish(first.directory(), job(ids.get(2), 3, JobStatus.FAILED, null));
      publish(second.directory(), job(ids.get(2), 4, JobStatus.CREATED, null));
      expected.add(summary(ids.get(0), JobStatus.RUNNING, true, 3));
      expected.add(summary(ids.get(1), JobStatus.FINISHED, false, 3));
      expected.add(summary(ids.get(2), JobStatus.CREATED, true, 4));
    }
    for (TestMember asked : List.of(first, second)) {
      JobListing.Read listing = list(asked, 10_000);
      assertThat(listing.whole()).isTrue();
      assertThat(listing.jobs())
          .filteredOn(job -> job.jobId() >= 1_000_000)
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("ended")
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(listing.jobs())
          .filteredOn(job -> job.status() == JobStatus.FINISHED && job.jobId() >= 1_000_000)
          .allSatisfy(job -> assertThat(job.ended().millis()).isBetween(now, now + 60_000));
      assertThat(list(asked, 2).jobs()).hasSize(2);
      assertThat(list(asked, 2).whole()).isFalse();
    }
    expected.forEach(job -> remove(first, job.jobId()));
  }

  private static JobSummary summary(long id, JobStatus status, boolean active, long epoch) {
    JobTime created = JobTime.ofMillis(NOON.plusSeconds(epoch).toEpochMilli());
    return new JobSummary(id, null, status, active, created, null);
  }

  private static JobListing.Read list(TestMember member, int most) {
    return TestMember.await(
        member.directory().list(most, Deadline.in(PATIENCE)).answer().toCompletableFuture());
  }

  @Test
  void a_list_that_is_not_there_in_its_time_fails_and_a_second_one_waits_for_none() {
    ClusterDirectory directory = first.directory();
    CompletableFuture<Void> held = new CompletableFuture<>();
    AtomicInteger waiting = new AtomicInteger();
    for (int thread = 1; thread <= 2; thread++) {
      int count = thread;
      first.threads.execute(
          () -> {
            waiting.incrementAndGet();
            held.join();
          });
      await().atMost(PATIENCE).until(() -> waiting.get() == count);
    }
    try {
      Call<JobListing.Read> late = directory.list(10, Deadline.in(Duration.ofMillis(50)));
      assertThat(failure(late)).isEqualTo(Unavailability.DEADLINE);
      assertThat(failure(directory.list(10, Deadline.in(PATIENCE))))
          .isEqualTo(Unavailability.STORE_BUSY);
      assertThat(late.ended().toCompletableFuture()).isNotDone();
      held.complete(null);
      assertThat(late.ended().toCompletableFuture()).succeedsWithin(PATIENCE);
    } finally {
      held.complete(null);
    }
  }

  private static boolean remove(TestMember member, long id) {
    return TestMember.await(member.directory().remove(id).answer().toCompletableFuture());
  }

  @Test
  void a_transition_is_seen_whole_or_not_at_all() throws Exception {
    long id = second.owned(200).findFirst().orElseThrow();
    int epochs = 150;
    AtomicBoolean done = new AtomicBoolean();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    List<Thread> readers = new ArrayList<>();
    for (TestMember member : List.of(first, second)) {
      ClusterDirectory directory = member.directory();
      readers.add(
          new Thread(
              () -> {
                long last = 0;
                while (!done.get() && wrong.isEmpty()) {
                  last = look(read(directory, id), last, wrong);
                }
              }));
    }
    readers.forEach(Thread::start);
    ClusterDirectory publisher = first.directory();
    for (long epoch = 1; epoch <= epochs; epoch++) {
      publish(publisher, job(id, epoch, JobStatus.RUNNING, bytes(500, epoch)));
      publish(publisher, job(id, epoch, JobStatus.FINISHED, null));
    }
    done.set(true);
    for (Thread reader : readers) {
      reader.join(PATIENCE.toMillis());
    }
    assertThat(wrong).isEmpty();
    assertThat(Objects.requireNonNull(read(second.directory(), id)).retained().run().epoch())
        .isEqualTo(epochs);
  }

  /** The epoch of what is seen, which never goes down; graph and state belong together. */
  private static long look(@Nullable JobRecord record, long last, List<String> wrong) {
    if (record == null) {
      return last;
    }
    var run = record.active() != null ? record.active() : record.retained().run();
    if (run.epoch() < last) {
      wrong.add("epoch " + run.epoch() + " after " + last);
    }
    if (run.graph() == null || run.graph()[499] != (byte) run.epoch()) {
      wrong.add("another graph in epoch " + run.epoch());
    }
    return run.epoch();
  }

  @Test
  void publishers_that_race_leave_the_highest_epoch() {
    long id = first.owned(300).findFirst().orElseThrow();
    List<CompletableFuture<PublishOutcome>> outcomes = new ArrayList<>();
    for (long epoch = 40; epoch >= 1; epoch--) {
      TestMember member = epoch % 2 == 0 ? first : second;
      outcomes.add(
          member
              .directory()
              .publish(job(id, epoch * 7 % 41, JobStatus.RUNNING, null))
              .answer()
              .toCompletableFuture());
    }
    outcomes.forEach(TestMember::await);
    assertThat(read(first.directory(), id).active().epoch()).isEqualTo(40);
    assertThat(outcomes.stream().map(CompletableFuture::join))
        .containsOnly(PublishOutcome.PUBLISHED, PublishOutcome.STALE_EPOCH);
  }

  @Test
  void a_record_is_gone_after_its_history_and_an_active_one_stays() {
    DirectoryConfig brief = new DirectoryConfig(Duration.ofMillis(300), 1_000, 1 << 20, 1 << 10);
    try (TestMember member = new TestMember(TestMember.alone(1), brief).start()) {
      ClusterDirectory directory = member.directory();
      publish(directory, job(1, 1, JobStatus.FINISHED, bytes(9, 1)));
      publish(directory, job(2, 1, JobStatus.FINISHED, bytes(9, 1)));
      publish(directory, job(2, 2, JobStatus.RUNNING, bytes(9, 2)));
      IMap<Long, byte[]> map = member.map(StoreMaps.DIRECTORY);
      assertThat(map.getEntryView(2L).getExpirationTime()).isEqualTo(Long.MAX_VALUE);
      await().atMost(PATIENCE).until(() -> read(directory, 1) == null);
      assertThat(read(directory, 2).active().epoch()).isEqualTo(2);
      publish(directory, job(2, 2, JobStatus.CANCELED, null));
      await().atMost(PATIENCE).until(() -> read(directory, 2) == null);
    }
  }

  @Test
  void at_the_bound_records_of_ended_jobs_go_first_and_the_oldest_of_them() {
    int perPart = 3;
    DirectoryConfig few =
        new DirectoryConfig(
            Duration.ofDays(1), perPart * MemberSettings.PARTITIONS, 1 << 20, 1 << 10);
    try (TestMember member = new TestMember(TestMember.alone(1), few).start()) {
      ClusterDirectory directory = member.directory();
      var partitions = member.hazelcast().getPartitionService();
      long[] ids =
          member
              .owned(1)
              .filter(id -> partitions.getPartition(id).getPartitionId() == 7)
              .limit(6)
              .toArray();
      publish(directory, job(ids[0], 1, JobStatus.RUNNING, null));
      publish(directory, job(ids[1], 1, JobStatus.FINISHED, null));
      awaitAnotherSecond();
      publish(directory, job(ids[2], 1, JobStatus.FINISHED, null));
      publish(directory, job(ids[3], 1, JobStatus.RUNNING, null));
      assertThat(kept(directory, ids)).containsExactly(true, false, true, true, false, false);
      publish(directory, job(ids[4], 1, JobStatus.RUNNING, null));
      assertThat(kept(directory, ids)).containsExactly(true, false, false, true, true, false);
      publish(directory, job(ids[0], 2, JobStatus.RUNNING, null));
      awaitAnotherSecond();
      publish(directory, job(ids[0], 2, JobStatus.SCHEDULED, null));
      publish(directory, job(ids[5], 1, JobStatus.RUNNING, null));
      assertThat(kept(directory, ids))
          .as("the job changed last stays")
          .startsWith(true)
          .endsWith(true);
    }
  }

  /** To Hazelcast, what happens within a second happens at once. */
  private static void awaitAnotherSecond() {
    long now = System.currentTimeMillis();
    await().atMost(PATIENCE).until(() -> System.currentTimeMillis() > now + 1_000);
  }

  private static List<Boolean> kept(ClusterDirectory directory, long[] ids) {
    return java.util.Arrays.stream(ids).mapToObj(id -> read(directory, id) != null).toList();
  }

  @Test
  void where_there_is_no_room_graphs_are_refused_and_changes_of_state_are_not() {
    DirectoryConfig small = new DirectoryConfig(Duration.ofDays(1), 1_000, 10_000, 1 << 10);
    try (TestMember member = new TestMember(TestMember.alone(1), small).start()) {
      ClusterDirectory directory = member.directory();
      assertThat(publish(directory, job(1, 1, JobStatus.RUNNING, bytes(6_000, 1))))
          .isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(publish(directory, job(2, 1, JobStatus.RUNNING, bytes(6_000, 1))))
          .isEqualTo(PublishOutcome.FULL);
      assertThat(read(directory, 2)).as("nothing of it").isNull();
      assertThat(publish(directory, job(1, 1, JobStatus.RUNNING, bytes(12_000, 1))))
          .isEqualTo(PublishOutcome.FULL);
      assertThat(read(directory, 1).active().graph()).hasSize(6_000);
      assertThat(publish(directory, job(1, 1, JobStatus.FINISHED, null)))
          .isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(publish(directory, job(1, 2, JobStatus.RUNNING, bytes(5_000, 1))))
          .isEqualTo(PublishOutcome.FULL);
      TestMember.await(directory.remove(1).answer().toCompletableFuture());
      assertThat(publish(directory, job(2, 1, JobStatus.RUNNING, bytes(6_000, 1))))
          .isEqualTo(PublishOutcome.PUBLISHED);
    }
  }

  @Test
  void a_cluster_below_its_minimum_is_neither_read_nor_written() {
    try (TestMember one = new TestMember(TestMember.alone(2)).start()) {
      ClusterDirectory directory = one.directory();
      Publication publication = job(1, 1, JobStatus.RUNNING, null);
      assertThat(failure(directory.publish(publication)))
          .isEqualTo(Unavailability.CLUSTER_TOO_SMALL);
      assertThat(failure(directory.remove(1))).isEqualTo(Unavailability.CLUSTER_TOO_SMALL);
      assertThat(failure(directory.read(1, Deadline.in(PATIENCE))))
          .isEqualTo(Unavailability.CLUSTER_TOO_SMALL);
      try (TestMember other = new TestMember(one.beside(2)).start()) {
        for (long id = 1; id <= 10; id++) {
          long job = id;
          await()
              .atMost(PATIENCE)
              .ignoreExceptions()
              .until(() -> publish(directory, job(job, 1, JobStatus.RUNNING, null)) != null);
          await()
              .atMost(PATIENCE)
              .ignoreExceptions()
              .until(() -> read(other.directory(), job) != null);
        }
      }
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  one.cluster.members() == 1
                      && failure(directory.read(1, Deadline.in(PATIENCE)))
                          == Unavailability.CLUSTER_TOO_SMALL);
    }
  }

  @Test
  void after_an_owners_death_its_copies_are_what_it_had() {
    try (TestMember survivor = TestMember.first()) {
      TestMember owner = survivor.join();
      survivor.awaitSettled(2);
      long[] ids = owner.owned(1).limit(20).toArray();
      ClusterDirectory directory = survivor.directory();
      List<JobRecord> before = new ArrayList<>();
      List<Long> expiries = new ArrayList<>();
      for (long id : ids) {
        publish(directory, job(id, 1, JobStatus.RUNNING, bytes(300, id)));
        if (id % 2 == 0) {
          publish(directory, job(id, 1, JobStatus.FINISHED, bytes(200, id)));
        }
        if (id % 4 == 0) {
          publish(directory, job(id, 2, JobStatus.CREATED, null));
        }
        before.add(read(directory, id));
        expiries.add(owner.map(StoreMaps.DIRECTORY).getEntryView(id).getExpirationTime());
      }
      publish(directory, job(ids[0], 5, JobStatus.RUNNING, null));
      TestMember.await(directory.remove(ids[0]).answer().toCompletableFuture());
      owner.hazelcast().getLifecycleService().terminate();
      assertThat(read(directory, ids[0])).as("removed in the copy, too").isNull();
      for (int i = 1; i < ids.length; i++) {
        assertThat(read(directory, ids[i])).isEqualTo(before.get(i));
        long expiry = survivor.map(StoreMaps.DIRECTORY).getEntryView(ids[i]).getExpirationTime();
        if (expiries.get(i) == Long.MAX_VALUE) {
          assertThat(expiry).isEqualTo(Long.MAX_VALUE);
        } else {
          assertThat(expiry).isBetween(expiries.get(i) - 10_000, expiries.get(i) + 10_000);
        }
      }
      owner.close();
    }
  }

  @Test
  void L16_an_owner_that_hangs_costs_the_deadline_and_the_call_stays_open() {
    long id = second.owned(500).findFirst().orElseThrow();
    ClusterDirectory directory = first.directory();
    publish(directory, job(id, 1, JobStatus.RUNNING, null));
    Call<@Nullable JobRecord> call;
    try (HeldPart held = HeldPart.of(second, StoreMaps.DIRECTORY, id)) {
      call = directory.read(id, Deadline.in(Duration.ofMillis(150)));
      assertThat(failure(call)).isEqualTo(Unavailability.DEADLINE);
      assertThat(call.ended().toCompletableFuture()).isNotDone();
    }
    await().atMost(PATIENCE).until(() -> call.ended().toCompletableFuture().isDone());
    assertThat(read(directory, id)).isNotNull();
  }

  @Test
  void records_that_another_version_wrote_are_read() throws IOException {
    byte[] older = resource("job-record-1.hex");
    byte[] newer = java.util.Arrays.copyOf(older, older.length + 20);
    newer[0] = 2;
    first.map(StoreMaps.DIRECTORY).set(701L, older);
    first.map(StoreMaps.DIRECTORY).set(702L, newer);
    assertThat(read(second.directory(), 701)).isEqualTo(JobRecord.fromBytes(older));
    assertThat(read(second.directory(), 702)).isEqualTo(JobRecord.fromBytes(older));
  }

  @Test
  void a_record_that_can_not_be_read_is_no_missing_one() {
    for (TestMember owner : List.of(first, second)) {
      long id = owner.owned(800).findFirst().orElseThrow();
      first.map(StoreMaps.DIRECTORY).set(id, new byte[] {1, 99});
      ClusterDirectory directory = first.directory();
      assertThat(failure(directory.read(id, Deadline.in(PATIENCE))))
          .isEqualTo(Unavailability.STORE_FAILED);
      assertThat(failure(directory.publish(job(id, 1, JobStatus.RUNNING, null))))
          .isEqualTo(Unavailability.STORE_FAILED);
      assertThat(remove(first, id)).isTrue();
    }
  }

  @Test
  void before_the_cluster_is_joined_and_after_it_is_left_calls_say_so() {
    TestMember member = new TestMember(TestMember.alone(1));
    ClusterDirectory directory = member.directory();
    assertThat(failure(directory.read(1, Deadline.in(PATIENCE))))
        .isEqualTo(Unavailability.CLUSTER_JOINING);
    member.start();
    assertThat(read(directory, 1)).isNull();
    TestMember.await(member.cluster.stop().toCompletableFuture());
    assertThat(failure(directory.read(1, Deadline.in(PATIENCE))))
        .isEqualTo(Unavailability.STOPPING);
    member.close();
  }

  private static byte[] resource(String name) throws IOException {
    try (var in = ClusterDirectoryTest.class.getResourceAsStream("/stored/" + name)) {
      assertThat(in).as(name).isNotNull();
      return HexFormat.of()
          .parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
    }
  }
}
