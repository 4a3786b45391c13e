package io.headgate.fn;

import io.headgate.state.BundleStateStore.Change;
import io.headgate.state.BundleStateStore.Page;
import io.headgate.state.StateCell;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One cell as one open bundle sees it: what is visible in the store, unless cleared, and behind it
 * what the bundle appended. Requests for it are worked off one after another. On the loop.
 */
final class StagedCell {
  /** What a page has at most, unless a single append is larger. */
  static final int PAGE_BYTES = 1024 * 1024;

  /** Marks a position among the bundle's own appends; without it, one in the store. */
  private static final long OWN = 1L << 62;

  final StateCell cell;

  /** Tasks that wait for the one that is under way. */
  final Deque<Runnable> waiting = new ArrayDeque<>();

  boolean busy;
  boolean claimed;
  private boolean cleared;
  private int generation;
  private final List<byte[]> appended = new ArrayList<>();

  StagedCell(StateCell cell) {
    this.cell = cell;
  }

  int generation() {
    return generation;
  }

  /** Where reading begins. */
  long start() {
    return cleared ? OWN : 0;
  }

  /** Whether reading from {@code position} needs the store. */
  static boolean isStored(long position) {
    return position < OWN;
  }

  void append(byte[] data) {
    appended.add(data);
  }

  /** Takes everything away. */
  void clear() {
    cleared = true;
    generation++;
    appended.clear();
  }

  /** How many bytes the bundle has appended since it was last cleared. */
  long appendedBytes() {
    return appended.stream().mapToLong(piece -> piece.length).sum();
  }

  /** A page, and where the next one begins; -1 if there is none. */
  record View(List<byte[]> pieces, long next) {}

  /**
   * The page at {@code position}.
   *
   * @param stored what the store has there; of no account behind it
   */
  View view(long position, Page stored) {
    List<byte[]> pieces = new ArrayList<>(stored.pieces());
    if (isStored(position) && stored.more()) {
      return new View(pieces, position + pieces.size());
    }
    long length = pieces.stream().mapToLong(piece -> piece.length).sum();
    int next = isStored(position) ? 0 : (int) (position - OWN);
    while (next < appended.size()
        && (pieces.isEmpty() || length + appended.get(next).length <= PAGE_BYTES)) {
      length += appended.get(next).length;
      pieces.add(appended.get(next++));
    }
    return new View(pieces, next < appended.size() ? OWN + next : -1);
  }

  /** What the bundle does to it. */
  Change change() {
    return new Change(cell, cleared, List.copyOf(appended));
  }
}
