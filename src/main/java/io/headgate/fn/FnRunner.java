package io.headgate.fn;

import io.headgate.fn.Descriptors.Found;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * What a runner does with the harnesses of one gateway: registers descriptors, starts bundles,
 * reads logs. Safe on any thread; never blocks. Futures complete on the context that made the call,
 * and fail with an {@link FnRefusedException} where there is a {@link Refusal}.
 *
 * <pre>{@code
 * runner.register(descriptorBytes)
 *     .compose(registered -> runner.start("harness-1", "stage-7", List.of()))
 *     .compose(bundle -> bundle.output(new PortId("write", "in"))
 *         .onSuccess(output -> output.handler(bytes -> …))
 *         .compose(output -> bundle.input(new PortId("read", "out")))
 *         .compose(input -> elements.pipeTo(input))
 *         .compose(written -> bundle.ended()))
 *     .onSuccess(status -> …);
 * }</pre>
 */
public final class FnRunner {
  private final FnCore core;
  private final Vertx vertx;

  public FnRunner(FnCore core, Vertx vertx) {
    this.core = core;
    this.vertx = vertx;
  }

  /**
   * Checks a descriptor and keeps it in the cluster.
   *
   * @param descriptor the bytes of a {@code ProcessBundleDescriptor}
   */
  public Future<Registration> register(Buffer descriptor) {
    return here(core.descriptors().register(descriptor.getBytes()));
  }

  /** The descriptor of this id. */
  public Future<BundleDescriptor> descriptor(String id) {
    return here(core.descriptors().find(id))
        .map(
            found -> {
              if (found instanceof Found.Here here) {
                return here.descriptor();
              }
              throw new FnRefusedException(FnCore.refusal(found));
            });
  }

  /**
   * Forgets a descriptor, and drops the state under it that no open bundle has; false if there is
   * none. Harnesses that have it keep it until their Control stream ends.
   */
  public Future<Boolean> remove(String id) {
    return here(core.remove(id))
        .recover(failure -> Future.failedFuture(new FnRefusedException(Refusal.UNAVAILABLE)));
  }

  /**
   * Ids of descriptors in order.
   *
   * @param after only ids behind this one; empty for all
   * @param most how many there should be at most
   */
  public Future<List<String>> descriptors(String after, int most) {
    return here(core.descriptors().list(after, most))
        .recover(failure -> Future.failedFuture(new FnRefusedException(Refusal.UNAVAILABLE)));
  }

  /** All harnesses that this gateway knows, by id. */
  public Future<List<HarnessStatus>> harnesses() {
    return onLoop(
        promise -> promise.complete(core.harnesses().all().stream().map(Harness::status).toList()));
  }

  /** What is kept of a harness's log, the oldest entry first. */
  public Future<List<LogLine>> log(String harness) {
    return onLoop(
        promise -> {
          Harness found = core.harnesses().find(harness);
          if (found == null) {
            promise.fail(new FnRefusedException(Refusal.NO_HARNESS));
          } else {
            promise.complete(found.log().ring().lines());
          }
        });
  }

  /**
   * Starts a bundle on a harness of this gateway.
   *
   * @param harness the harness's id
   * @param descriptor the descriptor's id
   * @param tokens what the harness may reuse of state that it read earlier; passed through
   */
  public Future<BundleHandle> start(
      String harness, String descriptor, List<ControlLink.CacheToken> tokens) {
    return onLoop(
        promise ->
            core.start(
                harness,
                descriptor,
                tokens,
                start -> {
                  if (start instanceof FnCore.Start.Begun begun) {
                    promise.complete(new BundleHandle(begun.bundle(), vertx, core.loop()));
                  } else {
                    promise.fail(new FnRefusedException(((FnCore.Start.Refused) start).reason()));
                  }
                }));
  }

  /** The bundle of this id, if it is open or ended lately. */
  public Future<BundleHandle> bundle(String id) {
    return onLoop(
        promise -> {
          Bundle found = core.bundle(id);
          if (found == null) {
            promise.fail(new FnRefusedException(Refusal.NO_BUNDLE));
          } else {
            promise.complete(new BundleHandle(found, vertx, core.loop()));
          }
        });
  }

  private <T> Future<T> onLoop(Consumer<Promise<T>> task) {
    return Hop.onLoop(vertx, core.loop(), (context, promise) -> task.accept(promise));
  }

  private <T> Future<T> here(CompletionStage<T> stage) {
    return Future.fromCompletionStage(stage, vertx.getOrCreateContext());
  }
}
