package io.headgate;

import io.headgate.admission.Admission;
import io.headgate.admission.Workers;
import io.headgate.directory.DirectoryConfig;
import io.headgate.directory.DirectoryJobSource;
import io.headgate.directory.JobGraphPublisher;
import io.headgate.edge.Publishing;
import io.headgate.fn.FnConfig;
import io.headgate.observe.ClusterHealth;
import io.headgate.observe.Meters;
import io.headgate.state.BundleStateStore;
import io.headgate.state.Cluster;
import io.headgate.state.ClusterBundleState;
import io.headgate.state.ClusterDescriptors;
import io.headgate.state.ClusterDirectory;
import io.headgate.state.ClusterFence;
import io.headgate.state.ClusterTimelines;
import io.headgate.state.DescriptorStore;
import io.headgate.state.ExecutionFence;
import io.headgate.state.InProcessBundleState;
import io.headgate.state.InProcessDescriptors;
import io.headgate.state.InProcessFence;
import io.headgate.timeline.live.SchemaEvolutionRecorder;
import io.headgate.upstream.zeta.PublicationParser;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What one gateway remembers: in its cluster, or, where it is no member of one, by itself. Made on
 * a thread that may be busy for a while, since it loads many classes; used on the event loop that
 * is named, which hears what the cluster answers.
 */
final class GatewayState {
  /**
   * Starting blocks, and stopping what still starts needs a thread besides; later there are a look
   * at what is kept, lists of what is published and of whose timelines there are, and the stop.
   */
  private static final int CLUSTER_THREADS = 4;

  /** Bundle descriptors that are kept; a pipeline has dozens. */
  private static final int DESCRIPTORS = 10_000;

  private static final long DESCRIPTOR_BYTES = 64L << 20;

  private final ExecutionFence fence;
  private final @Nullable Member member;
  private final @Nullable Directory directory;
  private final @Nullable ClusterTimelines timelines;
  private final @Nullable RecorderInBackground recorder;
  private final FnStores fn;
  private @Nullable Future<?> stopped;

  /** The membership, with the threads that it needs. */
  private record Member(Cluster cluster, Workers threads, Context context) {
    Future<?> leave() {
      return Future.fromCompletionStage(cluster.stop(), context)
          .eventually(
              () -> {
                threads.close();
                return Future.succeededFuture();
              });
    }
  }

  /** The directory as a source and as the two ways in, with the thread that encodes graphs. */
  private record Directory(
      DirectoryJobSource source, Publishing http, JobGraphPublisher publisher, Workers encoder) {}

  /** Where the Fn API keeps its descriptors and the state of bundles. */
  record FnStores(DescriptorStore descriptors, BundleStateStore state) {
    /** In this process, and gone with it. */
    static FnStores alone(FnConfig fn) {
      return new FnStores(
          new InProcessDescriptors(DESCRIPTORS, DESCRIPTOR_BYTES),
          new InProcessBundleState(fn.stateBytes()));
    }

    /** In the cluster, with a copy of each entry. */
    static FnStores shared(Cluster cluster, Executor loop, FnConfig fn, Meters meters) {
      ClusterDescriptors descriptors = new ClusterDescriptors(cluster, loop);
      ClusterBundleState state = new ClusterBundleState(cluster, loop);
      if (fn.enabled()) {
        descriptors.observe(meters);
        state.observe(meters);
      }
      return new FnStores(descriptors, state);
    }
  }

  private GatewayState(
      ExecutionFence fence,
      @Nullable Member member,
      @Nullable Directory directory,
      @Nullable ClusterTimelines timelines,
      @Nullable RecorderInBackground recorder,
      FnStores fn) {
    this.fence = fence;
    this.member = member;
    this.directory = directory;
    this.timelines = timelines;
    this.recorder = recorder;
    this.fn = fn;
  }

  /**
   * @param context the gateway's event loop
   * @param clock of the day
   * @throws IllegalArgumentException if there is a directory and no cluster
   */
  static GatewayState open(
      Context context,
      HeadgateConfig config,
      InstantSource clock,
      Admission admission,
      Meters meters) {
    DirectoryConfig bounds = config.sources().directory();
    if (!config.cluster().enabled()) {
      if (bounds != null) {
        throw new IllegalArgumentException(
            "source.directory.enabled: true (expected: only with hazelcast.enabled)");
      }
      InProcessFence alone = new InProcessFence(config.fence(), System::nanoTime);
      alone.observe(meters);
      return new GatewayState(alone, null, null, null, null, FnStores.alone(config.fn()));
    }
    Workers threads = new Workers("headgate-cluster", CLUSTER_THREADS);
    Cluster cluster =
        new Cluster(
            config.cluster(),
            config.fence(),
            bounds == null ? DirectoryConfig.DEFAULT : bounds,
            config.timeline(),
            config.fn().stateBytes(),
            threads,
            admission::after);
    cluster.observe(meters);
    Executor loop = task -> context.runOnContext(event -> task.run());
    ClusterFence fence =
        new ClusterFence(cluster, config.fence(), clock, loop, admission.workers());
    fence.observe(meters);
    Directory directory =
        bounds == null ? null : directory(cluster, bounds, config, clock, loop, admission, meters);
    ClusterTimelines timelines =
        config.timeline().enabled() ? timelines(cluster, config, clock, loop, meters) : null;
    RecorderInBackground recorder =
        timelines == null ? null : new RecorderInBackground(timelines, context, meters);
    return new GatewayState(
        fence,
        new Member(cluster, threads, context),
        directory,
        timelines,
        recorder,
        FnStores.shared(cluster, loop, config.fn(), meters));
  }

  private static ClusterTimelines timelines(
      Cluster cluster, HeadgateConfig config, InstantSource clock, Executor loop, Meters meters) {
    ClusterTimelines store = new ClusterTimelines(cluster, config.timeline().limits(), clock, loop);
    store.observe(meters);
    return store;
  }

  private static Directory directory(
      Cluster cluster,
      DirectoryConfig bounds,
      HeadgateConfig config,
      InstantSource clock,
      Executor loop,
      Admission admission,
      Meters meters) {
    ClusterDirectory store = new ClusterDirectory(cluster, bounds, clock, loop);
    store.observe(meters);
    Workers encoder = new Workers("headgate-publisher", 1);
    JobGraphPublisher publisher = new JobGraphPublisher(store, bounds, encoder);
    observe(publisher, meters);
    return new Directory(
        new DirectoryJobSource(store, config.limits(), clock, admission.workers()),
        new Publishing(
            store, new PublicationParser(config.limits()), bounds.bodyBytes(), admission.workers()),
        publisher,
        encoder);
  }

  private static void observe(JobGraphPublisher publisher, Meters meters) {
    for (JobGraphPublisher.Outcome outcome : JobGraphPublisher.Outcome.values()) {
      meters.counter(
          "headgate.publisher.calls",
          "Calls of the Java publisher, by what became of them.",
          () -> publisher.count(outcome),
          "outcome",
          Meters.label(outcome));
    }
    meters.gauge("headgate.publisher.open", "Calls that wait or run.", publisher::underWay);
    meters.gauge("headgate.publisher.jobs", "Jobs it remembers.", publisher::jobs);
  }

  ExecutionFence fence() {
    return fence;
  }

  /** How it stands with its cluster, or null where there is none. */
  @Nullable ClusterHealth health() {
    return member == null ? null : member.cluster;
  }

  /** What was published, as a source; null where nothing can be. */
  @Nullable DirectoryJobSource source() {
    return directory == null ? null : directory.source;
  }

  /** Where graphs go that come in over HTTP; null where none may. */
  @Nullable Publishing publishing() {
    return directory == null ? null : directory.http;
  }

  /** Where graphs go that come from Java; null where none may. */
  @Nullable JobGraphPublisher publisher() {
    return directory == null ? null : directory.publisher;
  }

  /** What is remembered of schema changes; null where nothing is. */
  @Nullable ClusterTimelines timelines() {
    return timelines;
  }

  /** Where decisions on schema changes are said in Java; null where none are kept. */
  @Nullable SchemaEvolutionRecorder recorder() {
    return recorder == null ? null : recorder.recorder();
  }

  /** Where the Fn API keeps what it keeps. */
  FnStores fn() {
    return fn;
  }

  /** Joins the cluster, if there is one. */
  Future<?> start() {
    return member == null
        ? Future.succeededFuture()
        : Future.fromCompletionStage(member.cluster.start(), member.context)
            .onSuccess(
                joined -> {
                  if (recorder != null) {
                    recorder.start();
                  }
                });
  }

  /** Leaves the cluster; also one that is still being joined, whose start then fails. */
  Future<?> stop() {
    if (directory != null) {
      directory.encoder.close();
    }
    Future<?> last = stopped;
    if (last == null) {
      last = member == null ? Future.succeededFuture() : leave(member);
      stopped = last;
    }
    return last;
  }

  private Future<?> leave(Member left) {
    Future<?> flushed = recorder == null ? Future.succeededFuture() : recorder.close();
    return flushed.eventually(left::leave);
  }
}
