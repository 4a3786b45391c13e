package io.headgate.fn;

import io.headgate.observe.UnexpectedFailure;
import io.headgate.state.DescriptorStore;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Bundle descriptors between runners and the store (F3): read and checked on workers, kept in one
 * form. What the store says is asked for each time; only the reading of bytes that are still the
 * same is saved. Safe on any thread.
 */
final class Descriptors {
  /** Enough for dozens of large ones; small ones cost next to nothing to read again. */
  private static final long CACHE_BYTES = 16L << 20;

  private final BundleDescriptor.Reader reader;
  private final DescriptorStore store;
  private final Executor workers;

  /** Guarded by itself; the least recently used comes first. */
  private final Map<String, BundleDescriptor> recent = new LinkedHashMap<>(16, 0.75f, true);

  private long recentBytes;

  /** What became of a look for one. */
  sealed interface Found {
    /** Here it is. */
    record Here(BundleDescriptor descriptor) implements Found {}

    /** There is none of this id. */
    record Nowhere() implements Found {}

    /** No worker is free. */
    record Busy() implements Found {}

    /** The store can't say, or what it has can't be read. */
    record Unavailable() implements Found {}
  }

  /**
   * @param workers where descriptors are read; may refuse
   */
  Descriptors(BundleDescriptor.Reader reader, DescriptorStore store, Executor workers) {
    this.reader = reader;
    this.store = store;
    this.workers = workers;
  }

  /**
   * Checks a descriptor and keeps it.
   *
   * @param bytes as received; handed over
   */
  CompletionStage<Registration> register(byte[] bytes) {
    return onWorker(() -> reader.read(bytes))
        .thenCompose(this::keep)
        .exceptionally(
            failure ->
                isRefusal(failure) ? new Registration.Busy() : new Registration.Unavailable());
  }

  private CompletionStage<Registration> keep(BundleDescriptor.Read read) {
    if (read instanceof BundleDescriptor.Read.Refused refused) {
      return CompletableFuture.completedStage(new Registration.Refused(refused.reason()));
    }
    if (read instanceof BundleDescriptor.Read.TooLarge large) {
      return CompletableFuture.completedStage(new Registration.TooLarge(large.reason()));
    }
    BundleDescriptor descriptor = ((BundleDescriptor.Read.Accepted) read).descriptor();
    return store
        .register(descriptor.id(), descriptor.stored())
        .thenApply(
            kept ->
                switch (kept) {
                  case REGISTERED -> new Registration.Kept(descriptor.id(), true);
                  case UNCHANGED -> new Registration.Kept(descriptor.id(), false);
                  case CONFLICT -> new Registration.Conflict();
                  case FULL -> new Registration.Full();
                });
  }

  /** Looks for the descriptor of this id. */
  CompletionStage<Found> find(String id) {
    return store
        .read(id)
        .thenCompose(bytes -> bytes == null ? nowhere() : here(id, bytes))
        .exceptionally(failure -> isRefusal(failure) ? new Found.Busy() : new Found.Unavailable());
  }

  private static CompletionStage<Found> nowhere() {
    return CompletableFuture.completedStage(new Found.Nowhere());
  }

  private CompletionStage<Found> here(String id, byte[] bytes) {
    BundleDescriptor cached = cached(id);
    if (cached != null && Arrays.equals(cached.stored(), bytes)) {
      return CompletableFuture.completedStage(new Found.Here(cached));
    }
    return onWorker(() -> reader.read(bytes))
        .thenApply(
            read -> {
              if (!(read instanceof BundleDescriptor.Read.Accepted accepted)) {
                return new Found.Unavailable(); // kept under larger limits than these
              }
              cache(accepted.descriptor());
              return new Found.Here(accepted.descriptor());
            });
  }

  /** Ids in order, behind {@code after}. */
  CompletionStage<List<String>> list(String after, int most) {
    return store.list(after, most);
  }

  /** Forgets a descriptor; false if there is none. */
  CompletionStage<Boolean> remove(String id) {
    return store.remove(id);
  }

  private @Nullable BundleDescriptor cached(String id) {
    synchronized (recent) {
      return recent.get(id);
    }
  }

  private void cache(BundleDescriptor descriptor) {
    synchronized (recent) {
      BundleDescriptor before = recent.put(descriptor.id(), descriptor);
      recentBytes += weight(descriptor) - (before == null ? 0 : weight(before));
      Iterator<BundleDescriptor> oldest = recent.values().iterator();
      while (recentBytes > CACHE_BYTES && oldest.hasNext()) {
        recentBytes -= weight(oldest.next());
        oldest.remove();
      }
    }
  }

  /** Twice its bytes, and a graph of about the same size. */
  private static long weight(BundleDescriptor descriptor) {
    return 3L * descriptor.stored().length + 512;
  }

  private CompletableFuture<BundleDescriptor.Read> onWorker(
      java.util.function.Supplier<BundleDescriptor.Read> task) {
    try {
      return CompletableFuture.supplyAsync(task, workers);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static boolean isRefusal(Throwable failure) {
    return UnexpectedFailure.cause(failure) instanceof RejectedExecutionException;
  }
}
