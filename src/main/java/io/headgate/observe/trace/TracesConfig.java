package io.headgate.observe.trace;

import org.jspecify.annotations.Nullable;

/**
 * Whether and where traces go.
 *
 * @param enabled whether there are any
 * @param endpoint base URL of the collector, or null for what OpenTelemetry's variables say
 * @param perMille how many of a thousand requests that belong to no trace yet begin one
 */
public record TracesConfig(boolean enabled, @Nullable String endpoint, int perMille) {
  /** Off: without a collector they would be made in vain. A hundredth of polls tells enough. */
  public static final TracesConfig DEFAULT = new TracesConfig(false, null, 10);
}
