package io.headgate.graph;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Which run of a job a graph belongs to (L22a). Two executions of one job are the same if they are
 * equal; which of two came first can be said only where the sources' clocks allow it.
 *
 * <p>There are two kinds. An execution with an epoch is named by that number, and larger ones are
 * later. One without is named by the text that an engine gives for its beginning.
 *
 * @param created without an epoch, what the engine calls the beginning; with one, empty
 * @param epoch the number that a publisher gave the run, or {@link #NO_EPOCH}
 * @param millis when it began, in milliseconds since 1970: of a local time as if it were UTC, or
 *     {@link #UNORDERED}; no part of equality
 */
public record Execution(String created, long epoch, long millis) {
  /** The value of {@code epoch} for a run that is named by text. */
  public static final long NO_EPOCH = 0;

  /** The value of {@code millis} where the source's text can't be read as a time. */
  public static final long UNORDERED = Long.MIN_VALUE;

  /** Local time is at most this far ahead of UTC anywhere, and at most {@link #BEHIND} behind. */
  private static final long AHEAD = Duration.ofHours(14).toMillis();

  private static final long BEHIND = Duration.ofHours(12).toMillis();

  /** Outside of the years 0 to 9999 no two times are compared, so differences can't overflow. */
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  private static final DateTimeFormatter ENGINE_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  /**
   * The execution an engine names by its creation time: local text without a zone, in whole seconds
   * ({@code 2026-11-30 09:41:54}). Members may run in different zones and a clock may be set back,
   * so such times order two executions only when they are far apart.
   */
  public static Execution ofLocalTime(String created) {
    long millis;
    try {
      millis = millis(LocalDateTime.parse(created, ENGINE_TIME).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      millis = UNORDERED;
    }
    return new Execution(created, NO_EPOCH, millis);
  }

  /**
   * The execution that a publisher numbered {@code epoch}.
   *
   * @param epoch positive; a later run of the job has a larger one
   * @param createdAt when it began; only compared with executions that have no epoch
   */
  public static Execution ofEpoch(long epoch, Instant createdAt) {
    if (epoch <= NO_EPOCH) {
      throw new IllegalArgumentException("epoch: " + epoch + " (expected: positive)");
    }
    return new Execution("", epoch, millis(createdAt));
  }

  private static long millis(Instant time) {
    return time.isBefore(FIRST) || time.isAfter(LAST) ? UNORDERED : time.toEpochMilli();
  }

  /** Whether it is named by its epoch. */
  public boolean hasEpoch() {
    return epoch != NO_EPOCH;
  }

  /**
   * Whether this one certainly began before {@code other}.
   *
   * <p>Between the two kinds that is so only if it holds in whatever zone the local time was taken.
   *
   * @param skew how far clocks may be apart; without effect between two epochs
   */
  public boolean isOlderThan(Execution other, Duration skew) {
    if (hasEpoch() && other.hasEpoch()) {
      return epoch < other.epoch;
    }
    if (millis == UNORDERED || other.millis == UNORDERED) {
      return false;
    }
    long apart = other.millis - millis;
    if (hasEpoch()) {
      return apart > skew.toMillis() + AHEAD;
    }
    return apart > skew.toMillis() + (other.hasEpoch() ? BEHIND : 0);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Execution that && epoch == that.epoch && created.equals(that.created);
  }

  @Override
  public int hashCode() {
    return 31 * created.hashCode() + Long.hashCode(epoch);
  }
}
