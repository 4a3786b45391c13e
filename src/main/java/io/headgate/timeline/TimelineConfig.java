package io.headgate.timeline;

/**
 * What is kept of schema changes, and how much of it.
 *
 * @param enabled whether this gateway takes reports and serves timelines; it keeps its share of the
 *     cluster's all the same
 * @param errorSummaries whether error texts of sinks are told to those who ask (T11)
 * @param jobs jobs with a timeline, in the whole cluster
 * @param limits how much of one job is kept
 * @param bytes bytes of timelines that one member owns
 * @param bodyBytes bytes that are read of a report's body
 */
public record TimelineConfig(
    boolean enabled,
    boolean errorSummaries,
    int jobs,
    TimelineLimits limits,
    long bytes,
    int bodyBytes) {
  /** On, without error texts. */
  public static final TimelineConfig DEFAULT =
      new TimelineConfig(true, false, 10_000, TimelineLimits.DEFAULT, 256L << 20, 8 << 20);
}
