package io.headgate.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Bundle state of a gateway that is not in a cluster: kept in this process, gone with it. Safe on
 * any thread; the lock is held for a few map operations.
 */
public final class InProcessBundleState implements BundleStateStore {
  /** What a cell and a piece cost besides their bytes. */
  private static final int OVERHEAD = 64;

  private final long limit;
  private final Map<StateCell, Cell> cells = new HashMap<>();
  private long bytes;

  /** A value, and the bundle that has it. */
  private static final class Cell {
    final List<byte[]> pieces = new ArrayList<>();
    @Nullable String owner;

    /** What it would have after a change. */
    long bytes(Change change) {
      long kept = change.cleared() ? 0 : KeptCell.bytes(pieces);
      return kept + KeptCell.bytes(change.appended());
    }
  }

  /**
   * @param limit the most bytes of all values and keys together
   */
  public InProcessBundleState(long limit) {
    this.limit = limit;
  }

  @Override
  public synchronized CompletionStage<Boolean> claim(String bundle, StateCell cell) {
    Cell found = cells.computeIfAbsent(cell, key -> new Cell());
    boolean free = found.owner == null || found.owner.equals(bundle);
    if (free) {
      found.owner = bundle;
    }
    return CompletableFuture.completedStage(free);
  }

  @Override
  public synchronized CompletionStage<Page> read(StateCell cell, int from, int most) {
    Cell found = cells.get(cell);
    List<byte[]> pieces = found == null ? List.of() : found.pieces;
    List<byte[]> page = new ArrayList<>();
    long length = 0;
    int next = from;
    while (next < pieces.size() && (page.isEmpty() || length + pieces.get(next).length <= most)) {
      length += pieces.get(next).length;
      page.add(pieces.get(next++));
    }
    return CompletableFuture.completedStage(new Page(page, next < pieces.size()));
  }

  @Override
  public synchronized CompletionStage<Commit> commit(String bundle, Collection<Change> changes) {
    long growth = 0;
    for (Change change : changes) {
      Cell found = cells.get(change.cell());
      if (found == null || !bundle.equals(found.owner)) {
        return CompletableFuture.completedStage(Commit.CLAIM_LOST);
      }
      if (found.bytes(change) > MOST_CELL_BYTES) {
        return CompletableFuture.completedStage(Commit.FULL);
      }
      growth += weight(change.appended()) - (change.cleared() ? weight(found.pieces) : 0);
    }
    if (growth > 0 && bytes + growth > limit) {
      return CompletableFuture.completedStage(Commit.FULL);
    }
    for (Change change : changes) {
      Cell found = cells.get(change.cell());
      if (found != null) {
        if (change.cleared()) {
          found.pieces.clear();
        }
        found.pieces.addAll(change.appended());
        letGo(change.cell(), found);
      }
    }
    bytes += growth;
    return CompletableFuture.completedStage(Commit.DONE);
  }

  @Override
  public synchronized CompletionStage<?> release(String bundle, Collection<StateCell> released) {
    for (StateCell cell : released) {
      Cell found = cells.get(cell);
      if (found != null && bundle.equals(found.owner)) {
        letGo(cell, found);
      }
    }
    return CompletableFuture.completedStage("released");
  }

  private void letGo(StateCell cell, Cell found) {
    found.owner = null;
    if (found.pieces.isEmpty()) {
      cells.remove(cell);
    }
  }

  @Override
  public synchronized CompletionStage<?> drop(String descriptor) {
    byte[] prefix = StateCell.prefix(descriptor);
    cells
        .entrySet()
        .removeIf(
            entry -> {
              boolean dropped = entry.getKey().startsWith(prefix) && entry.getValue().owner == null;
              if (dropped) {
                bytes -= weight(entry.getValue().pieces);
              }
              return dropped;
            });
    return CompletableFuture.completedStage("dropped");
  }

  private static long weight(Collection<byte[]> pieces) {
    long weight = 0;
    for (byte[] piece : pieces) {
      weight += piece.length + OVERHEAD;
    }
    return weight;
  }

  /** How many bytes are visible. */
  public synchronized long bytes() {
    return bytes;
  }

  /** How many cells open bundles have. */
  public synchronized long claims() {
    return cells.values().stream().filter(cell -> cell.owner != null).count();
  }
}
