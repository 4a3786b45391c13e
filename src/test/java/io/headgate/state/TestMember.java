package io.headgate.state;

import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import io.headgate.admission.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A real member on loopback, with the threads and the clock that a gateway would give it. */
final class TestMember implements AutoCloseable {
  private static final AtomicInteger CLUSTERS = new AtomicInteger();
  private static final int PATIENCE_SECONDS = 60;

  final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1);
  final Workers threads = new Workers("test-cluster", 2);
  final Cluster cluster;

  TestMember(ClusterConfig config, List<MapConfig> maps) {
    this(config, maps, Long.MAX_VALUE);
  }

  /**
   * @param longestNanos pauses are cut to this
   */
  TestMember(ClusterConfig config, List<MapConfig> maps, long longestNanos) {
    clock.setRemoveOnCancelPolicy(true);
    cluster = new Cluster(config, maps, threads, alarm(longestNanos));
  }

  Alarm alarm(long longestNanos) {
    return (nanos, task) -> {
      var scheduled = clock.schedule(task, Math.min(nanos, longestNanos), TimeUnit.NANOSECONDS);
      return () -> scheduled.cancel(false);
    };
  }

  /** A member without a known port, alone until others name it. */
  static TestMember first(MapConfig... maps) {
    return new TestMember(alone(1), List.of(maps)).start();
  }

  /** Another member of this one's cluster. */
  TestMember join(MapConfig... maps) {
    return new TestMember(beside(1), List.of(maps)).start();
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
        freePort(),
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

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
