package io.headgate.admission;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the bytes that have been handed to connections and not yet been written (L19). A buffer that
 * many responses share counts once.
 *
 * <p>When the budget is full, the unfinished response that has gone longest without getting a byte
 * out is closed to make room. Safe on any thread; the lock is held for a few map operations, but for
 * the search when the budget is full, which looks at every unfinished response once.
 */
public final class UnwrittenBytes {
  private final long budget;
  private final LongSupplier nanoClock;
  private final LongAdder evicted = new LongAdder();
  private final AtomicLong held = new AtomicLong();

  // Guarded by this.
  private final Map<Object, Shared> buffers = new IdentityHashMap<>();

  /** One distinct buffer and who is writing it. */
  private static final class Shared {
    final long bytes;
    final List<Write> writes = new ArrayList<>(1);

    Shared(long bytes) {
      this.bytes = bytes;
    }
  }

  /**
   * @param budget the most bytes of distinct buffers at once
   * @param nanoClock a clock like {@link System#nanoTime()}
   */
  public UnwrittenBytes(long budget, LongSupplier nanoClock) {
    this.budget = budget;
    this.nanoClock = nanoClock;
  }

  /** One response on its way; ended exactly once, when its last byte is out or it is given up. */
  public final class Write {
    private final Object buffer;
    private final Runnable close;
    private volatile long movedAt = nanoClock.getAsLong();
    private boolean ended;

    private Write(Object buffer, Runnable close) {
      this.buffer = buffer;
      this.close = close;
    }

    /** Some of its bytes got out. */
    public void progressed() {
      movedAt = nanoClock.getAsLong();
    }

    /** For how long none of its bytes got out, in nanoseconds. */
    public long stalledNanos() {
      return nanoClock.getAsLong() - movedAt;
    }

    /** It is over. Calls after the first change nothing. */
    public void end() {
      synchronized (UnwrittenBytes.this) {
        if (!ended) {
          ended = true;
          remove(this);
        }
      }
    }
  }

  /**
   * Takes a response in.
   *
   * @param buffer the object whose identity tells shared bodies
   * @param bytes how long it is
   * @param close closes this response's connection; called at most once, on the thread of another
   *     response, so it must not block and must not assume a context
   * @return null if it is larger than the whole budget
   */
  public @Nullable Write begin(Object buffer, long bytes, Runnable close) {
    Write write = new Write(buffer, close);
    List<Write> victims = new ArrayList<>(0);
    synchronized (this) {
      Shared shared = buffers.get(buffer);
      if (shared == null) {
        if (bytes > budget) {
          return null;
        }
        while (held.get() + bytes > budget) {
          victims.add(evictSlowest());
        }
        shared = new Shared(bytes);
        buffers.put(buffer, shared);
        held.addAndGet(bytes);
      }
      shared.writes.add(write);
    }
    victims.forEach(victim -> victim.close.run());
    return write;
  }

  private Write evictSlowest() {
    Write slowest = null;
    for (Shared shared : buffers.values()) {
      for (Write write : shared.writes) {
        if (slowest == null || write.movedAt - slowest.movedAt < 0) {
          slowest = write;
        }
      }
    }
    if (slowest == null) {
      throw new IllegalStateException("bytes are held and nobody writes them");
    }
    slowest.ended = true;
    remove(slowest);
    evicted.increment();
    return slowest;
  }

  private void remove(Write write) {
    Shared shared = buffers.get(write.buffer);
    if (shared != null) {
      shared.writes.remove(write);
      if (shared.writes.isEmpty()) {
        buffers.remove(write.buffer);
        held.addAndGet(-shared.bytes);
      }
    }
  }

  /** Bytes of distinct buffers that are on their way now. */
  public long held() {
    return held.get();
  }

  /** How many responses were closed to make room. */
  public long evicted() {
    return evicted.sum();
  }
}
