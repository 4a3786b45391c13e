package io.headgate;

import java.time.Duration;
import java.time.InstantSource;

/** Gateways that ask after jobs sooner than once a minute, for tests that wait for a job's end. */
public final class QuickWatch {
  private QuickWatch() {}

  /**
   * A gateway as {@code config} says.
   *
   * @param period how often it asks after each job with schema changes
   */
  public static HeadgateVerticle gateway(HeadgateConfig config, Duration period) {
    return new HeadgateVerticle(config, null, InstantSource.system(), period);
  }
}
