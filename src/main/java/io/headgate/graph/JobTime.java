package io.headgate.graph;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * When something happened to a job, as far as its source says: an instant, or a local time of an
 * engine that does not tell its zone. Immutable.
 *
 * @param millis milliseconds since 1970; of a local time as if it were UTC
 * @param zoned whether it is an instant
 */
public record JobTime(long millis, boolean zoned) {
  private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").toEpochMilli();
  private static final long LAST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  /** Years have four digits, so that every reader of ISO 8601 takes them. */
  public JobTime {
    if (!isUsable(millis)) {
      throw new IllegalArgumentException(
          "millis: " + millis + " (expected: within the years 0 to 9999)");
    }
  }

  private static boolean isUsable(long millis) {
    return millis >= FIRST && millis <= LAST;
  }

  /** The time that an engine writes as {@code 2026-11-30 09:41:54}, or null if it is none. */
  public static @Nullable JobTime ofEngine(String text) {
    long millis = Execution.ofLocalTime(text).millis();
    return isUsable(millis) ? new JobTime(millis, false) : null;
  }

  /** The instant so many milliseconds after 1970, or null outside of the years 0 to 9999. */
  public static @Nullable JobTime ofMillis(long millis) {
    return isUsable(millis) ? new JobTime(millis, true) : null;
  }

  /** As ISO 8601 writes it, ASCII: {@code 2026-11-30T09:41:54}, with a {@code Z} if it is UTC. */
  @Override
  public String toString() {
    Instant instant = Instant.ofEpochMilli(millis);
    return zoned
        ? instant.toString()
        : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
            LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
  }
}
