package io.headgate.fn;

import java.util.ArrayDeque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the state requests of one harness are taken: each is answered exactly once, on the stream
 * that it came on. On the loop.
 *
 * <p>Few are worked on at once, and none is begun while the stream takes no answers; meanwhile the
 * harness is made to wait.
 */
final class StateDesk {
  /** Each may hold a page of a megabyte, or an append of four. */
  private static final int AT_ONCE = 16;

  private final Function<String, @Nullable Bundle> bundles;
  private final FnMeters meters;
  private final ArrayDeque<Request> waiting = new ArrayDeque<>();
  private @Nullable StateLink link;
  private int underWay;
  private boolean paused;

  private record Request(String id, String bundle, @Nullable StateRequest wish) {}

  /**
   * @param bundles finds an open bundle of this harness
   */
  StateDesk(Function<String, @Nullable Bundle> bundles, FnMeters meters) {
    this.bundles = bundles;
    this.meters = meters;
  }

  /** A new stream, or none. What came on the old one and was not begun is dropped. */
  void use(@Nullable StateLink other) {
    link = other;
    paused = false;
    for (Request lost : waiting) {
      Bundle bundle = bundles.apply(lost.bundle);
      if (bundle != null) {
        bundle.fail(BundleFailure.STATE_LOST);
      }
    }
    waiting.clear();
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

  /** Begins what may begin. */
  void work() {
    StateLink current = link;
    while (current != null && current == link && underWay < AT_ONCE && current.hasRoom()) {
      Request next = waiting.poll();
      if (next == null) {
        break;
      }
      begin(next, current);
    }
    if (current != null && current == link && paused != !waiting.isEmpty()) {
      paused = !waiting.isEmpty();
      if (paused) {
        current.pause();
      } else {
        current.resume();
      }
    }
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
          underWay--;
          if (origin == link) {
            answer(request, origin, result);
          } else {
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
