package io.headgate.state;

import java.time.Duration;

/**
 * Bounds of the fence.
 *
 * @param jobs for how many jobs the last execution is remembered; the least recently used goes
 *     first
 * @param skew how far apart two creation times must be before one counts as older
 * @param hold how long an older execution is refused while nothing newer is seen; then it is served
 */
public record FenceConfig(int jobs, Duration skew, Duration hold) {
  /** The contract's starting values: a day-light saving step and a wrong zone stay inside 2 h. */
  public static final FenceConfig DEFAULT =
      new FenceConfig(100_000, Duration.ofHours(2), Duration.ofMinutes(5));
}
