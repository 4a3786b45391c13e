package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.headgate.directory.DirectoryConfig;
import io.headgate.kit.FreePorts;
import io.headgate.kit.LoggedLines;
import io.headgate.timeline.TimelineConfig;
import io.headgate.timeline.TimelineLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a gateway joins its cluster, leaves it, and what it says of it. */
class ClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void a_gateway_alone_founds_a_cluster_and_needs_no_free_port() {
    try (TestMember one = TestMember.first();
        TestMember other = TestMember.first()) {
      assertThat(one.cluster.joined()).isTrue();
      assertThat(one.cluster.members()).isEqualTo(1);
      assertThat(other.cluster.members()).as("alone as well").isEqualTo(1);
      assertThat(other.port()).isNotEqualTo(one.port());
    }
  }

  @Test
  void members_that_are_named_find_each_other_and_notice_who_leaves() {
    try (TestMember first = TestMember.first();
        TestMember second = first.join()) {
      TestMember third = second.join();
      await().atMost(PATIENCE).until(() -> first.cluster.members() == 3);
      assertThat(third.cluster.members()).isEqualTo(3);
      third.close();
      assertThat(third.cluster.joined()).isFalse();
      assertThat(third.cluster.members()).isZero();
      await().atMost(PATIENCE).until(() -> first.cluster.members() == 2);
      second.hazelcast().getLifecycleService().terminate();
      await().atMost(PATIENCE).until(() -> first.cluster.members() == 1);
      assertThat(first.cluster.joined()).isTrue();
    }
  }

  @Test
  void members_with_other_bounds_of_timelines_warn_of_each_other_and_those_with_the_same_do_not() {
    TimelineConfig fewer =
        new TimelineConfig(true, false, 2_000, TimelineLimits.DEFAULT, 256L << 20, 8 << 20);
    try (LoggedLines lines = LoggedLines.of(Cluster.class);
        TestMember first = TestMember.first();
        TestMember same = first.join();
        TestMember other = new TestMember(first.beside(1), fewer).start()) {
      // Each hears of the others in their order, so of the one with the same bounds before.
      await().atMost(PATIENCE).until(() -> lines.faults().size() >= 4);
      assertThat(lines.faults())
          .containsExactlyInAnyOrder(
              warningOf(other), warningOf(other), warningOf(first), warningOf(same));
    }
  }

  private static String warningOf(TestMember member) {
    return "timeline.jobs, .jobBytes and .retention of member [127.0.0.1]:%d are not those set here"
        .formatted(member.port());
  }

  @Test
  void a_member_is_in_touch_while_enough_others_count_it_among_theirs() {
    try (TestMember first = new TestMember(TestMember.alone(2)).start()) {
      assertThat(first.cluster.inTouch()).as("alone").isFalse();
      TestMember second = new TestMember(first.beside(2)).start();
      try (second) {
        await().atMost(PATIENCE).until(() -> first.cluster.inTouch() && second.cluster.inTouch());
      }
      await().atMost(PATIENCE).until(() -> !first.cluster.inTouch());
    }
  }

  @Test
  void a_member_that_still_brings_in_what_it_kept_keeps_nobody_in_touch() {
    AtomicBoolean merging = new AtomicBoolean();
    try (TestMember first = new TestMember(TestMember.alone(2)).start();
        TestMember second = new TestMember(first.beside(2)).start()) {
      second
          .hazelcast()
          .getUserContext()
          .put(CountedQuestion.MERGING, (BooleanSupplier) merging::get);
      await().atMost(PATIENCE).until(first.cluster::inTouch);
      merging.set(true);
      await().atMost(PATIENCE).until(() -> !first.cluster.inTouch());
      merging.set(false);
      await().atMost(PATIENCE).until(first.cluster::inTouch);
    }
  }

  @Test
  void a_port_that_is_taken_fails_the_start_and_is_named() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      ClusterConfig config =
          new ClusterConfig(true, "taken", "127.0.0.1", port, List.of("127.0.0.1:1"), 1);
      assertThatThrownBy(() -> new TestMember(config).start())
          .isInstanceOf(ClusterStartException.class)
          .hasMessage("hazelcast.port: " + port + " can't be bound (is it taken?)");
    }
  }

  @Test
  void an_address_of_another_machine_fails_the_start_and_is_named() {
    ClusterConfig config = new ClusterConfig(true, "else", "192.0.2.1", 0, List.of(), 1);
    assertThatThrownBy(() -> new TestMember(config).start())
        .isInstanceOf(ClusterStartException.class)
        .hasMessage("hazelcast.interface: 192.0.2.1 (expected: an address of this machine)");
  }

  @Test
  void a_stop_does_not_wait_for_a_start_that_hangs() throws Exception {
    // Takes connections and never says a word.
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      ClusterConfig config =
          new ClusterConfig(
              true,
              "mute",
              "127.0.0.1",
              FreePorts.pick(1).get(0),
              List.of("127.0.0.1:" + mute.getLocalPort()),
              1);
      TestMember member = new TestMember(config);
      CompletableFuture<?> start = member.cluster.start().toCompletableFuture();
      await().atMost(PATIENCE).until(() -> member.cluster.member() != null);
      member.close();
      assertThat(member.cluster.joined()).isFalse();
      assertThatThrownBy(() -> start.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(ClusterStartException.class);
    }
  }

  @Test
  void a_stop_that_hangs_is_over_at_its_bound() {
    try (TestMember member = TestMember.first()) {
      List<Runnable> due = new ArrayList<>();
      Cluster hanging =
          new Cluster(
              TestMember.alone(1),
              FenceConfig.DEFAULT,
              DirectoryConfig.DEFAULT,
              TimelineConfig.DEFAULT,
              1 << 20,
              task -> {
                if (due.isEmpty()) {
                  member.threads.execute(task);
                }
              },
              (nanos, task) -> {
                if (nanos == TimeUnit.SECONDS.toNanos(9)) {
                  due.add(task);
                }
                return () -> {};
              });
      TestMember.await(hanging.start().toCompletableFuture());
      try {
        CompletableFuture<?> stop = hanging.stop().toCompletableFuture();
        assertThat(stop).isNotDone();
        due.forEach(Runnable::run);
        assertThat(stop).isCompleted();
      } finally {
        hanging.member().getLifecycleService().terminate();
      }
    }
  }

  @Test
  void a_stop_without_a_start_is_over_at_once() {
    Cluster cluster =
        new Cluster(
            TestMember.alone(1),
            FenceConfig.DEFAULT,
            DirectoryConfig.DEFAULT,
            TimelineConfig.DEFAULT,
            1 << 20,
            task -> {
              throw new AssertionError("nothing to run");
            },
            (nanos, task) -> task);
    assertThat(cluster.stop().toCompletableFuture()).isCompleted();
  }

  @Test
  void a_member_that_stops_of_itself_is_started_anew() {
    TestMember member =
        new TestMember(
            TestMember.alone(1),
            FenceConfig.DEFAULT,
            DirectoryConfig.DEFAULT,
            TimeUnit.MILLISECONDS.toNanos(50));
    try (member) {
      member.start();
      member.hazelcast().getLifecycleService().terminate();
      await().atMost(PATIENCE).until(() -> member.cluster.restarts() == 1);
      await().atMost(PATIENCE).until(() -> member.cluster.members() == 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CB2", "GET /hazelcast/rest/cluster HTTP/1.1\r\n\r\n", "version\r\n"})
  void only_the_member_protocol_is_spoken(String other) throws IOException {
    try (TestMember member = TestMember.first();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), member.port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(other.getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readNBytes(3))
          .as("Hazelcast's word for another protocol than it speaks")
          .isEqualTo("HZX".getBytes(StandardCharsets.US_ASCII));
    }
  }
}
