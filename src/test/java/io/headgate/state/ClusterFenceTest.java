package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.NameForm;
import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import io.headgate.graph.Unavailability;
import io.headgate.state.ExecutionFence.Passed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The fence of several gateways, each with a real member of one cluster. */
class ClusterFenceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Execution MORNING = Execution.ofLocalTime("2026-11-30 07:00:00");
  private static final Execution NOON = Execution.ofLocalTime("2026-11-30 12:00:00");

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

  /** One graph of this job, under these ids. */
  private static JobGraph graph(long jobId, long in, long via, long out) {
    return ReportedGraph.of(jobId)
        .with(new ReportedGraph.Node(in, NodeKind.SOURCE, "in", List.of("a.b")))
        .with(new ReportedGraph.Node(via, NodeKind.TRANSFORM, "via", List.of()))
        .with(new ReportedGraph.Node(out, NodeKind.SINK, "out", List.of("c.d")))
        .withEdge(1, in, via)
        .withEdge(1, via, out)
        .checked();
  }

  private static CompletableFuture<Passed> ask(
      ClusterFence fence, JobGraph graph, Execution execution) {
    return fence.pass(graph, execution, NameForm.of(graph)).toCompletableFuture();
  }

  private static Passed pass(ClusterFence fence, JobGraph graph, Execution execution) {
    return TestMember.await(ask(fence, graph, execution));
  }

  private static String served(Passed passed) {
    assertThat(passed).isInstanceOf(Passed.Serve.class);
    return ReportedGraph.json(((Passed.Serve) passed).graph());
  }

  private static String json(JobGraph graph) {
    return ReportedGraph.json(graph);
  }

  @Test
  void L22a_what_one_gateway_has_served_binds_the_others() {
    for (TestMember owner : List.of(first, second)) {
      long job = owner.owned(100).findFirst().orElseThrow();
      ClusterFence one = first.fence();
      ClusterFence other = second.fence();
      assertThat(served(pass(one, graph(job, 1, 2, 3), NOON))).isEqualTo(json(graph(job, 1, 2, 3)));
      assertThat(pass(other, graph(job, 1, 2, 3), MORNING)).isInstanceOf(Passed.Older.class);
      assertThat(pass(one, graph(job, 1, 2, 3), MORNING)).isInstanceOf(Passed.Older.class);
      assertThat(one.alone() + other.alone()).isZero();
    }
  }

  @Test
  void L22b_gateways_that_see_a_job_first_at_one_moment_serve_one_numbering() {
    ClusterFence one = first.fence();
    ClusterFence other = second.fence();
    List<CompletableFuture<Passed>> ours = new ArrayList<>();
    List<CompletableFuture<Passed>> theirs = new ArrayList<>();
    int jobs = 200;
    for (long job = 1_000; job < 1_000 + jobs; job++) {
      ours.add(ask(one, graph(job, 1, 2, 3), NOON));
      theirs.add(ask(other, graph(job, 30, 20, 10), NOON));
    }
    int firsts = 0;
    for (int i = 0; i < jobs; i++) {
      String answer = served(TestMember.await(ours.get(i)));
      assertThat(served(TestMember.await(theirs.get(i)))).isEqualTo(answer);
      firsts += answer.equals(json(graph(1_000 + i, 1, 2, 3))) ? 1 : 0;
    }
    assertThat(firsts).as("each came first now and then").isBetween(1, jobs - 1);
  }

  @Test
  void L22a_what_is_remembered_outlives_the_member_that_owned_it() {
    try (TestMember survivor = TestMember.first()) {
      TestMember owner = survivor.join();
      survivor.awaitSettled(2);
      long[] jobs = owner.owned(1).limit(20).toArray();
      ClusterFence asking = owner.fence();
      for (long job : jobs) {
        pass(asking, graph(job, 1, 2, 3), NOON);
      }
      owner.hazelcast().getLifecycleService().terminate();
      ClusterFence fence = survivor.fence();
      for (long job : jobs) {
        assertThat(pass(fence, graph(job, 5, 4, 9), MORNING)).isInstanceOf(Passed.Older.class);
        assertThat(served(pass(fence, graph(job, 5, 4, 9), NOON)))
            .isEqualTo(json(graph(job, 1, 2, 3)));
      }
      owner.close();
    }
  }

  @Test
  void L22b_where_the_cluster_does_not_answer_a_gateway_goes_by_what_it_learned() {
    long known = second.owned(3_000).findFirst().orElseThrow();
    long unknown = known + 1_000_000;
    ClusterFence patient = second.fence();
    pass(patient, graph(known, 1, 2, 3), NOON);
    ClusterFence fence = first.fence(SHORT);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                served(pass(fence, graph(known, 7, 8, 9), NOON))
                    .equals(json(graph(known, 1, 2, 3))));
    long before = fence.alone();
    try (HeldPart held = HeldPart.of(second, StoreMaps.FENCE, known)) {
      assertThat(served(pass(fence, graph(known, 7, 8, 9), NOON)))
          .as("the numbering that the cluster gave before")
          .isEqualTo(json(graph(known, 1, 2, 3)));
      assertThat(pass(fence, graph(known, 7, 8, 9), MORNING)).isInstanceOf(Passed.Older.class);
      assertThat(fence.alone()).isEqualTo(before + 2);
    }
    assertThat(served(pass(fence, graph(unknown, 7, 8, 9), NOON)))
        .isEqualTo(json(graph(unknown, 7, 8, 9)));
  }

  @Test
  void L22a_without_the_cluster_a_gateway_moves_on_to_no_other_execution() {
    long job = second.owned(3_500).findFirst().orElseThrow();
    ClusterFence fence = first.fence(SHORT);
    assertThat(pass(fence, graph(job, 1, 2, 3), MORNING)).isInstanceOf(Passed.Serve.class);
    long before = fence.alone();
    try (HeldPart held = HeldPart.of(second, StoreMaps.FENCE, job)) {
      assertThat(pass(fence, graph(job, 1, 2, 3), NOON))
          .as("the others could not know of it")
          .isEqualTo(new Passed.Refused(Unavailability.DEADLINE));
      assertThat(fence.alone()).isEqualTo(before);
    }
    await()
        .atMost(PATIENCE)
        .until(() -> pass(fence, graph(job, 1, 2, 3), NOON) instanceof Passed.Serve);
  }

  @Test
  void L22a_once_another_execution_is_served_nobody_decides_for_its_job_by_what_it_had_learned() {
    long job = first.owned(6_000).findFirst().orElseThrow();
    ClusterFence other = second.fence(SHORT);
    served(pass(second.fence(), graph(job, 1, 2, 3), MORNING)); // however long it takes
    served(pass(other, graph(job, 1, 2, 3), MORNING));
    assertThat(served(pass(first.fence(), graph(job, 1, 2, 3), NOON)))
        .isEqualTo(json(graph(job, 1, 2, 3)));
    long before = other.alone();
    try (HeldPart held = HeldPart.of(first, StoreMaps.FENCE, job)) {
      for (Execution each : List.of(MORNING, NOON)) {
        assertThat(pass(other, graph(job, 1, 2, 3), each))
            .isEqualTo(new Passed.Refused(Unavailability.DEADLINE));
      }
    }
    assertThat(other.alone()).isEqualTo(before);
    await()
        .atMost(PATIENCE)
        .until(() -> pass(other, graph(job, 1, 2, 3), NOON) instanceof Passed.Serve);
    assertThat(pass(other, graph(job, 1, 2, 3), MORNING)).isInstanceOf(Passed.Older.class);
    long since = other.alone();
    try (HeldPart held = HeldPart.of(first, StoreMaps.FENCE, job)) {
      served(pass(other, graph(job, 1, 2, 3), NOON));
      assertThat(other.alone()).as("it has asked since").isEqualTo(since + 1);
    }
  }

  @Test
  void L22a_another_execution_is_served_by_nobody_before_all_know_also_if_who_told_them_dies() {
    try (TestMember silent = TestMember.first();
        TestMember other = silent.join()) {
      TestMember dies = silent.join();
      silent.awaitSettled(3);
      long job = other.owned(1).findFirst().orElseThrow();
      served(pass(other.fence(), graph(job, 1, 2, 3), MORNING)); // however long it takes
      ClusterFence fence = other.fence(SHORT);
      served(pass(fence, graph(job, 1, 2, 3), MORNING));
      ClusterFence first = dies.fence(SHORT);
      served(pass(first, graph(job, 1, 2, 3), MORNING));
      synchronized (silent.cluster.moved()) { // it can note nothing now
        for (ClusterFence each : List.of(first, fence)) {
          assertThat(pass(each, graph(job, 1, 2, 3), NOON))
              .isEqualTo(new Passed.Refused(Unavailability.DEADLINE));
        }
        await().atMost(PATIENCE).until(() -> dies.cluster.moved().contains(job));
        dies.hazelcast().getLifecycleService().terminate();
        assertThat(pass(fence, graph(job, 1, 2, 3), NOON))
            .isEqualTo(new Passed.Refused(Unavailability.DEADLINE));
      }
      await()
          .atMost(PATIENCE)
          .until(() -> pass(fence, graph(job, 1, 2, 3), NOON) instanceof Passed.Serve);
      assertThat(silent.cluster.moved().contains(job)).isTrue();
      dies.close();
    }
  }

  @Test
  void L22a_a_member_that_leaves_need_not_know() {
    try (TestMember stays = TestMember.first()) {
      TestMember leaves = stays.join();
      stays.awaitSettled(2);
      long job = stays.owned(1).findFirst().orElseThrow();
      ClusterFence fence = stays.fence();
      served(pass(fence, graph(job, 1, 2, 3), MORNING));
      CompletableFuture<Passed> asked;
      synchronized (leaves.cluster.moved()) {
        asked = ask(fence, graph(job, 1, 2, 3), NOON);
        await().atMost(PATIENCE).until(() -> stays.cluster.moved().contains(job));
        assertThat(asked).isNotDone();
        leaves.hazelcast().getLifecycleService().terminate();
      }
      served(TestMember.await(asked));
      leaves.close();
    }
  }

  @Test
  void L22b_a_late_word_of_the_cluster_is_learned_for_the_next_time() {
    long job = second.owned(4_000).findFirst().orElseThrow();
    pass(second.fence(), graph(job, 1, 2, 3), NOON);
    ClusterFence fence = first.fence(SHORT);
    HeldPart held = HeldPart.of(second, StoreMaps.FENCE, job);
    assertThat(served(pass(fence, graph(job, 7, 8, 9), NOON)))
        .as("the engine's own ids")
        .isEqualTo(json(graph(job, 7, 8, 9)));
    held.close();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try (HeldPart again = HeldPart.of(second, StoreMaps.FENCE, job)) {
                return served(pass(fence, graph(job, 7, 8, 9), NOON))
                    .equals(json(graph(job, 1, 2, 3)));
              }
            });
  }

  @Test
  void L22a_a_cluster_below_its_minimum_lets_nothing_pass() {
    try (TestMember lonely = new TestMember(TestMember.alone(2)).start()) {
      assertThat(pass(lonely.fence(), graph(1, 1, 2, 3), NOON))
          .isEqualTo(new Passed.Refused(Unavailability.CLUSTER_TOO_SMALL));
    }
  }

  @Test
  void before_the_cluster_is_joined_nothing_passes() {
    try (TestMember member = new TestMember(TestMember.alone(1))) {
      assertThat(pass(member.fence(), graph(1, 1, 2, 3), NOON))
          .isEqualTo(new Passed.Refused(Unavailability.CLUSTER_JOINING));
    }
  }

  @Test
  void what_can_not_be_read_is_forgotten() {
    long job = second.owned(5_000).findFirst().orElseThrow();
    first.map(StoreMaps.FENCE).set(job, new byte[] {1, 99});
    ClusterFence fence = first.fence();
    assertThat(served(pass(fence, graph(job, 1, 2, 3), NOON))).isEqualTo(json(graph(job, 1, 2, 3)));
    assertThat(pass(fence, graph(job, 1, 2, 3), MORNING)).isInstanceOf(Passed.Older.class);
  }
}
