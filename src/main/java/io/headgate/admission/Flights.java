package io.headgate.admission;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The life of a lookup, from a request's arrival to its answer, shared by all who ask for the same
 * job (L15 to L18); and that of a picture, shared by all who ask for the same one.
 *
 * <h2>Ways in</h2>
 *
 * A request first tries {@link #recent}: an answer found not long ago. Else it {@linkplain #await
 * waits}: for the flight of its job if there is one, or for a new flight, which needs a permit.
 * There is no queue: no permit, or too many waiters, and the request is refused on the spot.
 *
 * <h2>A flight's two ends</h2>
 *
 * A flight is <em>answered</em> by its work or, at the deadline, by the clock; it has
 * <em>ended</em> when no work for it is open any more, and only then its permit comes back.
 * Answered by its work it leaves the map at once, so that the next request looks anew. Answered by
 * the clock it stays until it ends and its job is refused meanwhile: work that never returns costs
 * one permit and never two.
 *
 * <h2>Threads</h2>
 *
 * All methods may be called on any thread. Deliveries run on the waiter's own context. The map is a
 * {@link ConcurrentHashMap}, asked by {@code get} first, so that joining a flight takes no lock but
 * the flight's own.
 *
 * @param <K> what is asked for
 * @param <A> what is answered
 */
public final class Flights<K, A> {
  private final Admission admission;
  private final Bounds bounds;
  private final Terms<A> terms;
  private final ConcurrentHashMap<K, Flight<A>> flights = new ConcurrentHashMap<>();
  private final RecentAnswers<K, A> recent;

  private final LongAdder begun = new LongAdder();
  private final LongAdder joined = new LongAdder();
  private final LongAdder reused = new LongAdder();
  private final LongAdder crowded = new LongAdder();
  private final LongAdder overdue = new LongAdder();

  /**
   * What a flight needs to know of the answers it carries.
   *
   * @param busy the answer to a request that finds no permit or too many waiters
   * @param late the answer at the deadline, and while the work behind it is still open
   * @param failed the answer if the work fails in an unexpected way
   * @param reuse for how long after its beginning a lookup with this answer may be reused; zero or
   *     less for never
   * @param bytes how many bytes keeping this answer costs
   */
  public record Terms<A>(
      A busy, A late, A failed, Function<A, Duration> reuse, ToLongFunction<A> bytes) {}

  /**
   * How much flights may take.
   *
   * @param deadline how long a request waits for its flight
   * @param maxWaiters how many requests may wait for one flight
   * @param retainedBytes bytes of finished answers kept for reuse
   */
  public record Bounds(Duration deadline, int maxWaiters, long retainedBytes) {}

  public Flights(Admission admission, Bounds bounds, Terms<A> terms) {
    this.admission = admission;
    this.bounds = bounds;
    this.terms = terms;
    this.recent = new RecentAnswers<>(bounds.retainedBytes());
  }

  /** A recent answer for this key, or null. Cheap enough for an event loop's hottest path. */
  public @Nullable A recent(K key) {
    A answer = recent.get(key, System.nanoTime());
    if (answer != null) {
      reused.increment();
    }
    return answer;
  }

  /**
   * Waits for the answer of this key's flight, or begins one.
   *
   * @param pool where the permit of a new flight comes from; whoever joins one needs none
   * @param work begins the work of a new flight; it must not block
   * @param context where {@code delivery} runs, later, exactly once
   * @return null if the request waits now, else an answer at once: the refusal, or what another
   *     request's flight has just found
   */
  public @Nullable A await(
      K key, Pool pool, Function<Deadline, Call<A>> work, Context context, Consumer<A> delivery) {
    Flight.Waiter<A> waiter = new Flight.Waiter<>(context, delivery);
    Flight<A> flight = flights.get(key);
    if (flight == null) {
      Lead lead = new Lead(key, pool);
      flight = flights.computeIfAbsent(key, same -> lead.takePermit());
      if (flight == null) {
        return lead.known == null ? terms.busy() : lead.known;
      }
      if (flight == lead.flight) {
        flight.join(waiter);
        lead.begin(work);
        return null;
      }
    }
    if (!flight.join(waiter)) {
      crowded.increment();
      return terms.busy();
    }
    joined.increment();
    return null;
  }

  /** One flight from its beginning to its end. */
  private final class Lead {
    final K key;
    private final Pool pool;
    final Flight<A> flight = new Flight<>(bounds.maxWaiters());
    @Nullable A known;
    private Permits.@Nullable Permit permit;
    private final long beganAt = System.nanoTime();
    private final Deadline deadline = new Deadline(beganAt + bounds.deadline().toNanos());
    private volatile boolean late;

    Lead(K key, Pool pool) {
      this.key = key;
      this.pool = pool;
    }

    /** Runs inside the map's lock for this key: a flight that landed has left its answer by now. */
    @Nullable Flight<A> takePermit() {
      known = recent(key);
      if (known != null) {
        return null;
      }
      permit = admission.permits(pool).tryAcquire();
      return permit == null ? null : flight;
    }

    void begin(Function<Deadline, Call<A>> work) {
      begun.increment();
      Runnable stopClock = admission.after(deadline.remainingNanos(), () -> overrun(terms.late()));
      Call<A> call;
      try {
        call = work.apply(deadline);
      } catch (RuntimeException e) {
        call = Call.of(terms.failed());
      }
      call.answer()
          .whenComplete(
              (answer, failure) -> {
                stopClock.run();
                land(failure == null ? answer : terms.failed());
              });
      call.ended().whenComplete((done, failure) -> end());
    }

    private void land(A answer) {
      if (deadline.passed()) {
        overrun(answer);
        return;
      }
      long expiresAt = beganAt + terms.reuse().apply(answer).toNanos();
      long now = System.nanoTime();
      if (expiresAt - now > 0) {
        recent.put(key, answer, terms.bytes().applyAsLong(answer), expiresAt, now);
      }
      flights.remove(key, flight);
      flight.answer(answer);
    }

    /** Answers at the deadline or after it; the flight stays until its work ends. */
    private void overrun(A answer) {
      if (flight.answer(answer)) {
        late = true;
        overdue.increment();
      }
    }

    private void end() {
      flights.remove(key, flight);
      endPermit(late ? Permits.Ending.DROPPED : Permits.Ending.SUCCESS);
    }

    private void endPermit(Permits.Ending ending) {
      if (permit != null) {
        permit.end(ending);
      }
    }
  }

  /** Whether a request for this key would join a flight rather than begin one. */
  public boolean isUnderWay(K key) {
    return flights.containsKey(key);
  }

  /** How many flights are under way, overdue ones included. */
  public int underWay() {
    return flights.size();
  }

  /** How many requests wait for a flight now. */
  public int waiting() {
    int waiting = 0;
    for (Flight<A> flight : flights.values()) {
      waiting += flight.waiting();
    }
    return waiting;
  }

  /** How many flights have begun so far. */
  public long begun() {
    return begun.sum();
  }

  /** How many requests joined a flight that was under way. */
  public long joined() {
    return joined.sum();
  }

  /** How many requests were answered with a recent answer. */
  public long reused() {
    return reused.sum();
  }

  /** How many requests were refused because too many waited for their flight. */
  public long crowded() {
    return crowded.sum();
  }

  /** How many flights were answered by the clock. */
  public long overdue() {
    return overdue.sum();
  }

  /** How many recent answers are kept. */
  public int recentAnswers() {
    return recent.count();
  }

  /** How many bytes the recent answers take. */
  public long recentBytes() {
    return recent.bytes();
  }

  /** How many recent answers were let go before their time. */
  public long recentEvicted() {
    return recent.evicted();
  }
}
