package io.headgate.fn;

import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayDeque;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One output of a bundle as a Vert.x stream; it keeps what comes until it has a handler. The end
 * handler means that the whole bundle has succeeded; the exception handler gets a {@link
 * BundleFailedException} if it has not. Safe on any thread; handlers are called on the context that
 * opened it.
 *
 * <p>A reader that stops reading stops its harness, and after {@code fn.readIdle} fails its bundle.
 */
public final class BundleOutput implements ReadStream<Buffer>, OutputReader {
  private final Context context;
  private final ArrayDeque<Piece> waiting = new ArrayDeque<>();
  private long demand = Long.MAX_VALUE;
  private boolean delivering;
  private boolean ended;
  private @Nullable BundleFailure failure;
  private @Nullable Handler<Buffer> handler;
  private @Nullable Handler<Void> endHandler;
  private @Nullable Handler<Throwable> exceptionHandler;

  private record Piece(Buffer bytes, IntConsumer taken) {
    void letGo() {
      taken.accept(bytes.length());
    }
  }

  BundleOutput(Context context) {
    this.context = context;
  }

  @Override
  public void piece(Buffer bytes, IntConsumer taken) {
    waiting.add(new Piece(bytes, taken));
    deliver();
  }

  @Override
  public void end() {
    ended = true;
    deliver();
  }

  @Override
  public void fail(BundleFailure reason) {
    failure = reason;
    waiting.forEach(Piece::letGo);
    waiting.clear();
    if (exceptionHandler != null) {
      exceptionHandler.handle(new BundleFailedException(reason));
    }
  }

  private void deliver() {
    if (delivering) {
      return;
    }
    delivering = true;
    while (handler != null && demand > 0 && !waiting.isEmpty()) {
      if (demand != Long.MAX_VALUE) {
        demand--;
      }
      Piece next = waiting.remove();
      handler.handle(next.bytes);
      next.letGo();
    }
    delivering = false;
    if (ended && waiting.isEmpty() && endHandler != null) {
      Handler<Void> last = endHandler;
      endHandler = null;
      last.handle(null);
    }
  }

  @Override
  public BundleOutput handler(@Nullable Handler<Buffer> newHandler) {
    onContext(
        () -> {
          handler = newHandler;
          deliver();
        });
    return this;
  }

  @Override
  public BundleOutput pause() {
    onContext(() -> demand = 0);
    return this;
  }

  @Override
  public BundleOutput resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public BundleOutput fetch(long amount) {
    onContext(
        () -> {
          demand = demand + amount < 0 ? Long.MAX_VALUE : demand + amount;
          deliver();
        });
    return this;
  }

  @Override
  public BundleOutput endHandler(@Nullable Handler<Void> newHandler) {
    onContext(
        () -> {
          endHandler = newHandler;
          deliver();
        });
    return this;
  }

  @Override
  public BundleOutput exceptionHandler(@Nullable Handler<Throwable> newHandler) {
    onContext(
        () -> {
          exceptionHandler = newHandler;
          if (failure != null && newHandler != null) {
            newHandler.handle(new BundleFailedException(failure));
          }
        });
    return this;
  }

  /** At once if this is the context, so that a handler can pause before it is called again. */
  private void onContext(Runnable task) {
    if (Vertx.currentContext() == context) {
      task.run();
    } else {
      context.runOnContext(v -> task.run());
    }
  }
}
