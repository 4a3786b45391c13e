package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.directory.JobRecord;
import io.headgate.directory.Publication;
import io.headgate.graph.Deadline;
import io.headgate.graph.Execution;
import io.headgate.graph.JobStatus;
import io.headgate.kit.FreePorts;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Two halves of a cluster that find each other: members that were started apart. */
class ClusterMergeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final int JOBS = 40;

  private final ClusterConfig alone = TestMember.alone(1);
  private final int port = FreePorts.pick(1).get(0);

  /** Looks for the other half, which is not there when it starts. */
  private final ClusterConfig looking =
      new ClusterConfig(
          true,
          alone.clusterName(),
          "127.0.0.1",
          FreePorts.pick(1).get(0),
          List.of("127.0.0.1:" + port),
          1);

  private final ClusterConfig found =
      new ClusterConfig(true, alone.clusterName(), "127.0.0.1", port, List.of(), 1);

  @Test
  void L22_halves_that_meet_put_their_records_together_job_by_job() {
    try (TestMember one = new TestMember(looking).start();
        TestMember other = new TestMember(found).start()) {
      // Which half gives way to which is Hazelcast's choice, so each has the newer half of the
      // jobs.
      jobs().forEach(job -> ended(job % 2 == 0 ? one : other, job));
      jobs().forEach(job -> active(job % 2 == 0 ? other : one, job));
      ended(one, JOBS + 1);
      ended(other, JOBS + 2);
      jobs().forEach(job -> serve(job % 2 == 0 ? one : other, job, 1, job));
      jobs().forEach(job -> serve(job % 2 == 0 ? other : one, job, 2, job + 1));
      jobs().forEach(job -> observe(job % 2 == 0 ? one : other, job, 1));
      jobs().forEach(job -> observe(job % 2 == 0 ? other : one, job, 3));
      jobs().forEach(job -> end(job % 2 == 0 ? other : one, job));
      assertThat(one.cluster.members()).isEqualTo(1);

      await()
          .atMost(PATIENCE)
          .until(() -> one.cluster.members() == 2 && other.cluster.members() == 2);
      one.awaitSettled(2);
      for (TestMember member : List.of(one, other)) {
        jobs()
            .forEach(
                job -> {
                  JobRecord record = read(member, job);
                  assertThat(record.active().epoch()).isEqualTo(2);
                  assertThat(record.retained().run().epoch()).isEqualTo(1);
                  assertThat(member.map(StoreMaps.DIRECTORY).getEntryView(job).getExpirationTime())
                      .as("an active record does not expire because it met one that does")
                      .isEqualTo(Long.MAX_VALUE);
                });
        assertThat(read(member, JOBS + 1).retained()).isNotNull();
        assertThat(read(member, JOBS + 2).retained()).isNotNull();
        jobs().forEach(job -> assertMerged(member, job));
        jobs().forEach(job -> assertThat(isOlder(member, job, 1)).isTrue());
        jobs().forEach(job -> assertThat(isOlder(member, job, 2)).isFalse());
      }
      one.hazelcast().getLifecycleService().terminate();
      jobs().forEach(job -> assertThat(read(other, job).active().epoch()).isEqualTo(2));
    }
  }

  private static LongStream jobs() {
    return LongStream.rangeClosed(1, JOBS);
  }

  private static void ended(TestMember member, long job) {
    publish(member, new Publication(job, 1, JobStatus.FINISHED, NOON, new byte[] {1}));
  }

  private static void active(TestMember member, long job) {
    publish(member, new Publication(job, 2, JobStatus.RUNNING, NOON, new byte[] {2}));
  }

  private static void publish(TestMember member, Publication publication) {
    TestMember.await(member.directory().publish(publication).answer().toCompletableFuture());
  }

  private static JobRecord read(TestMember member, long job) {
    return Objects.requireNonNull(
        TestMember.await(
            member
                .directory()
                .read(job, Deadline.in(Duration.ofSeconds(30)))
                .answer()
                .toCompletableFuture()));
  }

  private static void observe(TestMember member, long job, int events) {
    ClusterTimelinesTest.apply(
        ClusterTimelinesTest.timelines(member), ClusterTimelinesTest.observed(job, 1, events));
  }

  private static void end(TestMember member, long job) {
    ClusterTimelinesTest.apply(
        ClusterTimelinesTest.timelines(member), new TimelineChange.Ended(job));
  }

  private static void assertMerged(TestMember member, long job) {
    var timelines = ClusterTimelinesTest.map(member);
    assertThat(timelines.get(job).size()).isEqualTo(3);
    assertThat(timelines.get(job).endedAt()).isEqualTo(Timeline.NEVER);
    assertThat(timelines.getEntryView(job).getExpirationTime()).isEqualTo(Long.MAX_VALUE);
  }

  private static void serve(TestMember member, long job, long epoch, long id) {
    ask(member, job, epoch, id);
  }

  private static boolean isOlder(TestMember member, long job, long epoch) {
    return ask(member, job, epoch, 9).verdict() == ServedJob.Verdict.OLDER;
  }

  private static FenceAnswer ask(TestMember member, long job, long epoch, long id) {
    FencePass pass =
        new FencePass(
            Execution.ofEpoch(epoch, NOON),
            new byte[] {1},
            new long[] {id},
            FenceConfig.DEFAULT,
            NOON.toEpochMilli(),
            false);
    return FenceAnswer.fromBytes(
        TestMember.await(member.map(StoreMaps.FENCE).submitToKey(job, pass).toCompletableFuture()));
  }
}
