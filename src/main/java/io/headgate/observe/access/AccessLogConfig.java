package io.headgate.observe.access;

import org.jspecify.annotations.Nullable;

/**
 * Whether and where there is a line for each request.
 *
 * @param enabled whether lines are written
 * @param file where they go; null for standard output of the program, or, embedded, for the logger
 *     {@value RequestLog#LOGGER}
 * @param fileBytes how long a file may get before the next one is begun
 * @param files how many files are kept, the one that is being written included
 */
public record AccessLogConfig(boolean enabled, @Nullable String file, long fileBytes, int files) {
  /** On, since whoever is called at night asks for it; 256 MiB on disk at most. */
  public static final AccessLogConfig DEFAULT = new AccessLogConfig(true, null, 64L << 20, 4);
}
