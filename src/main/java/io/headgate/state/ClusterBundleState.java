package io.headgate.state;

import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Bundle state in maps of the cluster: one entry a cell, which also says which bundle has it, and
 * one a commit that is being made. Answers come on the executor that was given.
 *
 * <p><b>One step.</b> A commit is decided by one entry, under the bundle's id; what comes after
 * only carries it out, a cell at a time, and each cell stays claimed until it has its change, so
 * nobody sees one half. Whoever finds a cell claimed by a bundle that nobody works on any more,
 * because its gateway is gone, settles that bundle first: carries out what is decided, or decides
 * that nothing ever will be. {@link Settling} has that part.
 */
public final class ClusterBundleState implements BundleStateStore {
  /** State requests of all harnesses that are at work. */
  private static final int MOST_READS = 4_096;

  /** Commits and ends of claims; each goes through its cells a few at a time. */
  private static final int MOST_WRITES = 4_096;

  /** Outlasts a frozen member, which counts as gone after five seconds. */
  private static final Duration DEADLINE = Duration.ofSeconds(8);

  /** A bundle whose gateway is gone is settled, and then the claim is made again. */
  private static final int ROUNDS = 3;

  private final Cluster cluster;
  private final StoreCalls reads;
  private final StoreCalls writes;
  private final StoreCalls drops;
  private final Settling settling;

  /** This gateway's bundles that have claims, or ask for one. */
  private final Map<String, Open> open = new ConcurrentHashMap<>();

  /** What a bundle has, and whether it is not known if its commit was decided. */
  private static final class Open {
    final Map<StateCell, CellClaim.Answer> claims = new ConcurrentHashMap<>();
    volatile boolean uncertain;
  }

  /**
   * @param callbacks where answers are given, such as an event loop; it must not reject any
   */
  public ClusterBundleState(Cluster cluster, Executor callbacks) {
    this.cluster = cluster;
    reads = cluster.calls("fn-state-read", MOST_READS, callbacks);
    writes = cluster.calls("fn-state-write", MOST_WRITES, callbacks);
    drops = cluster.calls("fn-state-drop", 1, callbacks);
    settling = new Settling(cluster, writes, DEADLINE, callbacks);
  }

  @Override
  public CompletionStage<Boolean> claim(String bundle, StateCell cell) {
    open.computeIfAbsent(bundle, id -> new Open());
    return claim(bundle, cell, ROUNDS);
  }

  private CompletionStage<Boolean> claim(String bundle, StateCell cell, int rounds) {
    CompletionStage<byte[]> answer =
        reads
            .begin(
                () ->
                    cells()
                        .<byte[]>submitToKey(
                            cell.toBytes(), new CellClaim(bundle, cluster.identity())),
                Deadline.in(DEADLINE))
            .answer();
    return answer.thenCompose(
        bytes -> {
          CellClaim.Answer claim = CellClaim.Answer.fromBytes(bytes);
          if (claim.bundle().equals(bundle)) {
            Open mine = open.get(bundle);
            if (mine != null) {
              mine.claims.put(cell, claim);
            }
            return CompletableFuture.completedStage(true);
          }
          if (isOpen(claim)) {
            return CompletableFuture.completedStage(false);
          }
          if (rounds == 0) {
            return CompletableFuture.failedStage(new StoreException(Unavailability.STORE_FAILED));
          }
          return settling
              .settle(claim.bundle(), List.of(cell))
              .thenCompose(settled -> claim(bundle, cell, rounds - 1));
        });
  }

  /** Whether somebody works on the bundle that has a cell. */
  private boolean isOpen(CellClaim.Answer claim) {
    return claim.member().equals(cluster.identity())
        ? open.containsKey(claim.bundle())
        : cluster.counts(claim.member());
  }

  @Override
  public CompletionStage<Page> read(StateCell cell, int from, int bytes) {
    CompletionStage<byte[]> answer =
        reads
            .begin(
                () -> cells().<byte[]>submitToKey(cell.toBytes(), new CellRead(from, bytes)),
                Deadline.in(DEADLINE))
            .answer();
    return answer.thenApply(CellRead::page);
  }

  @Override
  public CompletionStage<Commit> commit(String bundle, Collection<Change> changes) {
    Open mine = open.get(bundle);
    if (mine == null || !mine.claims.keySet().containsAll(cells(changes))) {
      return CompletableFuture.completedStage(Commit.CLAIM_LOST);
    }
    if (!hasRoomFor(changes, mine.claims)) {
      return CompletableFuture.completedStage(Commit.FULL);
    }
    if (changes.stream().noneMatch(change -> change.cleared() || !change.appended().isEmpty())) {
      open.remove(bundle);
      settling.release(bundle, cells(changes));
      return CompletableFuture.completedStage(Commit.DONE);
    }
    byte[] commit = StagedCommit.toBytes(changes);
    CompletionStage<String> answer =
        writes
            .begin(
                () -> commits().<String>submitToKey(bundle, new CommitDecide(commit)),
                Deadline.in(DEADLINE))
            .answer();
    CompletableFuture<Commit> outcome = new CompletableFuture<>();
    answer.whenComplete(
        (said, failure) -> {
          if (said == null) {
            ask(bundle, mine, changes, outcome);
          } else if (said.equals(Commit.DONE.name())) {
            carryOut(bundle, changes, outcome);
          } else {
            outcome.complete(Commit.valueOf(said));
          }
        });
    return outcome;
  }

  /** As the owners of the cells said when they were claimed; others may have filled them since. */
  private static boolean hasRoomFor(
      Collection<Change> changes, Map<StateCell, CellClaim.Answer> claims) {
    for (Change change : changes) {
      CellClaim.Answer claim = claims.get(change.cell());
      if (claim == null) {
        return false;
      }
      long next = KeptCell.bytes(change.appended()) + (change.cleared() ? 0 : claim.bytes());
      if (next > MOST_CELL_BYTES || next > claim.bytes() && !claim.hasRoom()) {
        return false;
      }
    }
    return true;
  }

  private void carryOut(
      String bundle, Collection<Change> changes, CompletableFuture<Commit> outcome) {
    settling
        .carryOut(bundle, changes)
        .whenComplete(
            (done, failure) -> {
              open.remove(bundle);
              if (failure != null) {
                settling.later(bundle, cells(changes));
              }
              outcome.complete(Commit.DONE); // decided is decided
            });
  }

  /** The decision got no answer: finds out what it was, and that nothing is, if it was none. */
  private void ask(
      String bundle, Open mine, Collection<Change> changes, CompletableFuture<Commit> outcome) {
    settling
        .isDecided(bundle)
        .whenComplete(
            (decided, failure) -> {
              if (decided == null) {
                mine.uncertain = true;
                settling.later(bundle, cells(changes));
                outcome.completeExceptionally(new StoreException(Unavailability.STORE_FAILED));
              } else if (decided) {
                carryOut(bundle, changes, outcome);
              } else {
                outcome.complete(Commit.CLAIM_LOST);
              }
            });
  }

  private static List<StateCell> cells(Collection<Change> changes) {
    return changes.stream().map(Change::cell).toList();
  }

  @Override
  public CompletionStage<?> release(String bundle, Collection<StateCell> released) {
    Open mine = open.remove(bundle);
    boolean uncertain = mine != null && mine.uncertain;
    return uncertain
        ? CompletableFuture.completedStage("later")
        : settling.release(bundle, new ArrayList<>(released));
  }

  /** Blocks a thread that is there for such calls: there is no other way to go through a map. */
  @Override
  public CompletionStage<?> drop(String descriptor) {
    Predicate<byte[], byte[]> free = new FreeCellsOf(StateCell.prefix(descriptor));
    return drops
        .<@Nullable Void>begin(
            () -> CompletableFuture.runAsync(() -> cells().removeAll(free), cluster.threads()),
            Deadline.in(DEADLINE))
        .answer();
  }

  private IMap<byte[], byte[]> cells() {
    return cluster.entries(StoreMaps.CELLS);
  }

  private IMap<String, byte[]> commits() {
    return cluster.entries(StoreMaps.COMMITS);
  }

  /** Puts what it counts into {@code meters}. */
  public void observe(Meters meters) {
    reads.observe(meters);
    writes.observe(meters);
    drops.observe(meters);
    settling.observe(meters);
  }
}
