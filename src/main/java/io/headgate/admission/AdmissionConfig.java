package io.headgate.admission;

import java.time.Duration;

/**
 * How much may be under way at once.
 *
 * @param permits lineage lookups at once in this process
 * @param publications publications over HTTP at once in this process
 * @param reports reports on schema changes over HTTP at once in this process
 * @param timelines questions for timelines at once in this process
 * @param descriptors questions of the Fn API over HTTP at once in this process
 * @param pictures pictures drawn at once in this process; each keeps a core busy for up to seconds
 * @param deadline how long a request waits for its lookup, from admission on
 * @param maxWaiters how many requests may wait for one flight
 * @param freshness how long after its beginning a finished lookup is reused; zero turns reuse off
 * @param retainedBytes bytes of finished answers kept for reuse
 * @param unwrittenBytes bytes of answers handed to connections and not yet written
 */
public record AdmissionConfig(
    int permits,
    int publications,
    int reports,
    int timelines,
    int descriptors,
    int pictures,
    Duration deadline,
    int maxWaiters,
    Duration freshness,
    long retainedBytes,
    long unwrittenBytes) {
  /** The contract's starting values; {@code docs/benchmarks.md} argues them. */
  public static final AdmissionConfig DEFAULT =
      new AdmissionConfig(
          4,
          2,
          4,
          4,
          2,
          1,
          Duration.ofSeconds(5),
          10_000,
          Duration.ofSeconds(1),
          64L << 20,
          64L << 20);

  /** The most lookups that there can be at once, those for pictures included. */
  public int lookups() {
    return permits(Pool.LINEAGE) + permits(Pool.PICTURE_LOOKUPS);
  }

  /** How many permits a pool has. */
  int permits(Pool pool) {
    return switch (pool) {
      case LINEAGE -> permits;
      case PUBLICATIONS -> publications;
      case REPORTS -> reports;
      case TIMELINES -> timelines;
      case DESCRIPTORS -> descriptors;
      case PICTURE_LOOKUPS -> Math.max(1, permits / 2);
      case PICTURE -> pictures;
    };
  }
}
