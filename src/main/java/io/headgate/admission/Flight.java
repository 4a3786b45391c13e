package io.headgate.admission;

import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One lookup under way and all who wait for it (L17). It belongs to none of them: whoever leaves is
 * simply not there when the answer comes. Safe on any thread.
 */
final class Flight<A> {
  private final int maxWaiters;

  // Guarded by this; null once answered.
  private @Nullable List<Waiter<A>> waiters = new ArrayList<>(1);
  private @Nullable A answer;

  /** One who waits, and the event loop where the answer is to be delivered. */
  record Waiter<A>(Context context, Consumer<A> delivery) {
    void deliver(A answer) {
      context.runOnContext(event -> delivery.accept(answer));
    }
  }

  Flight(int maxWaiters) {
    this.maxWaiters = maxWaiters;
  }

  /**
   * Adds a waiter.
   *
   * @return false if there are too many
   */
  boolean join(Waiter<A> waiter) {
    A known;
    synchronized (this) {
      if (waiters != null) {
        return waiters.size() < maxWaiters && waiters.add(waiter);
      }
      known = answer;
    }
    if (known != null) {
      waiter.deliver(known);
    }
    return true;
  }

  /**
   * Answers everybody; outside the lock, since what runs then is not ours.
   *
   * @return false if it was answered before
   */
  boolean answer(A with) {
    List<Waiter<A>> waiting;
    synchronized (this) {
      if (waiters == null) {
        return false;
      }
      waiting = waiters;
      waiters = null;
      answer = with;
    }
    for (Waiter<A> waiter : waiting) {
      waiter.deliver(with);
    }
    return true;
  }

  synchronized int waiting() {
    return waiters == null ? 0 : waiters.size();
  }
}
