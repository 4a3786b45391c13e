package io.headgate.fn;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.BiConsumer;

/**
 * A bundle in a runner's hands. Safe on any thread; futures and streams of a call complete on the
 * context that made it. A future fails with an {@link FnRefusedException} if the call makes no
 * sense now.
 *
 * <p>Open every output within {@code fn.openWait}, or the bundle fails; inputs flow only when all
 * are open. Whether the bundle has succeeded is what {@link #ended} says, and nothing else.
 */
public final class BundleHandle {
  private final Bundle bundle;
  private final Vertx vertx;
  private final Loop loop;

  BundleHandle(Bundle bundle, Vertx vertx, Loop loop) {
    this.bundle = bundle;
    this.vertx = vertx;
    this.loop = loop;
  }

  /** Its id, which no other bundle has or will have. */
  public String id() {
    return bundle.id();
  }

  /** How it is now. */
  public Future<BundleStatus> status() {
    return onLoop((context, promise) -> promise.complete(bundle.status()));
  }

  /** How it ended; completes when it has. */
  public Future<BundleStatus> ended() {
    return onLoop((context, promise) -> bundle.whenOver(() -> promise.complete(bundle.status())));
  }

  /** Opens an input for writing, once. */
  public Future<BundleInput> input(PortId port) {
    return onLoop(
        (context, promise) -> {
          InputPort found = bundle.input(port);
          if (found == null) {
            promise.fail(new FnRefusedException(Refusal.NO_PORT));
          } else if (!found.take()) {
            promise.fail(new FnRefusedException(Refusal.PORT_TAKEN));
          } else {
            int most = bundle.harness().limits().inputBytes();
            BundleInput input = new BundleInput(bundle, found, loop, most, context);
            bundle.whenOver(
                () -> {
                  BundleFailure failure = bundle.status().failure();
                  if (failure != null) {
                    context.runOnContext(v -> input.failed(failure));
                  }
                });
            promise.complete(input);
          }
        });
  }

  /** Opens an output for reading, once. */
  public Future<BundleOutput> output(PortId port) {
    return onLoop(
        (context, promise) -> {
          BundleOutput output = new BundleOutput(context);
          Refusal refusal = open(port, context, output);
          if (refusal == null) {
            promise.complete(output);
          } else {
            promise.fail(new FnRefusedException(refusal));
          }
        });
  }

  /**
   * Opens an output for a reader that says itself when it has let go of bytes, once.
   *
   * @param reader called on the context of this call
   */
  public Future<Void> output(PortId port, OutputReader reader) {
    return onLoop(
        (context, promise) -> {
          Refusal refusal = open(port, context, reader);
          if (refusal == null) {
            promise.complete();
          } else {
            promise.fail(new FnRefusedException(refusal));
          }
        });
  }

  private @org.jspecify.annotations.Nullable Refusal open(
      PortId port, Context context, OutputReader reader) {
    OutputPort found = bundle.output(port);
    if (found == null) {
      return Refusal.NO_PORT;
    }
    if (found.isOpen()) {
      return Refusal.PORT_TAKEN;
    }
    found.open(new RemoteReader(context, loop, reader));
    return null;
  }

  /** The reader of an output went away: fails the bundle. */
  public void readerLeft() {
    loop.run(() -> bundle.fail(BundleFailure.READER_LEFT));
  }

  /** Asks the harness how far it is. */
  public Future<Answer.Progress> progress() {
    return ask(Answer.Progress.class, whenDone -> bundle.harness().progress(bundle, whenDone));
  }

  /**
   * Asks the harness for a part of the bundle back.
   *
   * @param fraction which part of the known work to keep, from 0 to 1
   */
  public Future<Answer.Split> split(double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      return Future.failedFuture(
          new IllegalArgumentException("fraction: " + fraction + " (expected: 0 to 1)"));
    }
    return ask(Answer.Split.class, whenDone -> bundle.harness().split(bundle, fraction, whenDone));
  }

  /** Lets it fail, unless it is over or its state is being made visible. */
  public Future<BundleStatus> cancel() {
    loop.run(() -> bundle.fail(BundleFailure.CANCELLED));
    return ended();
  }

  private <A extends Answer> Future<A> ask(
      Class<A> kind, java.util.function.Consumer<java.util.function.Consumer<Answer>> question) {
    return onLoop(
        (context, promise) -> {
          if (!bundle.isAtWork()) {
            promise.fail(new FnRefusedException(Refusal.NOT_AT_WORK));
            return;
          }
          question.accept(
              answer -> {
                if (kind.isInstance(answer)) {
                  promise.complete(kind.cast(answer));
                } else {
                  promise.fail(
                      new FnRefusedException(
                          answer instanceof Answer.Busy ? Refusal.BUSY : Refusal.HARNESS_FAILED));
                }
              });
        });
  }

  private <T> Future<T> onLoop(BiConsumer<Context, Promise<T>> task) {
    return Hop.onLoop(vertx, loop, task);
  }
}
