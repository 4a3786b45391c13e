package io.headgate.state;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.SerializerConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.ByteArraySerializer;
import com.sun.management.OperatingSystemMXBean;
import io.headgate.directory.DirectoryConfig;
import io.headgate.graph.Deadline;
import io.headgate.timeline.EventDigest;
import io.headgate.timeline.EventType;
import io.headgate.timeline.Observation;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineConfig;
import io.headgate.timeline.TimelineLimits;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * P9: one more event on a job's timeline, as a gateway brings it to the store, against a bare entry
 * processor that stores the bytes of the same change. Two members in one process, each with copies
 * of what the other owns. Both sides take turns within one run. What counts is the CPU time of the
 * whole process, since on a busy machine the time on the wall says what else went on.
 *
 * <pre>{@code mvn -Pbench test-compile exec:exec -Dbench.include=append}</pre>
 */
public final class TimelineAppendRun {
  private static final String BARE = "bare";
  private static final OperatingSystemMXBean MACHINE =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final int JOBS = 64;
  private static final int ROUNDS = 21;
  private static final int CALLS = 3_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long NOW = 1_796_032_800_000L;

  private final SplittableRandom random = new SplittableRandom(9);
  private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1);
  private final StoreCalls calls =
      new StoreCalls(
          "timeline-write",
          256,
          () -> null,
          Runnable::run,
          (nanos, task) -> {
            var alarm = clock.schedule(task, nanos, TimeUnit.NANOSECONDS);
            return () -> alarm.cancel(false);
          });
  private final IMap<Long, Timeline> timelines;
  private final IMap<Long, byte[]> bare;

  private TimelineAppendRun(HazelcastInstance member) {
    timelines = member.getMap(StoreMaps.TIMELINES);
    bare = member.getMap(BARE);
    clock.setRemoveOnCancelPolicy(true);
    // As the gateway's clock has: with no earlier task each call would have to wake its thread.
    var unused = clock.scheduleWithFixedDelay(() -> {}, 500, 500, TimeUnit.MILLISECONDS);
  }

  public static void main(String[] args) throws Exception {
    ClusterConfig config = TestMember.alone(1);
    HazelcastInstance first = Hazelcast.newHazelcastInstance(settings(config));
    int port = first.getCluster().getLocalMember().getAddress().getPort();
    ClusterConfig beside =
        new ClusterConfig(
            true, config.clusterName(), "127.0.0.1", port + 1, List.of("127.0.0.1:" + port), 1);
    HazelcastInstance second = Hazelcast.newHazelcastInstance(settings(beside));
    TimelineAppendRun run = new TimelineAppendRun(first);
    try {
      while (!first.getPartitionService().isClusterSafe()) {
        Thread.onSpinWait();
      }
      run.compare("young timelines", 1);
      run.fill();
      run.compare("500 records, full logs", 1);
      run.compare("likewise, 16 at once", 16);
    } finally {
      run.clock.shutdownNow();
      second.getLifecycleService().terminate();
      first.getLifecycleService().terminate();
    }
  }

  private static Config settings(ClusterConfig cluster) {
    Config config = MemberSettings.of(cluster);
    new MemberStores(
            cluster, FenceConfig.DEFAULT, DirectoryConfig.DEFAULT, TimelineConfig.DEFAULT, 1 << 20)
        .addTo(config);
    config.addMapConfig(
        new MapConfig(BARE)
            .setInMemoryFormat(InMemoryFormat.BINARY)
            .setBackupCount(MemberSettings.BACKUPS));
    config
        .getSerializationConfig()
        .addSerializerConfig(
            new SerializerConfig().setTypeClass(Bare.class).setImplementation(new BareBytes()));
    return config;
  }

  private TimelineChange change(long job, int events) {
    List<Observation> observations =
        IntStream.range(0, events)
            .mapToObj(
                i ->
                    new Observation(
                        new EventDigest(random.nextLong(), random.nextLong()),
                        NOW,
                        "inventory.shop.orders",
                        EventType.SCHEMA_CHANGE_UPDATE_COLUMNS,
                        List.of(EventType.SCHEMA_CHANGE_ADD_COLUMN),
                        false))
            .toList();
    return new TimelineChange.Observed(job, observations, 7);
  }

  private void fill() {
    for (long job = 1; job <= JOBS; job++) {
      for (int i = 0; i < 9; i++) {
        append(change(job, 500)).join();
      }
    }
  }

  private CompletableFuture<Receipt> append(TimelineChange change) {
    return calls
        .begin(
            () ->
                timelines.submitToKey(
                    change.jobId(), new TimelineApply(change, NOW, TimelineLimits.DEFAULT)),
            Deadline.in(PATIENCE))
        .map(Receipt::fromBytes)
        .answer()
        .toCompletableFuture();
  }

  private CompletableFuture<byte[]> store(TimelineChange change) {
    return bare.submitToKey(change.jobId(), new Bare(change.toBytes())).toCompletableFuture();
  }

  private void compare(String what, int atOnce) {
    List<Cost> appends = new ArrayList<>();
    List<Cost> bares = new ArrayList<>();
    for (int i = -2; i < ROUNDS; i++) {
      Cost append = cost(atOnce, n -> append(change(1 + n % JOBS, 1)));
      Cost stored = cost(atOnce, n -> store(change(1 + n % JOBS, 1)));
      if (i >= 0) {
        appends.add(append);
        bares.add(stored);
      }
    }
    report(what + ", CPU", appends, bares, Cost::cpu);
    report(what + ", wall", appends, bares, Cost::wall);
  }

  private static void report(
      String what, List<Cost> appends, List<Cost> bares, ToDoubleFunction<Cost> figure) {
    double[] append = appends.stream().mapToDouble(figure).toArray();
    double[] bare = bares.stream().mapToDouble(figure).toArray();
    double[] ratios =
        IntStream.range(0, ROUNDS).mapToDouble(i -> append[i] / bare[i]).sorted().toArray();
    Arrays.sort(append);
    Arrays.sort(bare);
    System.out.printf(
        Locale.ROOT,
        "append, %-34s %6.1f us, bare %6.1f us; ratio %.2f (%.2f to %.2f)%n",
        what,
        append[ROUNDS / 2],
        bare[ROUNDS / 2],
        ratios[ROUNDS / 2],
        ratios[0],
        ratios[ROUNDS - 1]);
  }

  /** Microseconds of one call. */
  private record Cost(double cpu, double wall) {}

  private static Cost cost(int atOnce, IntFunction<CompletableFuture<?>> call) {
    long begun = System.nanoTime();
    long cpu = MACHINE.getProcessCpuTime();
    List<CompletableFuture<?>> open = new ArrayList<>();
    for (int n = 0; n < CALLS; ) {
      while (open.size() < atOnce) {
        open.add(call.apply(n++));
      }
      open.forEach(CompletableFuture::join);
      open.clear();
    }
    return new Cost(
        (MACHINE.getProcessCpuTime() - cpu) / 1e3 / CALLS,
        (System.nanoTime() - begun) / 1e3 / CALLS);
  }

  /** Stores bytes where their job is owned, and in the copy. */
  private record Bare(byte[] bytes) implements EntryProcessor<Long, byte[], byte[]> {
    private static final byte[] DONE = {1};

    @Override
    public byte[] process(Map.Entry<Long, byte[]> entry) {
      entry.setValue(bytes);
      return DONE;
    }

    @Override
    public @Nullable EntryProcessor<Long, byte[], byte[]> getBackupProcessor() {
      return this;
    }
  }

  private static final class BareBytes implements ByteArraySerializer<Bare> {
    @Override
    public int getTypeId() {
      return 5790;
    }

    @Override
    public byte[] write(Bare bare) {
      return bare.bytes;
    }

    @Override
    public Bare read(byte[] bytes) {
      return new Bare(bytes);
    }
  }
}
