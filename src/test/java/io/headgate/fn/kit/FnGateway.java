package io.headgate.fn.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.edge.fn.FnFiles;
import io.headgate.edge.fn.FnVerticle;
import io.headgate.fn.BundleHandle;
import io.headgate.fn.BundleInput;
import io.headgate.fn.BundleStatus;
import io.headgate.fn.FnAuth;
import io.headgate.fn.FnConfig;
import io.headgate.fn.FnRunner;
import io.headgate.fn.PortId;
import io.headgate.fn.Registration;
import io.headgate.graph.GraphLimits;
import io.headgate.observe.Meters;
import io.headgate.state.InProcessBundleState;
import io.headgate.state.InProcessDescriptors;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * A gateway with nothing but its Fn port, on a free one of loopback, and a runner. Closing it
 * checks that nothing is left: no bundle, no held or staged byte, no claimed cell.
 */
public final class FnGateway implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final Meters meters = new Meters();
  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private final InProcessBundleState state = new InProcessBundleState(64 << 20);
  private final FnVerticle verticle;
  private final String deployment;

  private FnGateway(FnConfig config) {
    verticle =
        new FnVerticle(
            config,
            FnFiles.read(vertx, config),
            GraphLimits.DEFAULT,
            new InProcessDescriptors(100, 64 << 20),
            state,
            workers,
            meters);
    deployment = get(vertx.deployVerticle(verticle));
  }

  public static FnGateway open() {
    return open(Map.of());
  }

  /** One with limits that differ from the defaults in these. */
  public static FnGateway open(Map<String, ?> limits) {
    return open(limits, null, null, null);
  }

  /** One with TLS, or tokens, or both. */
  public static FnGateway open(
      Map<String, ?> limits,
      @Nullable String certificate,
      @Nullable String key,
      @Nullable FnAuth auth) {
    FnConfig usual = FnConfig.DEFAULT;
    return new FnGateway(
        new FnConfig(
            true,
            usual.host(),
            0,
            null,
            usual.maxConnections(),
            certificate,
            key,
            auth,
            false,
            usual.inputUrns(),
            usual.outputUrns(),
            usual.descriptorBytes(),
            usual.stateBytes(),
            Limits.with(limits)));
  }

  /** Stops the gateway; its Vert.x lives on until {@link #close}. */
  public Future<Void> stop() {
    return vertx.undeploy(deployment);
  }

  public int port() {
    return verticle.actualPort();
  }

  public FnRunner runner() {
    return verticle.runner();
  }

  public Vertx vertx() {
    return vertx;
  }

  public InProcessBundleState state() {
    return state;
  }

  /** Registers {@link Samples#descriptor}. */
  public void register(String id) {
    register(Samples.descriptor(id));
  }

  public void register(ProcessBundleDescriptor descriptor) {
    Registration kept = get(runner().register(Buffer.buffer(descriptor.toByteArray())));
    assertThat(kept).isInstanceOf(Registration.Kept.class);
  }

  public BundleHandle start(String harness, String descriptor) {
    return get(runner().start(harness, descriptor, List.of()));
  }

  /** Opens the sample's output, and collects what comes; the future ends as the stream does. */
  public Future<Buffer> collect(BundleHandle bundle) {
    return collect(bundle, Samples.OUT);
  }

  public Future<Buffer> collect(BundleHandle bundle, PortId port) {
    return allOf(bundle, port);
  }

  /** The same of any gateway's bundle. */
  public static Future<Buffer> allOf(BundleHandle bundle, PortId port) {
    return bundle.output(port).compose(output -> output.collect(new Collecting()));
  }

  /** Gives all of the sample's input, and ends it. */
  public void give(BundleHandle bundle, String text) {
    BundleInput input = get(bundle.input(Samples.IN));
    input.write(Buffer.buffer(text));
    input.end();
  }

  public BundleStatus ended(BundleHandle bundle) {
    return get(bundle.ended());
  }

  /** The value of one meter, by its name and labels as Prometheus prints them; 0 if not there. */
  public double metric(String nameAndLabels) {
    return meters
        .scrape()
        .lines()
        .filter(line -> line.startsWith(nameAndLabels + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(0);
  }

  /** What a future gives; fails if it gives nothing. */
  public static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  public void awaitNothingHeld() {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              assertThat(metric("headgate_fn_bundles")).as("bundles").isZero();
              assertThat(metric("headgate_fn_held_bytes")).as("held bytes").isZero();
              assertThat(metric("headgate_fn_staged_bytes")).as("staged bytes").isZero();
              assertThat(state.claims()).as("claims").isZero();
            });
  }

  @Override
  public void close() {
    try {
      awaitNothingHeld();
    } finally {
      get(vertx.close());
      workers.shutdownNow();
    }
  }

  /** Text as bytes. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Puts buffers together. */
  private static final class Collecting
      implements java.util.stream.Collector<Buffer, Buffer, Buffer> {
    @Override
    public java.util.function.Supplier<Buffer> supplier() {
      return Buffer::buffer;
    }

    @Override
    public java.util.function.BiConsumer<Buffer, Buffer> accumulator() {
      return Buffer::appendBuffer;
    }

    @Override
    public java.util.function.BinaryOperator<Buffer> combiner() {
      return Buffer::appendBuffer;
    }

    @Override
    public UnaryOperator<Buffer> finisher() {
      return UnaryOperator.identity();
    }

    @Override
    public java.util.Set<Characteristics> characteristics() {
      return java.util.Set.of();
    }
  }
}
