package io.headgate.admission;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Work that belongs to one request and is shared with no other, such as a change. As with {@link
 * Flights}, being answered and having ended are two things (L16): the request is answered by its
 * work or, at the deadline, by the clock, and the permit comes back only when no work is open any
 * more. A client that leaves does not stop it.
 *
 * <p>Safe on any thread. What waits is bounded by the permits.
 */
public final class SoloFlights<A> {
  private final Admission admission;
  private final Duration deadline;
  private final A late;
  private final A failed;

  /**
   * @param deadline for how long a request waits for its work
   * @param late the answer at the deadline
   * @param failed the answer if the work fails in an unexpected way
   */
  public SoloFlights(Admission admission, Duration deadline, A late, A failed) {
    this.admission = admission;
    this.deadline = deadline;
    this.late = late;
    this.failed = failed;
  }

  /**
   * Begins work for which a permit has been taken.
   *
   * @param permit given back when the work has ended
   * @param work begins it, on the caller's thread; must not block
   * @param context where {@code delivery} runs, later, exactly once
   */
  public void begin(
      Permits.Permit permit, Supplier<Call<A>> work, Context context, Consumer<A> delivery) {
    Deadline due = Deadline.in(deadline);
    Flight<A> flight = new Flight<>(1);
    flight.join(new Flight.Waiter<>(context, delivery));
    AtomicBoolean overdue = new AtomicBoolean();
    Runnable stopClock =
        admission.after(due.remainingNanos(), () -> overdue.set(flight.answer(late)));
    Call<A> call;
    try {
      call = work.get();
    } catch (RuntimeException e) {
      call = Call.of(failed);
    }
    call.answer()
        .whenComplete(
            (answer, failure) -> {
              stopClock.run();
              flight.answer(failure == null ? answer : failed);
            });
    call.ended()
        .whenComplete(
            (done, failure) ->
                permit.end(overdue.get() ? Permits.Ending.DROPPED : Permits.Ending.SUCCESS));
  }
}
