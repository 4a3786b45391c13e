package io.headgate.state;

import static io.headgate.state.ClusterTimelinesTest.apply;
import static io.headgate.state.ClusterTimelinesTest.map;
import static io.headgate.state.ClusterTimelinesTest.observed;
import static io.headgate.state.ClusterTimelinesTest.timelines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.observe.Meters;
import io.headgate.timeline.ChangeReference;
import io.headgate.timeline.DecisionEvent;
import io.headgate.timeline.DecisionResult;
import io.headgate.timeline.Fault;
import io.headgate.timeline.Outcome;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.Stage;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineConfig;
import io.headgate.timeline.TimelineLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a member keeps of timelines when it owns all the bytes that it may. */
class FullTimelinesTest {
  private static final int BYTES = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static TestMember full() {
    TimelineConfig config =
        new TimelineConfig(true, false, 10_000, TimelineLimits.DEFAULT, BYTES, 1 << 20);
    return new TestMember(TestMember.alone(1), config).start();
  }

  private static TimelineChange decided(long job, String key, String error) {
    DecisionEvent event =
        DecisionEvent.of(job, ChangeReference.ByKey.of(key), Stage.COMPLETED)
            .target("t", null, null)
            .outcome(Outcome.FAILED)
            .error(error)
            .build();
    return new TimelineChange.Decided(job, List.of(event), ClusterTimelinesTest.HISTORY);
  }

  private static long bytes(TestMember member) {
    return map(member).values().stream().mapToLong(Timeline::bytes).sum();
  }

  /** Jobs of this member's, one after the other, until one finds no room. */
  private static List<Long> fill(TestMember member) {
    ClusterTimelines timelines = timelines(member);
    List<Long> jobs = new ArrayList<>();
    for (long job : (Iterable<Long>) member.owned(1)::iterator) {
      if (apply(timelines, observed(job, 1, 60)).recorded() == 0) {
        return jobs;
      }
      jobs.add(job);
    }
    throw new AssertionError("there are always more");
  }

  @Test
  void T4_where_there_is_no_room_new_jobs_are_skipped_and_counted() {
    try (TestMember member = full()) {
      List<Long> jobs = fill(member);
      assertThat(jobs).hasSizeGreaterThan(10);
      assertThat(bytes(member)).isBetween(BYTES / 2L, (long) BYTES);
      long fresh = member.owned(jobs.get(jobs.size() - 1) + 1).skip(1).findFirst().orElseThrow();
      ClusterTimelines timelines = timelines(member);
      Receipt observed = apply(timelines, observed(fresh, 1, 60));
      assertThat(observed.dropped()).isEqualTo(60);
      Receipt decided = apply(timelines, decided(fresh, "a", "e".repeat(4_000)));
      for (int i = 0; decided.results().get(0).fault() == null; i++) {
        decided = apply(timelines, decided(fresh + i, "a", "e".repeat(4_000)));
      }
      assertThat(decided.results()).containsExactly(DecisionResult.of(Fault.TOO_MANY_JOBS));
      assertThat(bytes(member)).isLessThanOrEqualTo(BYTES);
    }
  }

  @Test
  void T4_where_there_is_no_room_a_known_job_makes_it_in_itself_and_its_copy_is_the_same() {
    try (TestMember first = full()) {
      TestMember owner = first.join();
      first.awaitSettled(2);
      List<Long> jobs = fill(owner);
      ClusterTimelines timelines = timelines(first);
      long job = jobs.get(0);
      Receipt last = Receipt.NOTHING;
      for (int i = 61; i <= 120; i++) {
        last = apply(timelines, observed(job, i, i));
        assertThat(last.recorded()).isEqualTo(1);
      }
      assertThat(last.evicted()).isEqualTo(1);
      Timeline kept = map(first).get(job);
      assertThat(kept.size()).isBetween(60, 119);
      assertThat(bytes(owner)).as("but for digests").isLessThan(BYTES + BYTES / 100);
      assertThat(apply(timelines, new TimelineChange.Ended(job))).isEqualTo(Receipt.NOTHING);
      assertThat(map(first).get(job).endedAt()).isNotEqualTo(Timeline.NEVER);

      byte[] stored = map(first).get(job).toBytes();
      owner.hazelcast().getLifecycleService().terminate();
      await().atMost(PATIENCE).until(() -> first.cluster.members() == 1);
      assertThat(map(first).get(job).toBytes()).isEqualTo(stored);
      owner.close();
    }
  }

  @Test
  void what_a_member_owns_is_measured_also_after_others_have_left() {
    try (TestMember first = TestMember.first()) {
      TestMember second = first.join();
      first.awaitSettled(2);
      ClusterTimelines timelines = timelines(first);
      LongStream.rangeClosed(1, 40).forEach(job -> apply(timelines, observed(job, 1, 9)));
      for (TestMember member : List.of(first, second)) {
        long owned =
            member
                .owned(1)
                .takeWhile(job -> job <= 40)
                .map(job -> map(first).get(job).bytes())
                .sum();
        assertThat(owned).isPositive();
        await().atMost(PATIENCE).until(() -> fill(member, "bytes") == owned);
      }
      second.close();
      long all = bytes(first);
      await().atMost(PATIENCE).until(() -> fill(first, "bytes") == all);
      assertThat(fill(first, "bytes_limit"))
          .isEqualTo(MapFill.ofTimelines(256 << 20, Runtime.getRuntime().maxMemory()));
    }
  }

  /** A gauge of the map of timelines. */
  private static long fill(TestMember member, String gauge) {
    try (Meters meters = new Meters()) {
      member.cluster.observe(meters);
      String name = "headgate_map_" + gauge + "{map=\"timelines\"} ";
      String line =
          meters.scrape().lines().filter(each -> each.startsWith(name)).findFirst().orElseThrow();
      return (long) Double.parseDouble(line.substring(name.length()));
    }
  }
}
