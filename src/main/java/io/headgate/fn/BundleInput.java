package io.headgate.fn;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Where a runner writes one input of a bundle. Bytes go on to the harness as fast as it reads them,
 * once every output of the bundle is open.
 *
 * <p>{@link #end} it, or the bundle waits; {@link #abort} it if the input can't be had whole. One
 * thread at a time may use it; handlers are called on the context that opened it. A write's future
 * completes when the bytes are on the harness's stream, or dropped because the bundle is over.
 */
public final class BundleInput implements WriteStream<Buffer> {
  /** A writer that does not heed {@link #writeQueueFull} gets this far and no further. */
  private static final int MOST_WAITING = 16 << 20;

  /** What a write costs besides its bytes; keeps a million of one byte each from being free. */
  private static final int OVERHEAD = 512;

  private final Bundle bundle;
  private final InputPort port;
  private final Loop loop;
  private final Context context;
  private final AtomicLong waiting = new AtomicLong();
  private volatile int most;
  private volatile boolean ended;
  private volatile @Nullable Handler<Void> drainHandler;
  private volatile @Nullable Handler<Throwable> exceptionHandler;
  private volatile @Nullable BundleFailure failure;

  BundleInput(Bundle bundle, InputPort port, Loop loop, int most, Context context) {
    this.bundle = bundle;
    this.port = port;
    this.loop = loop;
    this.most = most;
    this.context = context;
  }

  @Override
  public Future<Void> write(Buffer data) {
    BundleFailure reason = failure;
    if (reason != null) {
      return Future.failedFuture(new BundleFailedException(reason));
    }
    if (ended) {
      return Future.failedFuture(new IllegalStateException("it has ended"));
    }
    if (waiting.get() > MOST_WAITING) {
      abort();
      return Future.failedFuture(new IllegalStateException("written without heeding the queue"));
    }
    Promise<Void> taken = Promise.promise();
    int weight = data.length() + OVERHEAD;
    waiting.addAndGet(weight);
    loop.run(() -> port.write(data, () -> context.runOnContext(v -> taken(weight, taken))));
    return taken.future();
  }

  private void taken(int weight, Promise<Void> promise) {
    long left = waiting.addAndGet(-weight);
    promise.complete();
    Handler<Void> handler = drainHandler;
    if (handler != null && left <= most / 2) {
      drainHandler = null;
      handler.handle(null);
    }
  }

  @Override
  public Future<Void> end() {
    ended = true;
    loop.run(port::end);
    return Future.succeededFuture();
  }

  /** The input can't be had whole: fails the bundle. */
  public void abort() {
    loop.run(() -> bundle.fail(BundleFailure.INPUT_BROKEN));
  }

  /** The bundle has failed. */
  void failed(BundleFailure reason) {
    failure = reason;
    Handler<Throwable> handler = exceptionHandler;
    if (handler != null) {
      handler.handle(new BundleFailedException(reason));
    }
  }

  /** Whether it takes nothing more, since its bundle has failed. */
  public boolean hasFailed() {
    return failure != null;
  }

  @Override
  public boolean writeQueueFull() {
    return waiting.get() >= most;
  }

  @Override
  public BundleInput setWriteQueueMaxSize(int bytes) {
    most = bytes;
    return this;
  }

  @Override
  public BundleInput drainHandler(@Nullable Handler<Void> handler) {
    drainHandler = handler;
    if (handler != null && waiting.get() <= most / 2) {
      context.runOnContext(v -> taken(0, Promise.promise()));
    }
    return this;
  }

  /** Sets who is told that the bundle fails; at once if it has. On the context that opened it. */
  @Override
  public BundleInput exceptionHandler(@Nullable Handler<Throwable> handler) {
    exceptionHandler = handler;
    BundleFailure reason = failure;
    if (handler != null && reason != null) {
      handler.handle(new BundleFailedException(reason));
    }
    return this;
  }
}
