package io.headgate.state;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.config.Config;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleListener;
import com.hazelcast.map.IMap;
import com.hazelcast.partition.PartitionLostEvent;
import com.hazelcast.partition.PartitionLostListener;
import io.headgate.directory.DirectoryConfig;
import io.headgate.graph.Unavailability;
import io.headgate.observe.ClusterHealth;
import io.headgate.observe.Meters;
import io.headgate.observe.PacedLog;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineConfig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This gateway's membership in its cluster: joins, leaves, and tells how it stands. A member that
 * stops of itself, as it does if it can't join again after a split, is started anew until it is
 * told to leave.
 *
 * <p>Safe on any thread; nothing here blocks its caller. {@link #start()} is called once.
 */
public final class Cluster implements ClusterHealth {
  private static final Logger log = LoggerFactory.getLogger(Cluster.class);

  /** What a stop may take at most; handing entries over has its own bound below that. */
  private static final Duration STOP_BOUND = Duration.ofSeconds(MemberSettings.LEAVE_SECONDS + 1);

  private static final Duration RESTART_PAUSE = Duration.ofSeconds(5);

  private static final Duration MEASURE_PAUSE = Duration.ofSeconds(1);

  private final ClusterConfig config;
  private final MemberStores stores;
  private final Executor threads;
  private final Alarm alarm;
  private final PacedLog lines = new PacedLog(System::nanoTime);
  private final OtherMembers others = new OtherMembers(this::joinedMember);
  private final MovedJobs moved;
  private final Lease lease;
  private final LongAdder restarts = new LongAdder();
  private final LongAdder partitionsLost = new LongAdder();

  /** The member that starts or runs now; known from before it joins. */
  private volatile @Nullable HazelcastInstance member;

  private volatile boolean joined;
  private volatile boolean merging;
  private volatile boolean stopping;

  /**
   * @param fence bounds of what the fence keeps in it
   * @param directory bounds of what the directory keeps in it
   * @param timelines bounds of what is kept in it of schema changes
   * @param bundleStateBytes how much state of bundles a member may own
   * @param threads for what blocks, three tasks at once: a look at what is kept, a list of it, and
   *     a start or stop
   * @param alarm bounds the stop and every call
   */
  public Cluster(
      ClusterConfig config,
      FenceConfig fence,
      DirectoryConfig directory,
      TimelineConfig timelines,
      long bundleStateBytes,
      Executor threads,
      Alarm alarm) {
    this.config = config;
    this.threads = threads;
    this.alarm = alarm;
    stores = new MemberStores(config, fence, directory, timelines, bundleStateBytes);
    moved = new MovedJobs(fence.jobs());
    this.lease = new Lease(config.minimumMembers(), others, alarm, System::nanoTime);
  }

  /**
   * Joins the cluster, or founds it where no other member can be found.
   *
   * @return fails with {@link ClusterStartException}
   */
  public CompletionStage<?> start() {
    CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            join();
          } catch (Throwable e) {
            started.completeExceptionally(e);
            return;
          }
          lease.start();
          measureLater();
          started.complete(null);
        });
    return started;
  }

  private void join() {
    Watch watch = new Watch();
    Config settings = MemberSettings.of(config).addListenerConfig(new ListenerConfig(watch));
    stores.addTo(settings);
    OtherMembers.addTo(settings, () -> merging, moved);
    HazelcastInstance started = start(settings);
    watch.started = true;
    joined = !stopping;
    if (stopping) {
      started.getLifecycleService().terminate();
      return;
    }
    log.info(
        "joined cluster {} as {}; members: {}, needed: {}",
        config.clusterName(),
        started.getCluster().getLocalMember().getAddress(),
        members(),
        minimum());
    if (members() < minimum()) {
      warnOfTooFew();
    }
  }

  private void warnOfTooFew() {
    log.warn("cluster {} has fewer members than {}", config.clusterName(), minimum());
  }

  private HazelcastInstance start(Config settings) {
    HazelcastInstance started = null;
    try {
      started = Hazelcast.newHazelcastInstance(settings);
      stores.prepare(started);
      OtherMembers.prepare(started);
      return started;
    } catch (RuntimeException e) {
      if (started != null) {
        started.getLifecycleService().terminate();
      }
      throw ClusterStartException.of(e, config);
    }
  }

  /**
   * Leaves the cluster: hands entries over, for eight seconds at most, and is done after nine,
   * whatever happens. Never completes exceptionally.
   */
  public CompletionStage<?> stop() {
    stopping = true;
    lease.stop();
    boolean graceful = joined;
    joined = false;
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    HazelcastInstance last = member;
    if (last == null) {
      stopped.complete(null);
      return stopped;
    }
    Runnable takeBack =
        alarm.after(
            STOP_BOUND.toNanos(),
            () -> {
              if (stopped.complete(null)) {
                log.warn("cluster {} was not left in time", config.clusterName());
              }
            });
    CompletableFuture.runAsync(
            graceful ? last.getLifecycleService()::shutdown : last.getLifecycleService()::terminate,
            threads)
        .whenComplete(
            (done, failure) -> {
              takeBack.run();
              stopped.complete(null);
            });
    return stopped;
  }

  /** Notices what happens to one member; called on Hazelcast's threads. */
  private final class Watch
      implements LifecycleListener,
          MembershipListener,
          PartitionLostListener,
          HazelcastInstanceAware {
    volatile boolean started;

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
      member = instance;
    }

    @Override
    public void stateChanged(LifecycleEvent event) {
      switch (event.getState()) {
        case MERGING -> {
          merging = true;
          joined = false;
          log.warn("another part of cluster {} was found", config.clusterName());
        }
        case MERGED -> {
          merging = false;
          joined = !stopping;
          log.info("joined that part of cluster {}; members: {}", config.clusterName(), members());
        }
        case SHUTDOWN -> {
          merging = false;
          if (started && !stopping) {
            joined = false;
            log.error("the member of cluster {} has stopped of itself", config.clusterName());
            restartLater();
          }
        }
        default -> {}
      }
    }

    @Override
    public void memberAdded(MembershipEvent event) {
      Member other = event.getMember();
      if (joined) {
        log.info("member {} came; members: {}", other.getAddress(), members());
      }
      if (!stores.keepsAsMuchAs(other)) {
        log.warn(
            "timeline.jobs, .jobBytes and .retention of member {} are not those set here",
            other.getAddress());
      }
    }

    @Override
    public void memberRemoved(MembershipEvent event) {
      if (joined) {
        log.warn("member {} is gone; members: {}", event.getMember().getAddress(), members());
        if (members() < minimum()) {
          log.warn(
              "cluster {} has fewer members than the {} it needs", config.clusterName(), minimum());
        }
      }
    }

    @Override
    public void partitionLost(PartitionLostEvent event) {
      if (event.getLostBackupCount() >= MemberSettings.BACKUPS) {
        partitionsLost.increment();
        lines.info(
            "lost", "the last copy of a part of cluster " + config.clusterName() + " is gone");
      }
    }
  }

  private void restartLater() {
    alarm.after(
        RESTART_PAUSE.toNanos(),
        () -> {
          if (!stopping) {
            restarts.increment();
            CompletableFuture.runAsync(this::join, threads).whenComplete(this::restarted);
          }
        });
  }

  private void restarted(@Nullable Void done, @Nullable Throwable failure) {
    if (failure != null && !stopping) {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      log.error("{}", cause.getMessage());
      restartLater();
    }
  }

  private void measureLater() {
    alarm.after(
        MEASURE_PAUSE.toNanos(),
        () -> {
          if (!stopping) {
            try {
              CompletableFuture.runAsync(this::measure, threads)
                  .whenComplete((done, failure) -> measureLater());
            } catch (RejectedExecutionException e) {
              measureLater(); // the threads have more to do
            }
          }
        });
  }

  private void measure() {
    HazelcastInstance current = member;
    if (joined && current != null) {
      stores.measure(current);
    }
  }

  /** Why nothing that the cluster holds may be used now, or null if it may. */
  @Nullable Unavailability unusable() {
    if (stopping) {
      return Unavailability.STOPPING;
    }
    if (!joined) {
      return Unavailability.CLUSTER_JOINING;
    }
    return inTouch() ? null : Unavailability.CLUSTER_TOO_SMALL;
  }

  /**
   * The map of this name.
   *
   * @throws StoreException while it may not be used
   */
  IMap<Long, byte[]> map(String name) {
    return usable().getMap(name);
  }

  /**
   * The map of timelines.
   *
   * @throws StoreException while it may not be used
   */
  IMap<Long, Timeline> timelines() {
    return usable().getMap(StoreMaps.TIMELINES);
  }

  /**
   * A scan of the directory's map.
   *
   * @throws StoreException while it may not be used
   */
  DirectoryScan directoryScan() {
    HazelcastInstance current = usable();
    return new DirectoryScan(current, current.getMap(StoreMaps.DIRECTORY));
  }

  /**
   * A map whose keys are not job ids.
   *
   * @throws StoreException while it may not be used
   */
  <K> IMap<K, byte[]> entries(String name) {
    return usable().getMap(name);
  }

  /**
   * What this member is called by the others; another one after a split was mended.
   *
   * @throws StoreException while nothing of the cluster may be used
   */
  String identity() {
    return usable().getCluster().getLocalMember().getUuid().toString();
  }

  /**
   * Whether a member of this {@link #identity} is in the cluster.
   *
   * @throws StoreException while nothing of the cluster may be used
   */
  boolean counts(String identity) {
    return usable().getCluster().getMembers().stream()
        .anyMatch(each -> each.getUuid().toString().equals(identity));
  }

  private HazelcastInstance usable() {
    Unavailability reason = unusable();
    HazelcastInstance current = member;
    if (reason != null || current == null) {
      throw new StoreException(reason == null ? Unavailability.CLUSTER_JOINING : reason);
    }
    return current;
  }

  private @Nullable HazelcastInstance joinedMember() {
    return joined ? member : null;
  }

  /** The jobs that others have told this gateway of, until it has asked the cluster again. */
  MovedJobs moved() {
    return moved;
  }

  /** Tells all other members that a job moves on; see {@link OtherMembers#tell}. */
  CompletionStage<?> tellOthers(long jobId) {
    return others.tell(jobId);
  }

  /**
   * Calls of one kind, which fail while this member may not be used.
   *
   * @param kind names them in metrics
   * @param most how many may be open
   * @param callbacks where answers are given; it must not reject any
   */
  StoreCalls calls(String kind, int most, Executor callbacks) {
    return new StoreCalls(kind, most, this::unusable, callbacks, alarm);
  }

  Alarm alarm() {
    return alarm;
  }

  /** For calls of Hazelcast's that block, one at a time. */
  Executor threads() {
    return threads;
  }

  @Override
  public int members() {
    HazelcastInstance current = member;
    if (!joined || current == null) {
      return 0;
    }
    try {
      return current.getCluster().getMembers().size();
    } catch (HazelcastInstanceNotActiveException e) {
      return 0;
    }
  }

  @Override
  public int minimum() {
    return config.minimumMembers();
  }

  @Override
  public boolean joined() {
    return joined;
  }

  /**
   * Whether enough other members have said of late that they still count this one. While they have
   * not, nothing that the cluster seems to say may be believed, and a call that has ended meanwhile
   * counts as refused. Always so where one member is enough.
   */
  boolean inTouch() {
    return lease.held();
  }

  /** The member that starts or runs now, or null before the first start. */
  @Nullable HazelcastInstance member() {
    return member;
  }

  /** How often a member that had stopped of itself was started anew. */
  long restarts() {
    return restarts.sum();
  }

  /** How many parts of all maps were lost with their last copy. */
  long partitionsLost() {
    return partitionsLost.sum();
  }

  /** Puts what it counts into {@code meters}. */
  public void observe(Meters meters) {
    meters.gauge("headgate.cluster.members", "Members that this one sees.", this::members);
    meters.gauge("headgate.cluster.minimum", "Members that are needed.", this::minimum);
    meters.gauge("headgate.cluster.joined", "1 while it is a member.", () -> joined ? 1 : 0);
    meters.gauge(
        "headgate.cluster.in.touch", "1 while enough others count it.", () -> inTouch() ? 1 : 0);
    meters.counter("headgate.cluster.restarts", "Restarts of the member.", this::restarts);
    meters.counter(
        "headgate.cluster.partitions.lost", "Parts lost with all copies.", this::partitionsLost);
    stores.observe(meters);
  }
}
