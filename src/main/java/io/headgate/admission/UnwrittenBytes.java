package io.headgate.admission;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the bytes that have been handed to connections and not yet been written (L19), and how
 * many responses they belong to. A buffer that many responses share counts once.
 *
 * <p>A response that is not written in its time, or of which no byte gets out for 30 seconds, is
 * closed. When either bound is reached, the unfinished response that has gone longest without
 * getting a byte out is closed to make room. Safe on any thread; the lock is held for a few map
 * operations for each response that begins, moves, ends or is closed.
 */
public final class UnwrittenBytes {
  /**
   * An HTTP/2 stream that waits for its client costs about 7 KB, however small or shared its body
   * is, and one connection may have a hundred. HTTP/1 alone has no more than a connection each.
   */
  static final int MOST_RESPONSES = 10_000;

  private final long budget;
  private final LongSupplier nanoClock;
  private final LongAdder evicted = new LongAdder();
  private final LongAdder cut = new LongAdder();
  private final AtomicLong held = new AtomicLong();

  // Guarded by this.
  private final Map<Object, Shared> buffers = new IdentityHashMap<>();

  /** All unfinished responses; the one without progress for the longest time comes first. */
  private final Set<Write> byProgress = new LinkedHashSet<>();

  /** One distinct buffer and how many are writing it. */
  private static final class Shared {
    final long bytes;
    int writes;

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
    private final long dueAt;
    private long movedAt;

    private Write(Object buffer, long nanos, Runnable close) {
      this.buffer = buffer;
      this.close = close;
      this.movedAt = nanoClock.getAsLong();
      this.dueAt = movedAt + nanos;
    }

    /** Some of its bytes got out. */
    public void progressed() {
      synchronized (UnwrittenBytes.this) {
        movedAt = nanoClock.getAsLong();
        if (byProgress.remove(this)) {
          byProgress.add(this);
        }
      }
    }

    /** It is over. Calls after the first change nothing. */
    public void end() {
      synchronized (UnwrittenBytes.this) {
        remove(this);
      }
    }
  }

  /**
   * Takes a response in.
   *
   * @param buffer the object whose identity tells shared bodies
   * @param bytes how long it is
   * @param nanos for how long it may take in all
   * @param close closes this response's connection; called at most once, on the thread of another
   *     response, so it must not block and must not assume a context
   * @return null if it is larger than the whole budget
   */
  public @Nullable Write begin(Object buffer, long bytes, long nanos, Runnable close) {
    Write write = new Write(buffer, nanos, close);
    List<Write> victims = new ArrayList<>(0);
    synchronized (this) {
      if (!buffers.containsKey(buffer)) {
        if (bytes > budget) {
          return null;
        }
        while (held.get() + bytes > budget) {
          victims.add(evictSlowest());
        }
      }
      if (byProgress.size() >= MOST_RESPONSES) {
        victims.add(evictSlowest());
      }
      add(write, bytes);
    }
    victims.forEach(victim -> victim.close.run());
    return write;
  }

  /**
   * Closes what takes too long: responses past their time, and those of which no byte got out for
   * {@code stallNanos}.
   */
  void closeOverdue(long stallNanos) {
    List<Write> victims = new ArrayList<>(0);
    synchronized (this) {
      long now = nanoClock.getAsLong();
      for (Write write : byProgress) {
        if (now - write.dueAt >= 0 || now - write.movedAt >= stallNanos) {
          victims.add(write);
        }
      }
      victims.forEach(this::remove);
    }
    cut.add(victims.size());
    victims.forEach(victim -> victim.close.run());
  }

  private Write evictSlowest() {
    Write slowest = byProgress.iterator().next();
    remove(slowest);
    evicted.increment();
    return slowest;
  }

  private void add(Write write, long bytes) {
    Shared shared = buffers.get(write.buffer);
    if (shared == null) {
      shared = new Shared(bytes);
      buffers.put(write.buffer, shared);
      held.addAndGet(bytes);
    }
    shared.writes++;
    byProgress.add(write);
  }

  private void remove(Write write) {
    Shared shared = buffers.get(write.buffer);
    if (byProgress.remove(write) && shared != null && --shared.writes == 0) {
      buffers.remove(write.buffer);
      held.addAndGet(-shared.bytes);
    }
  }

  /** How many responses are on their way now. */
  public synchronized int responses() {
    return byProgress.size();
  }

  /** Bytes of distinct buffers that are on their way now. */
  public long held() {
    return held.get();
  }

  /** How many responses were closed because they took too long. */
  public long cut() {
    return cut.sum();
  }

  /** How many responses were closed to make room. */
  public long evicted() {
    return evicted.sum();
  }
}
