package io.headgate.fn;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the state requests of one harness are taken: each is answered exactly once, on the stream
 * that it came on. On the loop.
 *
 * <p>Few are worked on at once, none is begun while the stream takes no answers, and those that are
 * ready by then are kept for as long; meanwhile the harness is made to wait.
 */
final class StateDesk {
  /** Each may hold a page of a megabyte, or an append of four. */
  private static final int AT_ONCE = 16;

  private final Function<String, @Nullable Bundle> bundles;
  private final FnMeters meters;
  private final ArrayDeque<Request> waiting = new ArrayDeque<>();
  private final ArrayDeque<Done> done = new ArrayDeque<>();
  private @Nullable StateLink link;
  private int underWay;
  private boolean paused;
  private boolean working;

  private record Request(String id, String bundle, @Nullable StateRequest wish) {}

  /** An answer that is to be sent. */
  private record Done(Request request, StateAnswer answer) {}

  /**
   * @param bundles finds an open bundle of this harness
   */
  StateDesk(Function<String, @Nullable Bundle> bundles, FnMeters meters) {
    this.bundles = bundles;
    this.meters = meters;
  }

  /** A new stream, or none. What came on the old one and was not answered is dropped. */
  void use(@Nullable StateLink other) {
    link = other;
    paused = false;
    List<Request> lost = new ArrayList<>(waiting);
    done.forEach(one -> lost.add(one.request));
    underWay -= done.size();
    waiting.clear();
    done.clear();
    for (Request request : lost) {
      Bundle bundle = bundles.apply(request.bundle);
      if (bundle != null) {
        bundle.fail(BundleFailure.STATE_LOST);
      }
    }
  }

  /** Whether the harness has this stream open. */
  boolean isOpen() {
    return link != null;
  }

  /**
   * A request came.
   *
   * @param wish what it asks for, or null if that makes no sense
   */
  void request(String id, String bundle, @Nullable StateRequest wish) {
    waiting.add(new Request(id, bundle, wish));
    work();
  }

  /**
   * Sends what may be sent, and begins what may begin. An answer that comes at once does not nest.
   */
  void work() {
    if (working) {
      return;
    }
    working = true;
    boolean goesOn = true;
    while (goesOn) {
      goesOn = step();
    }
    working = false;
    StateLink current = link;
    if (current != null && paused != !waiting.isEmpty()) {
      paused = !waiting.isEmpty();
      if (paused) {
        current.pause();
      } else {
        current.resume();
      }
    }
  }

  /** Sends one, or else begins one; false if neither may be. */
  private boolean step() {
    StateLink current = link;
    if (current == null || !current.hasRoom()) {
      return false;
    }
    Done ready = done.poll();
    if (ready != null) {
      underWay--;
      answer(ready.request, current, ready.answer);
      return true;
    }
    Request next = underWay < AT_ONCE ? waiting.poll() : null;
    if (next != null) {
      begin(next, current);
    }
    return next != null;
  }

  private void begin(Request request, StateLink origin) {
    Bundle bundle = bundles.apply(request.bundle);
    if (request.wish == null || bundle == null) {
      answer(
          request,
          origin,
          new StateAnswer.Refused(
              request.wish == null ? StateRefusal.MALFORMED : StateRefusal.NOT_ACTIVE));
      if (bundle != null) {
        bundle.fail(BundleFailure.STATE_WRITE_REFUSED); // it may well have been a write
      }
      return;
    }
    underWay++;
    bundle.state(
        request.wish,
        result -> {
          if (origin == link) {
            done.add(new Done(request, result));
          } else {
            underWay--;
            bundle.fail(BundleFailure.STATE_LOST);
          }
          work();
        });
  }

  private void answer(Request request, StateLink origin, StateAnswer result) {
    if (result instanceof StateAnswer.Refused refused) {
      meters.refused(refused.reason());
    }
    origin.answer(request.id, result);
  }
}
