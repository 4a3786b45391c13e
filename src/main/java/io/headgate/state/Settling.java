package io.headgate.state;

import com.hazelcast.map.IMap;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import io.headgate.state.BundleStateStore.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ends what bundles have begun in the cluster: carries commits out, gives claims back, and settles
 * bundles that nobody works on any more. Everything here may be done twice, and by several gateways
 * at once. Safe on any thread; never blocks.
 */
final class Settling {
  /** Cells of one bundle that are worked on at once. */
  private static final int AT_ONCE = 8;

  /** Bundles that wait to be settled because the cluster could not be reached. */
  private static final int MOST_WAITING = 1_024;

  private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(30);

  /** Longer than a bundle may take, by an hour. */
  private static final long NEVER_MILLIS = TimeUnit.HOURS.toMillis(49);

  private final Cluster cluster;
  private final StoreCalls calls;
  private final Duration deadline;
  private final Executor callbacks;
  private final AtomicInteger waiting = new AtomicInteger();
  private final LongAdder settled = new LongAdder();
  private final LongAdder givenUp = new LongAdder();

  /**
   * @param deadline of each call
   * @param callbacks where answers are given; it must not reject any
   */
  Settling(Cluster cluster, StoreCalls calls, Duration deadline, Executor callbacks) {
    this.cluster = cluster;
    this.calls = calls;
    this.deadline = deadline;
    this.callbacks = callbacks;
  }

  /**
   * Carries out what a bundle that nobody works on has decided; if that is nothing, it never will
   * decide anything, and these cells are given back.
   */
  CompletionStage<@Nullable Void> settle(String bundle, List<StateCell> cells) {
    settled.increment();
    return askedOf(bundle)
        .thenCompose(
            found ->
                StagedCommit.isDecided(found)
                    ? carryOut(bundle, StagedCommit.fromBytes(found))
                    : each(cells, cell -> apply(cell, CellApply.release(bundle))));
  }

  /** Whether a bundle's commit is decided; if it is not, it never will be. */
  CompletionStage<Boolean> isDecided(String bundle) {
    return askedOf(bundle).thenApply(StagedCommit::isDecided);
  }

  private CompletionStage<byte[]> askedOf(String bundle) {
    return calls
        .begin(
            () -> commits().<byte[]>submitToKey(bundle, new CommitSettle(NEVER_MILLIS)),
            Deadline.in(deadline))
        .answer();
  }

  /** Makes all of a decided commit's changes, and then forgets it. */
  CompletionStage<@Nullable Void> carryOut(String bundle, Collection<Change> changes) {
    return each(
            changes,
            change ->
                apply(change.cell(), new CellApply(bundle, change.cleared(), change.appended())))
        .thenCompose(
            all ->
                calls
                    .begin(
                        () ->
                            commits()
                                .<Boolean>submitToKey(bundle, new RemoveEntry(StoreMaps.COMMITS)),
                        Deadline.in(deadline))
                    .answer())
        .thenAccept(forgotten -> {});
  }

  /** Gives claims back; what can't be now, is later. Never fails. */
  CompletionStage<?> release(String bundle, List<StateCell> cells) {
    return each(cells, cell -> apply(cell, CellApply.release(bundle)))
        .<@Nullable Void>handle(
            (done, failure) -> {
              if (failure != null) {
                later(bundle, cells);
              }
              return done;
            });
  }

  private CompletionStage<?> apply(StateCell cell, CellApply change) {
    return calls
        .begin(() -> cells().<Boolean>submitToKey(cell.toBytes(), change), Deadline.in(deadline))
        .answer();
  }

  /** Settles a bundle of this gateway when the cluster can be reached again. */
  void later(String bundle, List<StateCell> cells) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      givenUp.increment(); // whoever wants a cell of it settles it once this gateway is gone
      return;
    }
    later(bundle, cells, FIRST_PAUSE);
  }

  private void later(String bundle, List<StateCell> cells, long pause) {
    try {
      cluster
          .alarm()
          .after(
              pause,
              () ->
                  settle(bundle, cells)
                      .whenCompleteAsync(
                          (done, failure) -> {
                            if (failure == null || cluster.unusable() == Unavailability.STOPPING) {
                              waiting.decrementAndGet();
                            } else {
                              later(bundle, cells, Math.min(2 * pause, LONGEST_PAUSE));
                            }
                          },
                          callbacks));
    } catch (RejectedExecutionException e) {
      waiting.decrementAndGet(); // the clock has stopped, and so does the gateway
    }
  }

  /** Does {@code step} for each, a few at a time; fails if one failed, after all. */
  private <T> CompletionStage<@Nullable Void> each(
      Collection<T> all, Function<T, CompletionStage<?>> step) {
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    some(all.iterator(), step, null, done);
    return done;
  }

  private <T> void some(
      Iterator<T> rest,
      Function<T, CompletionStage<?>> step,
      @Nullable Throwable failed,
      CompletableFuture<@Nullable Void> done) {
    if (!rest.hasNext()) {
      if (failed == null) {
        done.complete(null);
      } else {
        done.completeExceptionally(failed);
      }
      return;
    }
    List<CompletableFuture<?>> begun = new ArrayList<>();
    while (rest.hasNext() && begun.size() < AT_ONCE) {
      begun.add(step.apply(rest.next()).toCompletableFuture());
    }
    CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new))
        .whenCompleteAsync(
            (v, failure) -> some(rest, step, failed == null ? failure : failed, done), callbacks);
  }

  private IMap<byte[], byte[]> cells() {
    return cluster.entries(StoreMaps.CELLS);
  }

  private IMap<String, byte[]> commits() {
    return cluster.entries(StoreMaps.COMMITS);
  }

  /** Puts what it counts into {@code meters}. */
  void observe(Meters meters) {
    meters.counter("headgate.fn.settled", "Bundles settled that had been left.", settled::sum);
    meters.gauge("headgate.fn.unsettled", "Bundles that wait for that.", waiting::get);
    meters.counter("headgate.fn.settling.refused", "One too many.", givenUp::sum);
  }
}
