package io.headgate.directory;

import java.time.Duration;

/**
 * Bounds of the directory of published graphs.
 *
 * @param history how long the record of an ended execution is kept
 * @param jobs jobs in the whole cluster; past it records of ended executions go first
 * @param bytes bytes of records that one member owns; past it a publication that would add some is
 *     refused
 * @param bodyBytes the most bytes of a publication over HTTP
 */
public record DirectoryConfig(Duration history, int jobs, long bytes, int bodyBytes) {
  /**
   * A day of history, as the engine keeps; twice the hundred thousand jobs that were measured; and
   * a body of twice what the largest accepted graph takes.
   */
  public static final DirectoryConfig DEFAULT =
      new DirectoryConfig(Duration.ofMinutes(1440), 200_000, 512L << 20, 16 << 20);
}
