package io.headgate.timeline;

/**
 * How much of one job is kept (T10). All members of a cluster must use the same, because owner and
 * backup apply the same change.
 *
 * @param records schema changes
 * @param targets targets of one change that are kept by name
 * @param attempts attempts of one stage at one target
 * @param jobBytes all of a job's timeline, as {@link Timeline#bytes} counts it
 * @param retentionMillis how long a timeline is kept after its job has ended
 */
public record TimelineLimits(
    int records, int targets, int attempts, int jobBytes, long retentionMillis) {
  /** The requirement's bounds; 16 attempts are more restarts than an operator would sit through. */
  public static final TimelineLimits DEFAULT =
      new TimelineLimits(500, 100, 16, 4 * 1024 * 1024, 1_440 * 60_000L);

  /**
   * The least that a job's bytes can be set to. A third of it are the digests by which replays are
   * recognised, once those are many.
   */
  public static final int LEAST_JOB_BYTES = 512 * 1024;

  public TimelineLimits {
    if (records < 1 || targets < 1 || attempts < 1 || jobBytes < 0) {
      throw new IllegalArgumentException("limits of a timeline: too small");
    }
  }
}
