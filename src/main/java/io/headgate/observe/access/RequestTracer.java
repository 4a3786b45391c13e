package io.headgate.observe.access;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Makes traces of requests that are over. Used by one thread at a time. */
public interface RequestTracer {
  /**
   * Makes the spans of a request, if it is one of those that are traced.
   *
   * @param route the request's, or null if its head was refused
   * @param epochNanos what has to be added to {@link System#nanoTime()} to get the time since 1970
   * @return the trace that it belongs to, or null if it is not traced
   */
  @Nullable String trace(RequestRecord request, RouteNames.@Nullable Named route, long epochNanos);

  /** Sends what is waiting; completes when that is done or has failed. Does not block. */
  CompletionStage<Void> close();
}
