package io.headgate.timeline.live;

import io.headgate.timeline.DecisionEvent;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Where the transforms, policies and sinks of an embedding service say what they decided on schema
 * changes (T3). Whoever says it goes on at once: nothing here blocks, throws, or waits for storage,
 * and a store that hangs changes nothing for the caller. What is said is taken along by others
 * ({@link RecorderDrain}), for one job in the order in which it was said.
 *
 * <p>What can't be kept is dropped and counted, and {@link #count} tells how often. Nothing is
 * tried again. Safe on any thread, event loops included.
 */
public final class SchemaEvolutionRecorder {
  /** Events that may wait. */
  static final int MAX_EVENTS = 4_096;

  /** What they may take: two kilobytes each, or fewer of them with long error texts. */
  static final long MAX_BYTES = 8L << 20;

  /** What became of an event. */
  public enum Fate {
    /** It is in the timeline. */
    RECORDED,
    /** Too many waited. */
    NO_ROOM,
    /** The store did not take it, or did not say so in time. */
    FAILED,
    /** The timeline did not take it: its change is not known, or there is no room for it. */
    REFUSED,
    /** It has a fault, or is null. */
    INVALID,
    /** The gateway had stopped, or did before its turn came. */
    CLOSED
  }

  private final Queue<DecisionEvent> said = new ConcurrentLinkedQueue<>();
  private final AtomicInteger events = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLongArray counts = new AtomicLongArray(Fate.values().length);
  private volatile boolean closed;

  SchemaEvolutionRecorder() {}

  /** Takes an event along. Null counts as invalid. */
  public void record(@Nullable DecisionEvent event) {
    if (event == null) {
      count(Fate.INVALID, 1);
    } else if (closed) {
      count(Fate.CLOSED, 1);
    } else if (!takeRoom(event.cost())) {
      count(Fate.NO_ROOM, 1);
    } else {
      said.add(event);
    }
  }

  /** Takes along what this builds; one with a fault counts as invalid. */
  public void record(DecisionEvent.@Nullable Builder event) {
    record(event == null || event.fault() != null ? null : event.build());
  }

  private boolean takeRoom(int cost) {
    boolean few = events.incrementAndGet() <= MAX_EVENTS;
    boolean small = bytes.addAndGet(cost) <= MAX_BYTES;
    if (few && small) {
      return true;
    }
    giveRoom(cost);
    return false;
  }

  private void giveRoom(int cost) {
    events.decrementAndGet();
    bytes.addAndGet(-cost);
  }

  /** The next event that was said, which goes on waiting, or null. For one thread at a time. */
  @Nullable DecisionEvent poll() {
    return said.poll();
  }

  /** Whether something was said that nobody has polled. */
  boolean hasNews() {
    return !said.isEmpty();
  }

  /** An event that was polled waits no more. */
  void took(DecisionEvent event) {
    giveRoom(event.cost());
  }

  void count(Fate fate, long more) {
    counts.addAndGet(fate.ordinal(), more);
  }

  /** Takes nothing more. */
  void close() {
    closed = true;
  }

  /** To how many events this has happened. */
  public long count(Fate fate) {
    return counts.get(fate.ordinal());
  }

  /** How many were not recorded. */
  public long dropped() {
    long sum = 0;
    for (Fate fate : Fate.values()) {
      sum += fate == Fate.RECORDED ? 0 : count(fate);
    }
    return sum;
  }

  /** How many events wait. */
  public int waiting() {
    return events.get();
  }

  /** What those count for, in bytes. */
  public long waitingBytes() {
    return bytes.get();
  }
}
