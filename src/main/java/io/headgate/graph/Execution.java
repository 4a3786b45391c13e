package io.headgate.graph;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/**
 * Which run of a job a graph belongs to (L22a). Two executions of one job are the same if they are
 * equal; which of two came first can be said only where the source's clock allows it.
 *
 * @param created what the source calls the execution's beginning; compared by equality
 * @param order a number that grows with later executions, or {@link #UNORDERED}
 * @param exact whether any difference in {@code order} counts, or only one larger than the skew
 */
public record Execution(String created, long order, boolean exact) {
  /** The value of {@code order} where the source's text can't be read as a time. */
  public static final long UNORDERED = Long.MIN_VALUE;

  private static final DateTimeFormatter ENGINE_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  /**
   * The execution an engine names by its creation time: local text without a zone, in whole seconds
   * ({@code 2026-11-30 09:41:54}). Members may run in different zones and a clock may be set back,
   * so such times order two executions only when they are far apart.
   */
  public static Execution ofLocalTime(String created) {
    long order;
    try {
      order = LocalDateTime.parse(created, ENGINE_TIME).toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeParseException e) {
      order = UNORDERED;
    }
    return new Execution(created, order, false);
  }

  /** Whether this one certainly began before {@code other}. */
  public boolean isOlderThan(Execution other, Duration skew) {
    if (order == UNORDERED || other.order == UNORDERED || exact != other.exact) {
      return false;
    }
    return exact ? order < other.order : other.order - order > skew.toMillis();
  }
}
