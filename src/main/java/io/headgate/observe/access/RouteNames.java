package io.headgate.observe.access;

import org.jspecify.annotations.Nullable;

/** Tells which route a path belongs to. Safe on any thread. */
public interface RouteNames {
  /**
   * A route.
   *
   * @param name from a closed set
   * @param jobId the job that the path names, in digits, or null
   * @param part whether a browser asks for it only because of a page that it has just got
   */
  record Named(String name, @Nullable String jobId, boolean part) {}

  /**
   * @param path raw, perhaps cut at its end, without a query
   */
  Named of(String path);
}
