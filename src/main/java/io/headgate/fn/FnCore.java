package io.headgate.fn;

import io.headgate.observe.Meters;
import io.headgate.state.BundleStateStore;
import io.headgate.state.DescriptorStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Fn API of one gateway between its wire and its runners: harnesses, descriptors, bundles. Made
 * by whoever opens the port. On the loop, but for what says otherwise.
 */
public final class FnCore {
  /** Ended bundles that are kept for whoever still asks for their result. */
  private static final int RESULTS = 1_024;

  /** Inputs and outputs that they may have together. */
  private static final int RESULT_PORTS = 65_536;

  /** How often it is looked whether something has taken too long, at least. */
  private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

  private final FnLimits limits;
  private final Loop loop;
  private final FnMeters meters = new FnMeters();
  private final Harnesses harnesses;
  private final Descriptors descriptors;
  private final BundleState.Fixtures fixtures;
  private final Map<String, Bundle> active = new HashMap<>();
  private final Map<String, Bundle> ended = new LinkedHashMap<>();
  private int endedPorts;
  private Loop.@Nullable Timer tick;
  private boolean stopping;
  private volatile int activeCount;
  private volatile int harnessCount;

  /** What became of a wish to start a bundle. */
  sealed interface Start {
    /** It has begun. */
    record Begun(Bundle bundle) implements Start {}

    /** It has not. */
    record Refused(Refusal reason) implements Start {}
  }

  /**
   * @param workers where descriptors are read; may refuse
   */
  public FnCore(
      FnLimits limits,
      Loop loop,
      BundleDescriptor.Reader reader,
      DescriptorStore descriptorStore,
      BundleStateStore stateStore,
      Executor workers) {
    this.limits = limits;
    this.loop = loop;
    harnesses = new Harnesses(limits, loop, meters);
    descriptors = new Descriptors(reader, descriptorStore, workers);
    fixtures =
        new BundleState.Fixtures(
            stateStore,
            new ContinuationTokens(),
            loop,
            limits.stagedBytes(),
            new ByteBudget(limits.allStagedBytes()));
  }

  /** The harnesses, for the adapter of the protocol. */
  public Harnesses harnesses() {
    return harnesses;
  }

  /** Counts what came on a stream and was dropped. */
  public void dropped(Drop what, long count) {
    meters.dropped(what, count);
  }

  /** Runs {@code task} on the loop when a second has passed. */
  public void afterASecond(Runnable task) {
    loop.after(Duration.ofSeconds(1), task);
  }

  Descriptors descriptors() {
    return descriptors;
  }

  /** Forgets a descriptor, and drops the state under it that no bundle has. On any thread. */
  CompletionStage<Boolean> remove(String id) {
    return descriptors
        .remove(id)
        .thenCompose(removed -> fixtures.store().drop(id).thenApply(dropped -> removed));
  }

  Loop loop() {
    return loop;
  }

  FnMeters meters() {
    return meters;
  }

  /** Begins to look whether something has taken too long. */
  public void start() {
    Duration shortest = min(limits.openWait(), limits.readIdle(), limits.bundleDeadline());
    Duration quarter = shortest.dividedBy(4);
    tick = loop.after(quarter.compareTo(LONGEST_TICK) < 0 ? quarter : LONGEST_TICK, this::tick);
  }

  private static Duration min(Duration... some) {
    return java.util.Collections.min(List.of(some));
  }

  private void tick() {
    harnesses.check();
    harnessCount = harnesses.all().size();
    start();
  }

  /**
   * Starts no more bundles, and waits for those that run; fails what is left after {@code
   * patience}. Streams are for the adapter to end, afterwards.
   *
   * @param whenDone told once, when there are none
   */
  public void stop(Duration patience, Runnable whenDone) {
    stopping = true;
    List<Bundle> open = new ArrayList<>(active.values());
    if (open.isEmpty()) {
      stopped(whenDone);
      return;
    }
    Loop.Timer enough =
        loop.after(patience, () -> open.forEach(bundle -> bundle.fail(BundleFailure.STOPPING)));
    int[] left = {open.size()};
    for (Bundle bundle : open) {
      bundle.whenOver(
          () -> {
            if (--left[0] == 0) {
              enough.cancel();
              stopped(whenDone);
            }
          });
    }
  }

  private void stopped(Runnable whenDone) {
    if (tick != null) {
      tick.cancel();
    }
    whenDone.run();
  }

  /**
   * Starts a bundle.
   *
   * @param whenKnown told once, on the loop
   */
  void start(
      String harnessId,
      String descriptorId,
      List<ControlLink.CacheToken> tokens,
      Consumer<Start> whenKnown) {
    onLoop(
        descriptors.find(descriptorId),
        found -> {
          if (found instanceof Descriptors.Found.Here here) {
            whenKnown.accept(begin(harnessId, here.descriptor(), tokens));
          } else {
            whenKnown.accept(new Start.Refused(refusal(found)));
          }
        });
  }

  /** Why {@code found} is no descriptor. */
  static Refusal refusal(Descriptors.Found found) {
    if (found instanceof Descriptors.Found.Nowhere) {
      return Refusal.NO_DESCRIPTOR;
    }
    return found instanceof Descriptors.Found.Busy ? Refusal.BUSY : Refusal.UNAVAILABLE;
  }

  private Start begin(
      String harnessId, BundleDescriptor descriptor, List<ControlLink.CacheToken> tokens) {
    if (stopping) {
      return new Start.Refused(Refusal.UNAVAILABLE);
    }
    Harness harness = harnesses.find(harnessId);
    if (harness == null || !harness.isConnected()) {
      return new Start.Refused(Refusal.NO_HARNESS);
    }
    if (!harness.hasPlaceFor(descriptor)) {
      meters.busy();
      return new Start.Refused(Refusal.BUSY);
    }
    String id = harnesses.ids().next();
    BundleState state = new BundleState(id, descriptor.id(), fixtures);
    Bundle bundle = new Bundle(id, harness, descriptor, tokens, state);
    bundle.whenOver(() -> over(bundle));
    active.put(id, bundle);
    activeCount = active.size();
    harness.add(bundle);
    bundle.start(descriptor);
    return new Start.Begun(bundle);
  }

  private void over(Bundle bundle) {
    active.remove(bundle.id());
    activeCount = active.size();
    ended.put(bundle.id(), bundle);
    endedPorts += bundle.ports();
    Iterator<Bundle> eldest = ended.values().iterator();
    while (ended.size() > RESULTS || endedPorts > RESULT_PORTS) {
      endedPorts -= eldest.next().ports();
      eldest.remove();
    }
  }

  /** The bundle of this id, open or lately ended, or null. */
  @Nullable Bundle bundle(String id) {
    Bundle open = active.get(id);
    return open == null ? ended.get(id) : open;
  }

  private <T> void onLoop(CompletionStage<T> stage, Consumer<T> then) {
    stage.thenAccept(value -> loop.run(() -> then.accept(value)));
  }

  /** Shows what is counted and held as metrics. On any thread, once. */
  public void observe(Meters registry) {
    meters.observe(registry);
    registry.gauge("headgate.fn.harnesses", "Harnesses remembered.", () -> harnessCount);
    registry.gauge("headgate.fn.bundles", "Bundles that are not over.", () -> activeCount);
    registry.gauge("headgate.fn.held.bytes", "Output bytes held.", harnesses.held()::sum);
    registry.gauge("headgate.fn.staged.bytes", "State bytes staged.", fixtures.allBytes()::used);
  }
}
