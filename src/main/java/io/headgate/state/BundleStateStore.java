package io.headgate.state;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Where the state of bundles is kept (F7). A value is a list of pieces, one for each append, and is
 * only ever read at a boundary between two.
 *
 * <p>A bundle claims a cell before it reads or writes it, so no two open bundles use the same one;
 * nothing of what it writes is seen before its one {@link #commit}. A claim ends with {@link
 * #commit}, with {@link #release}, or when the gateway that made it is gone.
 *
 * <p>Safe on any thread; nothing blocks. Every stage completes within a deadline of the store's
 * own, exceptionally if the store can't say; then {@code claim} and {@code release} have to be
 * repeated or given up, and {@code commit} may or may not have happened.
 */
public interface BundleStateStore {
  /** What one cell may have: its owner makes it anew with every change. */
  int MOST_CELL_BYTES = 16 << 20;

  /** What became of a commit. */
  enum Commit {
    /** All changes are visible, and the claims are gone. */
    DONE,
    /** Nothing changed: there is no room. */
    FULL,
    /** Nothing changed: a claim had been lost. */
    CLAIM_LOST
  }

  /**
   * What a bundle does to one cell.
   *
   * @param cleared whether what was there goes
   * @param appended what is put behind the rest, in order; nothing for a cell that was only read
   */
  record Change(StateCell cell, boolean cleared, List<byte[]> appended) {}

  /**
   * Some pieces of a value.
   *
   * @param pieces one after another
   * @param more whether others follow
   */
  record Page(List<byte[]> pieces, boolean more) {}

  /** Reserves {@code cell} for {@code bundle}; false if another open bundle has it. */
  CompletionStage<Boolean> claim(String bundle, StateCell cell);

  /**
   * Reads visible pieces of a claimed cell.
   *
   * @param from the index of the first
   * @param bytes how many there should be at most; a single piece may be larger
   */
  CompletionStage<Page> read(StateCell cell, int from, int bytes);

  /**
   * Makes all of a bundle's changes visible, or none, and ends its claims. Repeating it for the
   * same bundle changes nothing more.
   */
  CompletionStage<Commit> commit(String bundle, Collection<Change> changes);

  /**
   * Ends claims of a bundle that changes nothing, and says that it asks for no more. Called once
   * for every bundle that does not commit anything, even if it has no claim.
   */
  CompletionStage<?> release(String bundle, Collection<StateCell> cells);

  /** Drops everything under {@code descriptor} that no bundle has claimed. */
  CompletionStage<?> drop(String descriptor);
}
