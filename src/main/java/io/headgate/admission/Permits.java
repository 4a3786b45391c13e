package io.headgate.admission;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of permits and nothing that waits for one: a request gets a permit now or is
 * refused now (L15). Safe on any thread; taking one never blocks and a refusal allocates nothing.
 */
public final class Permits {
  /** How the work behind a permit ended. */
  public enum Ending {
    /** It answered, whatever the answer. */
    SUCCESS,
    /** It never began, or was stopped with the gateway; says nothing about load. */
    IGNORED,
    /** It missed its deadline. */
    DROPPED
  }

  private final int limit;
  private final AtomicInteger inUse = new AtomicInteger();
  private final LongAdder granted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder[] endings = {new LongAdder(), new LongAdder(), new LongAdder()};

  /**
   * @param limit how many permits there are, at least 1
   */
  public Permits(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: at least 1)");
    }
    this.limit = limit;
  }

  /** The right to do one piece of work; ended exactly once, by whoever took it. */
  public final class Permit {
    private final AtomicBoolean ended = new AtomicBoolean();

    private Permit() {}

    /** Gives the permit back. Calls after the first change nothing. */
    public void end(Ending ending) {
      if (ended.compareAndSet(false, true)) {
        inUse.decrementAndGet();
        endings[ending.ordinal()].increment();
      }
    }
  }

  /** A permit, or null if all are in use. */
  public @Nullable Permit tryAcquire() {
    for (int used = inUse.get(); used < limit; used = inUse.get()) {
      if (inUse.compareAndSet(used, used + 1)) {
        granted.increment();
        return new Permit();
      }
    }
    refused.increment();
    return null;
  }

  /** How many permits there are. */
  public int limit() {
    return limit;
  }

  /** How many are in use now. */
  public int inUse() {
    return inUse.get();
  }

  /** How many were given out so far. */
  public long granted() {
    return granted.sum();
  }

  /** How many requests were refused so far. */
  public long refused() {
    return refused.sum();
  }

  /** How many permits ended so far in this way. */
  public long ended(Ending ending) {
    return endings[ending.ordinal()].sum();
  }
}
