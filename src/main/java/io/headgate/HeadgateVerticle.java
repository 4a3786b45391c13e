package io.headgate;

import io.headgate.admission.Admission;
import io.headgate.admission.Workers;
import io.headgate.edge.Edge;
import io.headgate.edge.EdgeVerticle;
import io.headgate.edge.ListenerFiles;
import io.headgate.graph.JobGraphSource;
import io.headgate.lineage.LineageService;
import io.headgate.observe.Health;
import io.headgate.observe.Meters;
import io.headgate.state.InProcessFence;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
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
 * and takes them down again when it is undeployed: in-flight requests finish first, for at most ten
 * seconds. Everything it opened is closed then. Permits and workers are shared by all gateways in
 * one Vert.x. {@link #port()} may be read on any thread.
 */
public final class HeadgateVerticle extends VerticleBase {
  private final HeadgateConfig config;
  private final @Nullable JobGraphSource embedded;
  private final List<EdgeVerticle> edges = new CopyOnWriteArrayList<>();

  private @Nullable Admission admission;
  private @Nullable Sources sources;
  private @Nullable JobsInBackground jobs;
  private @Nullable Meters meters;
  private @Nullable Edge edge;

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
    this.config = config;
    this.embedded = source;
  }

  @Override
  public Future<?> start() {
    Admission shared = Admission.open(vertx, config.admission());
    admission = shared;
    Workers reader = new Workers("headgate-start", 1);
    return Future.fromCompletionStage(
            CompletableFuture.supplyAsync(() -> ListenerFiles.read(vertx, config.http()), reader),
            context)
        .onComplete(read -> reader.close())
        .compose(this::open)
        .recover(failure -> close().transform(done -> Future.failedFuture(failure)));
  }

  private Future<?> open(ListenerFiles files) {
    Admission shared = Objects.requireNonNull(admission);
    Meters registry = new Meters();
    meters = registry;
    Sources opened = Sources.open(vertx, config, embedded, shared, registry);
    sources = opened;
    Health state = new Health(opened.recorded(), opened.members());
    InProcessFence fence = new InProcessFence(config.fence(), System::nanoTime);
    observe(fence, registry);
    LineageService lineage =
        new LineageService(opened.all(), fence, config.limits().responseBytes(), shared.workers());
    JobsInBackground list = new JobsInBackground(opened.listed(), shared, registry);
    jobs = list;
    Edge common =
        new Edge(
            config.http(),
            config.admission(),
            shared,
            lineage::begin,
            list::snapshot,
            null,
            files,
            state,
            registry);
    edge = common;
    Supplier<EdgeVerticle> loop =
        () -> {
          EdgeVerticle verticle = new EdgeVerticle(common);
          edges.add(verticle);
          return verticle;
        };
    return vertx
        .deployVerticle(loop, new DeploymentOptions().setInstances(config.http().instances()))
        .onSuccess(
            all -> {
              common.watchCertificate(vertx, edges.get(0));
              state.ready();
              list.start();
            });
  }

  private static void observe(InProcessFence fence, Meters registry) {
    registry.gauge("headgate.fence.jobs", "Jobs whose execution is remembered.", fence::jobs);
    registry.counter("headgate.fence.refused", "Answers of older executions.", fence::refused);
    registry.counter("headgate.fence.yielded", "Older executions served again.", fence::yielded);
    registry.counter("headgate.fence.evicted", "Jobs forgotten early.", fence::evicted);
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
    Future<Void> sourcesClosed = sources == null ? Future.succeededFuture() : sources.close();
    return sourcesClosed.eventually(
        () -> {
          if (edge != null) {
            edge.close();
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

  /** The port it listens on, or -1 before it does. */
  public int port() {
    return edges.isEmpty() ? -1 : edges.get(0).actualPort();
  }
}
