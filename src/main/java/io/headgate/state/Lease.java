package io.headgate.state;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether enough other members still count this one among theirs. Hazelcast's own guard only counts
 * the members that this one knows of, and so comes too late: a process that was frozen, and one on
 * the small side of a split, both believe for a while that all is as it was, and would serve from
 * their own memory what the others have long replaced.
 *
 * <p>So every member is asked again and again whether it still counts this one. The lease is held
 * for three seconds after so many questions were <em>asked</em> as were then answered with yes by
 * enough members. They take a member for dead after five seconds at the earliest, so who holds the
 * lease has not been replaced yet.
 *
 * <p>Safe on any thread; never blocks.
 */
final class Lease {
  static final long EVERY = TimeUnit.MILLISECONDS.toNanos(250);
  static final long LASTS = TimeUnit.SECONDS.toNanos(3);

  /** Who is asked. */
  interface Others {
    /** The members that this one knows of, without itself; none while it has not joined. */
    Collection<UUID> known();

    /** Asks one of them whether it counts this member among its own. */
    CompletionStage<Boolean> ask(UUID member);
  }

  private final int needed;
  private final Others others;
  private final Alarm alarm;
  private final LongSupplier nanoClock;

  /** When the last question was asked that a member answered with yes; only members known now. */
  private final Map<UUID, Long> confirmed = new ConcurrentHashMap<>();

  /** Whose answers are awaited; bounds the questions to one a member. */
  private final Map<UUID, Boolean> asked = new ConcurrentHashMap<>();

  private volatile boolean stopped;

  /**
   * @param minimum how many members there must be, this one included; without others none is needed
   */
  Lease(int minimum, Others others, Alarm alarm, LongSupplier nanoClock) {
    this.needed = minimum - 1;
    this.others = others;
    this.alarm = alarm;
    this.nanoClock = nanoClock;
  }

  /** Begins to ask. */
  void start() {
    if (needed > 0) {
      ask();
    }
  }

  /** Asks no more. */
  void stop() {
    stopped = true;
  }

  private void ask() {
    if (stopped) {
      return;
    }
    Collection<UUID> known = others.known();
    confirmed.keySet().retainAll(known);
    for (UUID member : known) {
      if (asked.putIfAbsent(member, true) == null) {
        ask(member);
      }
    }
    alarm.after(EVERY, this::ask);
  }

  private void ask(UUID member) {
    long now = nanoClock.getAsLong();
    others.ask(member).whenComplete((yes, failure) -> answered(member, now, yes));
  }

  private void answered(UUID member, long askedAt, @Nullable Boolean yes) {
    asked.remove(member);
    if (yes != null && yes) {
      confirmed.put(member, askedAt);
    } else if (yes != null) {
      confirmed.remove(member);
    }
  }

  /** Whether it is held now. */
  boolean held() {
    if (needed <= 0) {
      return true;
    }
    long now = nanoClock.getAsLong();
    return confirmed.values().stream().filter(at -> now - at < LASTS).limit(needed).count()
        == needed;
  }
}
