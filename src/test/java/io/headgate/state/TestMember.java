package io.headgate.state;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.headgate.admission.Workers;
import io.headgate.directory.DirectoryConfig;
import io.headgate.kit.FreePorts;
import io.headgate.timeline.TimelineConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** A real member on loopback, with the threads and the clock that a gateway would give it. */
final class TestMember implements AutoCloseable {
  private static final AtomicInteger CLUSTERS = new AtomicInteger();
  private static final int PATIENCE_SECONDS = 60;
  private static final long BUNDLE_STATE_BYTES = 64L << 20;

  final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(2);
  final Workers threads = new Workers("test-cluster", 2);
  final Cluster cluster;
  private final DirectoryConfig directoryConfig;
  private final TimelineConfig timelineConfig;

  TestMember(ClusterConfig config) {
    this(config, FenceConfig.DEFAULT, DirectoryConfig.DEFAULT, Long.MAX_VALUE);
  }

  TestMember(ClusterConfig config, DirectoryConfig directory) {
    this(config, FenceConfig.DEFAULT, directory, Long.MAX_VALUE);
  }

  TestMember(ClusterConfig config, TimelineConfig timeline) {
    this(config, FenceConfig.DEFAULT, DirectoryConfig.DEFAULT, timeline, Long.MAX_VALUE);
  }

  /**
   * @param longestNanos pauses are cut to this
   */
  TestMember(
      ClusterConfig config, FenceConfig fence, DirectoryConfig directory, long longestNanos) {
    this(config, fence, directory, TimelineConfig.DEFAULT, longestNanos);
  }

  private TestMember(
      ClusterConfig config,
      FenceConfig fence,
      DirectoryConfig directory,
      TimelineConfig timeline,
      long longestNanos) {
    clock.setRemoveOnCancelPolicy(true);
    directoryConfig = directory;
    timelineConfig = timeline;
    cluster =
        new Cluster(
            config, fence, directory, timeline, BUNDLE_STATE_BYTES, threads, alarm(longestNanos));
  }

  private Alarm alarm(long longestNanos) {
    return (nanos, task) -> {
      var scheduled = clock.schedule(task, Math.min(nanos, longestNanos), TimeUnit.NANOSECONDS);
      return () -> scheduled.cancel(false);
    };
  }

  /** A member without a known port, alone until others name it. */
  static TestMember first() {
    return new TestMember(alone(1)).start();
  }

  /** Another member of this one's cluster. */
  TestMember join() {
    return new TestMember(
            beside(1), FenceConfig.DEFAULT, directoryConfig, timelineConfig, Long.MAX_VALUE)
        .start();
  }

  ClusterDirectory directory() {
    return new ClusterDirectory(cluster, directoryConfig, InstantSource.system(), clock);
  }

  /** A fence that waits for as long as a busy machine may take. */
  ClusterFence fence() {
    return fence(Duration.ofSeconds(PATIENCE_SECONDS));
  }

  ClusterFence fence(Duration patience) {
    return new ClusterFence(
        cluster, FenceConfig.DEFAULT, InstantSource.system(), clock, clock, patience);
  }

  IMap<Long, byte[]> map(String name) {
    return hazelcast().getMap(name);
  }

  /** Job ids, the first of them {@code from} or above, that this member owns. */
  LongStream owned(long from) {
    Member self = hazelcast().getCluster().getLocalMember();
    return LongStream.iterate(from, id -> id + 1)
        .filter(id -> self.equals(hazelcast().getPartitionService().getPartition(id).getOwner()));
  }

  /** Waits until every entry has its copy, and members agree on who owns what. */
  void awaitSettled(int members) {
    org.awaitility.Awaitility.await()
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .until(
            () ->
                cluster.members() == members
                    && hazelcast().getPartitionService().isClusterSafe()
                    && owned(1).limit(1).findAny().isPresent());
  }

  static ClusterConfig alone(int minimum) {
    String name = "test-" + ProcessHandle.current().pid() + "-" + CLUSTERS.incrementAndGet();
    return new ClusterConfig(true, name, "127.0.0.1", 0, List.of(), minimum);
  }

  /** The configuration of a further member. */
  ClusterConfig beside(int minimum) {
    return new ClusterConfig(
        true,
        hazelcast().getConfig().getClusterName(),
        "127.0.0.1",
        FreePorts.pick(1).get(0),
        List.of("127.0.0.1:" + port()),
        minimum);
  }

  TestMember start() {
    try {
      await(cluster.start().toCompletableFuture());
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  int port() {
    return hazelcast().getCluster().getLocalMember().getAddress().getPort();
  }

  HazelcastInstance hazelcast() {
    return Objects.requireNonNull(cluster.member());
  }

  static <T> T await(java.util.concurrent.Future<T> future) {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (java.util.concurrent.ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      await(cluster.stop().toCompletableFuture());
    } finally {
      threads.close();
      clock.shutdownNow();
    }
  }
}
