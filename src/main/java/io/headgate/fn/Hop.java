package io.headgate.fn;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.BiConsumer;

/** The way from any thread to the loop and back to the caller's context. */
final class Hop {
  private Hop() {}

  /**
   * Runs {@code task} on the loop. The future completes on the caller's context, so that nobody's
   * code but ours runs on the loop.
   */
  static <T> Future<T> onLoop(Vertx vertx, Loop loop, BiConsumer<Context, Promise<T>> task) {
    Context context = vertx.getOrCreateContext();
    Promise<T> there = Promise.promise();
    Promise<T> here = Promise.promise();
    there.future().onComplete(result -> context.runOnContext(v -> here.handle(result)));
    loop.run(
        () -> {
          try {
            task.accept(context, there);
          } catch (RuntimeException e) {
            there.tryFail(e);
          }
        });
    return here.future();
  }
}
