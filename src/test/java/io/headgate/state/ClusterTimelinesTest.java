package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.EntryView;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.timeline.ChangeReference;
import io.headgate.timeline.DecisionEvent;
import io.headgate.timeline.EventDigest;
import io.headgate.timeline.EventType;
import io.headgate.timeline.Observation;
import io.headgate.timeline.Outcome;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.Stage;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineConfig;
import io.headgate.timeline.TimelineLimits;
import io.headgate.timeline.TimelineLook;
import io.headgate.timeline.TimelineQuery;
import io.headgate.timeline.TimelineUnavailableException;
import io.headgate.wire.CapExceededException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Timelines in a cluster of real members, each asked as its gateway would. */
class ClusterTimelinesTest {
  static final long HISTORY = 77;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int CAP = 1 << 20;

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

  static ClusterTimelines timelines(TestMember member) {
    return timelines(member, TimelineLimits.DEFAULT);
  }

  private static ClusterTimelines timelines(TestMember member, TimelineLimits limits) {
    return new ClusterTimelines(member.cluster, limits, InstantSource.system(), member.clock);
  }

  static TimelineChange observed(long job, int from, int to) {
    List<Observation> events =
        IntStream.rangeClosed(from, to).mapToObj(ClusterTimelinesTest::event).toList();
    return new TimelineChange.Observed(job, events, HISTORY);
  }

  private static Observation event(int number) {
    EventType type = EventType.SCHEMA_CHANGE_ADD_COLUMN;
    return new Observation(digest(number), 1_000L + number, "shop.orders", type, List.of(), false);
  }

  private static EventDigest digest(int number) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) number);
    return EventDigest.of(bytes);
  }

  /** A decision on the change that a reporter knows by the key {@code number}. */
  private static TimelineChange decided(long job, int number) {
    DecisionEvent event =
        DecisionEvent.of(job, new ChangeReference.ByKey(digest(number)), Stage.NORMALIZED)
            .at(2_000L + number)
            .build();
    return new TimelineChange.Decided(job, List.of(event), HISTORY);
  }

  static Receipt apply(ClusterTimelines timelines, TimelineChange change) {
    return TestMember.await(
        timelines.apply(change, Deadline.in(PATIENCE)).answer().toCompletableFuture());
  }

  private static @Nullable String page(ClusterTimelines timelines, long job) {
    byte[] page =
        TestMember.await(
            page(timelines, job, TimelineQuery.DEFAULT, CAP).answer().toCompletableFuture());
    return page == null ? null : new String(page, StandardCharsets.UTF_8);
  }

  private static Call<byte @Nullable []> page(
      ClusterTimelines timelines, long job, TimelineQuery query, int cap) {
    return timelines.page(job, query, true, cap, Deadline.in(PATIENCE));
  }

  static IMap<Long, Timeline> map(TestMember member) {
    return member.hazelcast().getMap(StoreMaps.TIMELINES);
  }

  private static byte[] stored(TestMember member, long job) {
    return map(member).get(job).toBytes();
  }

  @Test
  void what_one_gateway_is_told_another_reads() {
    for (TestMember owner : List.of(first, second)) {
      long job = owner.owned(100).findFirst().orElseThrow();
      assertThat(page(timelines(second), job)).isNull();
      assertThat(apply(timelines(first), observed(job, 1, 2)).recorded()).isEqualTo(2);
      assertThat(apply(timelines(second), decided(job, 9)).recorded()).isEqualTo(1);
      assertThat(page(timelines(first), job))
          .contains("\"jobId\":\"" + job + "\"", "\"sequence\":3")
          .isEqualTo(page(timelines(second), job));
    }
  }

  @Test
  void T1b_a_change_that_is_made_again_does_nothing_new() {
    for (TestMember owner : List.of(first, second)) {
      long job = owner.owned(200).findFirst().orElseThrow();
      apply(timelines(first), observed(job, 1, 3));
      Receipt decision = apply(timelines(second), decided(job, 9));
      byte[] before = stored(first, job);
      assertThat(apply(timelines(second), observed(job, 1, 3)).replayed()).isEqualTo(3);
      Receipt again = apply(timelines(first), decided(job, 9));
      assertThat(again.results()).isEqualTo(decision.results());
      assertThat(again.recorded()).isZero();
      assertThat(stored(second, job)).isEqualTo(before);
    }
  }

  @Test
  void T6_changes_that_race_give_each_record_a_sequence_of_its_own() {
    long job = second.owned(300).findFirst().orElseThrow();
    List<Call<Receipt>> calls = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      ClusterTimelines asked = timelines(i % 2 == 0 ? first : second);
      calls.add(asked.apply(decided(job, i), Deadline.in(PATIENCE)));
    }
    calls.forEach(call -> TestMember.await(call.answer().toCompletableFuture()));
    assertThat(page(timelines(first), job))
        .contains(IntStream.rangeClosed(1, 60).mapToObj(i -> "\"sequence\":" + i + ",").toList());
  }

  @Test
  void T12_after_an_owners_death_its_copies_are_what_it_had() {
    try (TestMember survivor = TestMember.first()) {
      TestMember owner = survivor.join();
      survivor.awaitSettled(2);
      long[] jobs = owner.owned(1).limit(20).toArray();
      ClusterTimelines timelines = timelines(survivor);
      List<byte[]> before = new ArrayList<>();
      List<Long> expiries = new ArrayList<>();
      for (long job : jobs) {
        apply(timelines, observed(job, 1, (int) (job % 5) + 1));
        apply(timelines, decided(job, 9));
        apply(timelines, decided(job, 9));
        if (job % 2 == 0) {
          apply(timelines, new TimelineChange.Ended(job));
        }
        if (job % 4 == 0) {
          apply(timelines, new TimelineChange.Resumed(job));
        }
        before.add(stored(survivor, job));
        expiries.add(map(owner).getEntryView(job).getExpirationTime());
      }
      owner.hazelcast().getLifecycleService().terminate();
      for (int i = 0; i < jobs.length; i++) {
        assertThat(page(timelines, jobs[i])).isNotNull();
        assertThat(stored(survivor, jobs[i])).isEqualTo(before.get(i));
        long expiry = map(survivor).getEntryView(jobs[i]).getExpirationTime();
        if (expiries.get(i) == Long.MAX_VALUE) {
          assertThat(expiry).as("job %s", jobs[i]).isEqualTo(Long.MAX_VALUE);
        } else {
          // Hazelcast counts in seconds, from when each of them wrote it.
          assertThat(expiry).isBetween(expiries.get(i) - 60_000, expiries.get(i) + 60_000);
        }
      }
      owner.close();
    }
  }

  @Test
  void T12_a_copy_that_missed_a_change_has_it_once_the_change_is_answered_for() {
    Map.Entry<Long, Timeline> owner = new SimpleEntry<>(7L, null);
    Map.Entry<Long, Timeline> copy = new SimpleEntry<>(7L, null);
    for (TimelineChange change : List.of(observed(7, 1, 2), decided(7, 9))) {
      copied(owner, change).process(copy);
      assertThat(copy.getValue().toBytes()).isEqualTo(owner.getValue().toBytes());
    }
    assertThat(copied(owner, observed(7, 3, 4))).isNotNull(); // and is lost on its way
    Timeline before = owner.getValue();
    copied(owner, observed(7, 3, 4)).process(copy);
    assertThat(owner.getValue()).as("not written again").isSameAs(before);
    assertThat(copy.getValue().toBytes()).isEqualTo(before.toBytes());
  }

  /** What goes to the copy of {@code owner} after this change. */
  private static EntryProcessor<Long, Timeline, byte[]> copied(
      Map.Entry<Long, Timeline> owner, TimelineChange change) {
    TimelineApply apply = new TimelineApply(change, 5_000, TimelineLimits.DEFAULT);
    apply.process(owner);
    return apply.getBackupProcessor();
  }

  @Test
  void a_page_changes_nothing_and_is_the_one_that_was_asked_for() {
    for (TestMember owner : List.of(first, second)) {
      long job = owner.owned(400).findFirst().orElseThrow();
      apply(timelines(first), observed(job, 1, 5));
      long version = map(owner).getEntryView(job).getVersion();
      byte[] before = stored(owner, job);
      TimelineQuery query = new TimelineQuery(2, 5, "shop.orders", null);
      byte[] page =
          TestMember.await(page(timelines(first), job, query, CAP).answer().toCompletableFuture());
      assertThat(new String(page, StandardCharsets.UTF_8))
          .contains("\"sequence\":4", "\"sequence\":3", "\"nextBeforeSequence\":3")
          .doesNotContain("\"sequence\":5", "\"sequence\":2");
      TimelineQuery applied = new TimelineQuery(2, 5, null, Outcome.APPLIED);
      byte[] none =
          TestMember.await(
              page(timelines(first), job, applied, CAP).answer().toCompletableFuture());
      assertThat(new String(none, StandardCharsets.UTF_8)).contains("\"records\":[]");
      assertThat(stored(owner, job)).isEqualTo(before);
      assertThat(map(owner).getEntryView(job).getVersion()).isEqualTo(version);
      var tight = page(timelines(second), job, query, 400).answer().toCompletableFuture();
      assertThatThrownBy(() -> TestMember.await(tight)).isInstanceOf(CapExceededException.class);
    }
  }

  @Test
  void T12_a_timeline_is_gone_after_its_retention_and_that_of_a_running_job_stays() {
    TimelineLimits brief = new TimelineLimits(500, 100, 16, 4 << 20, 300);
    ClusterTimelines timelines = timelines(first, brief);
    long[] jobs = second.owned(500).limit(2).toArray();
    for (long job : jobs) {
      apply(timelines, observed(job, 1, 2));
    }
    apply(timelines, new TimelineChange.Ended(jobs[0]));
    await().atMost(PATIENCE).until(() -> page(timelines, jobs[0]) == null);
    assertThat(page(timelines, jobs[1])).isNotNull();
    assertThat(apply(timelines, new TimelineChange.Ended(jobs[0]))).isEqualTo(Receipt.NOTHING);
  }

  @Test
  void T12_a_timeline_counts_as_gone_once_its_time_is_over_by_the_clock_of_who_asks() {
    long job = second.owned(550).findFirst().orElseThrow();
    apply(timelines(first), observed(job, 1, 2));
    apply(timelines(first), new TimelineChange.Ended(job));
    long endedAt = map(first).get(job).endedAt();
    for (long late : new long[] {-1, 0}) {
      long now = endedAt + TimelineLimits.DEFAULT.retentionMillis() + late;
      ClusterTimelines asking =
          new ClusterTimelines(
              first.cluster, TimelineLimits.DEFAULT, () -> Instant.ofEpochMilli(now), first.clock);
      assertThat(page(asking, job) == null).isEqualTo(late == 0);
    }
  }

  @Test
  void T12_each_gateway_looks_at_the_timelines_that_it_owns() {
    for (TestMember owner : List.of(first, second)) {
      long job = owner.owned(560).findFirst().orElseThrow();
      apply(timelines(first), observed(job, 1, 1));
      for (TestMember each : List.of(first, second)) {
        Set<Long> owned =
            TestMember.await(
                timelines(each).jobs(Deadline.in(PATIENCE)).answer().toCompletableFuture());
        assertThat(owned.contains(job)).isEqualTo(each == owner);
      }
      TimelineLook running = look(owner, job);
      assertThat(running.active()).isTrue();
      assertThat(running.ended()).isFalse();
      assertThat(running.changedAt()).isEqualTo(map(owner).get(job).changedAt());
      apply(timelines(second), new TimelineChange.Ended(job));
      TimelineLook ended = look(owner, job);
      assertThat(ended.active()).isFalse();
      assertThat(ended.endedAt()).isEqualTo(map(owner).get(job).endedAt());
    }
    assertThat(look(first, first.owned(570).findFirst().orElseThrow())).isNull();
  }

  private static @Nullable TimelineLook look(TestMember member, long job) {
    return TestMember.await(
        timelines(member).look(job, Deadline.in(PATIENCE)).answer().toCompletableFuture());
  }

  @Test
  void T13_the_history_of_jobs_without_one_is_drawn_once_in_a_cluster() {
    String drawn = historyId(first);
    assertThat(drawn).matches("[0-9a-f]{16}");
    IMap<Long, byte[]> map = first.map(StoreMaps.HISTORY);
    long version = map.getEntryView(StoreMaps.HISTORY_KEY).getVersion();
    for (int i = 0; i < 10; i++) {
      assertThat(historyId(i % 2 == 0 ? second : first)).isEqualTo(drawn);
    }
    assertThat(map.getEntryView(StoreMaps.HISTORY_KEY).getVersion())
        .as("not written again")
        .isEqualTo(version);
    try (TestMember another = TestMember.first()) {
      assertThat(historyId(another)).isNotEqualTo(drawn);
      try (TestMember later = another.join()) {
        String before = historyId(another);
        another.awaitSettled(2);
        assertThat(historyId(later)).as("a member that comes changes nothing").isEqualTo(before);
      }
    }
  }

  private static String historyId(TestMember member) {
    return TestMember.await(
        timelines(member).historyId(Deadline.in(PATIENCE)).answer().toCompletableFuture());
  }

  @Test
  void T4_at_the_bound_ended_jobs_go_first_and_then_the_one_that_was_idle_longest() {
    long[] jobs = first.owned(600).limit(4).toArray();
    long now = 1_000;
    for (long job : jobs) {
      map(first).submitToKey(job, at(observed(job, 1, 1), now++)).toCompletableFuture().join();
    }
    for (TimelineChange change :
        List.of(
            observed(jobs[0], 2, 2),
            new TimelineChange.Ended(jobs[3]),
            new TimelineChange.Ended(jobs[2]))) {
      map(first).submitToKey(change.jobId(), at(change, now++)).toCompletableFuture().join();
    }
    List<Long> order =
        Arrays.stream(jobs)
            .mapToObj(map(first)::getEntryView)
            .sorted(new StoreMaps.IdleFirst())
            .map(EntryView::getKey)
            .toList();
    assertThat(order).containsExactly(jobs[3], jobs[2], jobs[1], jobs[0]);
  }

  private static TimelineApply at(TimelineChange change, long now) {
    return new TimelineApply(change, now, TimelineLimits.DEFAULT);
  }

  @Test
  void T4_a_part_of_the_map_keeps_no_more_jobs_than_its_share() {
    int share =
        (TimelineConfig.DEFAULT.jobs() + MemberSettings.PARTITIONS - 1) / MemberSettings.PARTITIONS;
    try (TestMember member = TestMember.first()) {
      var partitions = member.hazelcast().getPartitionService();
      member
          .owned(1)
          .filter(id -> partitions.getPartition(id).getPartitionId() == 7)
          .limit(share + 5)
          .forEach(job -> apply(timelines(member), observed(job, 1, 1)));
      assertThat(map(member).size()).isEqualTo(share);
    }
  }

  @Test
  void before_the_cluster_is_joined_calls_fail_with_the_reason() {
    TestMember member = new TestMember(TestMember.alone(1));
    ClusterTimelines timelines = timelines(member);
    for (Call<?> call :
        List.of(
            timelines.apply(observed(1, 1, 1), Deadline.in(PATIENCE)),
            page(timelines, 1, TimelineQuery.DEFAULT, CAP))) {
      assertThatThrownBy(() -> TestMember.await(call.answer().toCompletableFuture()))
          .isInstanceOfSatisfying(
              TimelineUnavailableException.class,
              e -> assertThat(e.reason()).isEqualTo(Unavailability.CLUSTER_JOINING));
    }
    member.close();
  }
}
