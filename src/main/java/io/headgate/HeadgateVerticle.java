package io.headgate;

import io.headgate.admission.Admission;
import io.headgate.admission.Workers;
import io.headgate.directory.JobGraphPublisher;
import io.headgate.edge.AccessLog;
import io.headgate.edge.Edge;
import io.headgate.edge.EdgeVerticle;
import io.headgate.edge.ListenerFiles;
import io.headgate.edge.PackagedFiles;
import io.headgate.edge.fn.FnFiles;
import io.headgate.fn.FnDoor;
import io.headgate.fn.FnRunner;
import io.headgate.fn.v1.BundleRequestReader;
import io.headgate.fn.v1.DescriptorJsonFormat;
import io.headgate.graph.JobGraphSource;
import io.headgate.lineage.LineageService;
import io.headgate.observe.Health;
import io.headgate.observe.Meters;
import io.headgate.observe.access.LineOutput;
import io.headgate.observe.access.RequestLog;
import io.headgate.observe.access.RequestTracer;
import io.headgate.observe.trace.OtlpTracer;
import io.headgate.picture.SvgPainter;
import io.headgate.state.ClusterTimelines;
import io.headgate.timeline.TimelineConfig;
import io.headgate.timeline.live.EndWatch;
import io.headgate.timeline.live.LiveTimelines;
import io.headgate.timeline.live.SchemaEvolutionRecorder;
import io.headgate.timeline.live.TimelinePages;
import io.headgate.timeline.live.TimelineReports;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A whole gateway as one verticle: what {@link Headgate} runs, and what an embedding service
 * deploys.
 *
 * <pre>{@code
 * JobGraphSource source = …;
 * HeadgateVerticle gateway = new HeadgateVerticle(HeadgateConfig.DEFAULT, source);
 * vertx.deployVerticle(gateway).onSuccess(id -> System.out.println(gateway.port()));
 * }</pre>
 *
 * <p>Deploy one instance; it deploys as many event loops as {@code http.instances} says by itself,
 * and then joins its cluster; the deployment is complete when both are done, and requests are
 * answered meanwhile. When it is undeployed, in-flight requests finish first, for at most ten
 * seconds, and then it leaves the cluster, for at most nine. Everything it opened is closed then.
 * Permits and workers are shared by all gateways in one Vert.x. {@link #port()} may be read on any
 * thread.
 */
public final class HeadgateVerticle extends VerticleBase {
  private final HeadgateConfig config;
  private final @Nullable JobGraphSource embedded;
  private final InstantSource clock;
  private final Duration watchPeriod;
  private final List<EdgeVerticle> edges = new CopyOnWriteArrayList<>();

  private @Nullable Admission admission;
  private volatile @Nullable GatewayState state;
  private @Nullable Sources sources;
  private @Nullable JobsInBackground jobs;
  private @Nullable EndWatch watch;
  private @Nullable Meters meters;
  private @Nullable Edge edge;
  private @Nullable LineOutput standardOutput;
  private @Nullable AccessLog accessLog;
  private volatile @Nullable FnPort fn;

  /** A gateway in front of the engine that {@code config} names, or of the recorded jobs. */
  public HeadgateVerticle(HeadgateConfig config) {
    this(config, null);
  }

  /**
   * A gateway in front of a source of the embedding service's own.
   *
   * @param source asked first, or where {@code source.order} puts it; if {@code config} names no
   *     other source, it is the only one. Not closed by the gateway
   */
  public HeadgateVerticle(HeadgateConfig config, @Nullable JobGraphSource source) {
    this(config, source, InstantSource.system());
  }

  /**
   * @param clock tells what has expired, and which times are older
   */
  HeadgateVerticle(HeadgateConfig config, @Nullable JobGraphSource source, InstantSource clock) {
    this(config, source, clock, EndWatch.PERIOD);
  }

  /**
   * @param watchPeriod how often jobs with schema changes are asked after
   */
  HeadgateVerticle(
      HeadgateConfig config,
      @Nullable JobGraphSource source,
      InstantSource clock,
      Duration watchPeriod) {
    this.watchPeriod = watchPeriod;
    this.config = config;
    this.embedded = source;
    this.clock = clock;
  }

  /** Has access lines go here where no file is set; before it is deployed. */
  HeadgateVerticle printingTo(LineOutput output) {
    standardOutput = output;
    return this;
  }

  @Override
  public Future<?> start() {
    Admission shared = Admission.open(vertx, config.admission());
    admission = shared;
    Workers reader = new Workers("headgate-start", 1);
    return Future.fromCompletionStage(
            CompletableFuture.supplyAsync(() -> prepare(shared), reader), context)
        .onComplete(read -> reader.close())
        .compose(this::open)
        .recover(failure -> close().transform(done -> Future.failedFuture(failure)));
  }

  /** What takes too long for an event loop: reading files, and loading the classes of a cluster. */
  private record Prepared(
      ListenerFiles files,
      PackagedFiles packaged,
      Meters meters,
      GatewayState state,
      @Nullable RequestTracer tracer) {}

  private Prepared prepare(Admission shared) {
    ListenerFiles files = ListenerFiles.read(vertx, config.http());
    PackagedFiles packaged = PackagedFiles.read(config.http());
    FnFiles fnFiles = FnFiles.read(vertx, config.fn());
    Meters registry = new Meters();
    GatewayState remembered = GatewayState.open(context, config, clock, shared, registry);
    if (config.fn().enabled() || config.fn().http()) {
      fn = new FnPort(vertx, config, fnFiles, remembered.fn(), registry);
    }
    RequestTracer tracer =
        config.traces().enabled() ? OtlpTracer.open(config.traces(), registry) : null;
    return new Prepared(files, packaged, registry, remembered, tracer);
  }

  private Future<?> open(Prepared prepared) {
    Admission shared = Objects.requireNonNull(admission);
    Meters registry = prepared.meters;
    meters = registry;
    GatewayState remembered = prepared.state;
    state = remembered;
    Sources opened = Sources.open(vertx, config, embedded, remembered.source(), shared, registry);
    sources = opened;
    Health health = new Health(opened.recorded(), opened.members(), remembered.health());
    LineageService lineage =
        new LineageService(
            opened.all(), remembered.fence(), config.limits().responseBytes(), shared.workers());
    JobsInBackground list = new JobsInBackground(opened.listed(), shared, registry);
    jobs = list;
    ClusterTimelines store = remembered.timelines();
    LiveTimelines timelines = store == null ? null : live(store, shared, registry);
    Edge common =
        new Edge(
            config.http(),
            config.admission(),
            shared,
            lineage::begin,
            list::snapshot,
            remembered.publishing(),
            timelines,
            new SvgPainter(config.picture(), config.limits().responseBytes()),
            prepared.files,
            prepared.packaged,
            health,
            registry);
    edge = common;
    LineOutput lines = RequestLog.output(config.accessLog(), standardOutput);
    RequestTracer traces = prepared.tracer;
    if (lines != null || traces != null) {
      AccessLog log = new AccessLog(lines, traces, config.http(), shared, registry);
      accessLog = log;
      common.open(log);
    }
    FnPort port = fn;
    if (port != null && config.fn().http()) {
      common.open(
          new FnDoor(
              port::runner,
              new BundleRequestReader(),
              new DescriptorJsonFormat(),
              config.fn().descriptorBytes(),
              config.limits().responseBytes(),
              shared.workers()));
    }
    if (store != null) {
      watch = watch(store, common, shared, registry);
    }
    EndWatch watching = watch;
    Supplier<EdgeVerticle> loop =
        () -> {
          EdgeVerticle verticle = new EdgeVerticle(common);
          edges.add(verticle);
          return verticle;
        };
    // Who can't listen has no business in the cluster, where all would notice its coming and going.
    return vertx
        .deployVerticle(loop, new DeploymentOptions().setInstances(config.http().instances()))
        .compose(listening -> openFn())
        .compose(open -> remembered.start())
        .onSuccess(
            joined -> {
              common.watchCertificate(vertx, edges.get(0));
              health.ready();
              list.start();
              if (watching != null) {
                watching.start();
              }
            });
  }

  private Future<?> openFn() {
    FnPort port = fn;
    return port == null ? Future.succeededFuture() : port.open();
  }

  private LiveTimelines live(ClusterTimelines store, Admission shared, Meters registry) {
    TimelineConfig timeline = config.timeline();
    TimelinePages pages =
        new TimelinePages(
            store,
            store::historyId,
            timeline.errorSummaries(),
            config.limits().responseBytes(),
            shared.workers());
    TimelineReports reports =
        new TimelineReports(store, config.admission().deadline(), shared.workers());
    reports.observe(registry);
    return new LiveTimelines(store, pages, timeline, reports);
  }

  private EndWatch watch(ClusterTimelines store, Edge common, Admission shared, Meters registry) {
    EndWatch.Reach reach =
        new EndWatch.Reach(
            store, store, jobId -> common.ask(jobId, context), common::isLineageAtEase);
    Duration retention = Duration.ofMillis(config.timeline().limits().retentionMillis());
    return new EndWatch(reach, retention, shared::after, clock, watchPeriod, registry);
  }

  @Override
  public Future<?> stop() {
    // The event loops are children of this verticle: Vert.x has stopped them by now.
    return close();
  }

  /** Closes what {@link #open} opened, from the outside in. */
  private Future<?> close() {
    if (jobs != null) {
      jobs.close();
    }
    if (watch != null) {
      watch.close();
    }
    GatewayState remembered = state;
    Future<?> sourcesClosed = sources == null ? Future.succeededFuture() : sources.close();
    return sourcesClosed
        .eventually(() -> remembered == null ? Future.succeededFuture() : remembered.stop())
        .eventually(this::closeAccessLog)
        .eventually(
            () -> {
              if (edge != null) {
                edge.close();
              }
              FnPort port = fn;
              if (port != null) {
                port.close();
              }
              if (meters != null) {
                meters.close();
              }
              if (admission != null) {
                admission.close();
                admission = null;
              }
              return Future.succeededFuture();
            });
  }

  private Future<?> closeAccessLog() {
    AccessLog lines = accessLog;
    return lines == null
        ? Future.succeededFuture()
        : Future.fromCompletionStage(lines.close(), context);
  }

  /**
   * Where this process publishes graphs of its jobs. May be called on any thread, once the
   * deployment is under way; what is published before it is complete comes to nothing.
   *
   * @throws IllegalStateException where {@code source.directory.enabled} is not set
   */
  public JobGraphPublisher publisher() {
    GatewayState remembered = state;
    JobGraphPublisher publisher = remembered == null ? null : remembered.publisher();
    if (publisher == null) {
      throw new IllegalStateException(
          "nothing can be published: deploy the gateway, with source.directory.enabled: true");
    }
    return publisher;
  }

  /**
   * Where this process says what its transforms, policies and sinks decided on schema changes. May
   * be called on any thread, once the deployment is under way; what is said before it is complete
   * waits for it, as far as there is room.
   *
   * @throws IllegalStateException where no timelines are kept: {@code timeline.enabled} or {@code
   *     hazelcast.enabled} is false
   */
  public SchemaEvolutionRecorder recorder() {
    GatewayState remembered = state;
    SchemaEvolutionRecorder recorder = remembered == null ? null : remembered.recorder();
    if (recorder == null) {
      throw new IllegalStateException(
          "nothing can be recorded: deploy the gateway, with timeline.enabled: true");
    }
    return recorder;
  }

  /**
   * What a runner in this process does with SDK harnesses. May be called on any thread, once the
   * deployment is complete.
   *
   * @throws IllegalStateException where neither {@code fn.enabled} nor {@code fn.http.enabled} is
   *     set, and before the port is open
   */
  public FnRunner fnRunner() {
    FnPort port = fn;
    if (port == null) {
      throw new IllegalStateException("there are no harnesses: deploy with fn.enabled: true");
    }
    return port.runner();
  }

  /** The port that harnesses connect to, or -1 where it is not open. */
  public int fnPort() {
    FnPort port = fn;
    return port == null ? -1 : port.port();
  }

  /** The port it listens on, or -1 before it does. */
  public int port() {
    return edges.isEmpty() ? -1 : edges.get(0).actualPort();
  }
}
