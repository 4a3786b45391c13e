package io.headgate.fn;

import io.headgate.fn.StateRequest.Action;
import io.headgate.state.BundleStateStore;
import io.headgate.state.BundleStateStore.Change;
import io.headgate.state.BundleStateStore.Commit;
import io.headgate.state.BundleStateStore.Page;
import io.headgate.state.StateCell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one open bundle (F7): what it wrote is kept here, seen by itself only, until one
 * commit makes it visible or a rollback lets it go. On the loop.
 *
 * <p>A cell is claimed in the store at its first use. Requests for one cell are answered in their
 * order; those for different cells may overtake each other.
 */
final class BundleState {
  /** A message of 4 MiB has room for this and all that goes with it, there and back. */
  static final int APPEND_BYTES = 4 * 1024 * 1024 - 64 * 1024;

  /** What a cell or an append costs besides its bytes; keeps tiny ones from being free. */
  private static final int OVERHEAD = 128;

  private static final Page NOTHING = new Page(List.of(), false);

  private final String bundle;
  private final String descriptor;
  private final Fixtures fixtures;
  private final Map<StateCell, StagedCell> cells = new HashMap<>();
  private long staged;
  private int pending;
  private boolean closed;

  /**
   * What all bundles of a gateway have in common.
   *
   * @param bundleBytes the most bytes one bundle may stage
   * @param allBytes the most that all may
   */
  record Fixtures(
      BundleStateStore store,
      ContinuationTokens tokens,
      Loop loop,
      int bundleBytes,
      ByteBudget allBytes) {}

  BundleState(String bundle, String descriptor, Fixtures fixtures) {
    this.bundle = bundle;
    this.descriptor = descriptor;
    this.fixtures = fixtures;
  }

  /** How many requests await their answer. */
  int pending() {
    return pending;
  }

  /** How many bytes are staged, overhead included. */
  long staged() {
    return staged;
  }

  /**
   * Does what {@code request} asks for.
   *
   * @param answer told once, perhaps at once
   */
  void handle(StateRequest request, Consumer<StateAnswer> answer) {
    StateCell key =
        StateCell.of(
            descriptor,
            request.port().transform(),
            request.port().name(),
            request.window(),
            request.key());
    pending++;
    Consumer<StateAnswer> once =
        result -> {
          pending--;
          answer.accept(result);
        };
    StagedCell cell = cells.get(key);
    if (cell == null) {
      if (!stage(key.length() + OVERHEAD)) {
        once.accept(new StateAnswer.Refused(StateRefusal.TOO_MUCH));
        return;
      }
      cell = new StagedCell(key);
      cells.put(key, cell);
    }
    StagedCell found = cell;
    inTurn(found, () -> claimed(found, request.action(), once));
  }

  private void inTurn(StagedCell cell, Runnable task) {
    if (cell.busy) {
      cell.waiting.add(task);
    } else {
      cell.busy = true;
      task.run();
    }
  }

  private void done(StagedCell cell, Consumer<StateAnswer> answer, StateAnswer result) {
    answer.accept(result);
    cell.busy = false;
    Runnable next = cell.waiting.poll();
    if (next != null) {
      inTurn(cell, next);
    }
  }

  private void claimed(StagedCell cell, Action action, Consumer<StateAnswer> answer) {
    if (closed) {
      done(cell, answer, new StateAnswer.Refused(StateRefusal.NOT_ACTIVE));
    } else if (cell.claimed) {
      act(cell, action, answer);
    } else {
      onLoop(
          fixtures.store.claim(bundle, cell.cell),
          (free, failure) -> {
            if (free == null || !free) {
              StateRefusal reason =
                  free == null ? StateRefusal.UNAVAILABLE : StateRefusal.CELL_IN_USE;
              done(cell, answer, new StateAnswer.Refused(reason));
              return;
            }
            cell.claimed = true;
            if (closed) {
              release(List.of(cell.cell));
            }
            claimed(cell, action, answer);
          });
    }
  }

  private void act(StagedCell cell, Action action, Consumer<StateAnswer> answer) {
    if (action instanceof Action.Get get) {
      read(cell, get.token(), answer);
    } else if (action instanceof Action.Append append) {
      done(cell, answer, append(cell, append.data()));
    } else {
      unstage(cell.appendedBytes());
      cell.clear();
      done(cell, answer, new StateAnswer.Cleared());
    }
  }

  private StateAnswer append(StagedCell cell, byte[] data) {
    if (data.length > APPEND_BYTES) {
      return new StateAnswer.Refused(StateRefusal.TOO_LARGE);
    }
    if (!stage(data.length)) {
      return new StateAnswer.Refused(StateRefusal.TOO_MUCH);
    }
    // What an append costs besides its bytes is not given back by a clear: many of both end, too.
    if (!stage(OVERHEAD)) {
      unstage(data.length);
      return new StateAnswer.Refused(StateRefusal.TOO_MUCH);
    }
    cell.append(data);
    return new StateAnswer.Appended();
  }

  private void read(StagedCell cell, byte @Nullable [] token, Consumer<StateAnswer> answer) {
    long position =
        token == null
            ? cell.start()
            : fixtures.tokens.position(token, bundle, cell.cell, cell.generation());
    if (position < 0) {
      done(cell, answer, new StateAnswer.Refused(StateRefusal.FOREIGN_TOKEN));
    } else if (StagedCell.isStored(position)) {
      onLoop(
          fixtures.store.read(cell.cell, (int) position, StagedCell.PAGE_BYTES),
          (page, failure) ->
              done(
                  cell,
                  answer,
                  page == null
                      ? new StateAnswer.Refused(StateRefusal.UNAVAILABLE)
                      : page(cell, cell.view(position, page))));
    } else {
      done(cell, answer, page(cell, cell.view(position, NOTHING)));
    }
  }

  private StateAnswer page(StagedCell cell, StagedCell.View view) {
    boolean last = view.next() < 0;
    byte @Nullable [] token =
        last ? null : fixtures.tokens.issue(bundle, cell.cell, cell.generation(), view.next());
    return new StateAnswer.Page(view.pieces(), token);
  }

  /**
   * Makes everything visible, or nothing. No request may be pending.
   *
   * @param whenDone told once, on the loop: null, or why it failed
   */
  void commit(Consumer<@Nullable BundleFailure> whenDone) {
    closed = true;
    List<Change> changes = new ArrayList<>();
    for (StagedCell cell : cells.values()) {
      if (cell.claimed) {
        changes.add(cell.change());
      }
    }
    if (changes.isEmpty()) {
      release(List.of());
      forget();
      whenDone.accept(null);
      return;
    }
    onLoop(
        fixtures.store.commit(bundle, changes),
        (outcome, failure) -> {
          if (outcome != Commit.DONE) {
            release(changes.stream().map(Change::cell).toList());
          }
          forget();
          whenDone.accept(
              outcome == null
                  ? BundleFailure.STATE_UNCERTAIN
                  : outcome == Commit.DONE ? null : BundleFailure.STATE_NOT_COMMITTED);
        });
  }

  /** Lets everything go. Requests under way are still answered, with errors. */
  void rollBack() {
    if (closed) {
      return;
    }
    closed = true;
    List<StateCell> claims = new ArrayList<>();
    for (StagedCell cell : cells.values()) {
      if (cell.claimed) {
        claims.add(cell.cell);
      }
    }
    release(claims);
    forget();
  }

  private void release(List<StateCell> claims) {
    // A claim that can't be given back now is later, or void when its gateway is gone.
    fixtures.store.release(bundle, claims);
  }

  private void forget() {
    cells.clear();
    unstage(staged);
  }

  private boolean stage(long bytes) {
    if (staged + bytes > fixtures.bundleBytes || !fixtures.allBytes.take(bytes)) {
      return false;
    }
    staged += bytes;
    return true;
  }

  private void unstage(long bytes) {
    staged -= bytes;
    fixtures.allBytes.give(bytes);
  }

  private <T> void onLoop(
      CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> then) {
    stage.whenComplete((value, failure) -> fixtures.loop.run(() -> then.accept(value, failure)));
  }
}
