package io.headgate.timeline.live;

/**
 * What the sources say of a job, as far as its timeline has to know.
 *
 * @param kind what they say
 * @param reason the word for log lines and metrics, from a closed set
 */
public record JobPresence(Kind kind, String reason) {
  /** What there is to say. */
  public enum Kind {
    /** It is pending or runs, whatever is known of its graph. */
    ACTIVE("active"),
    /** There is a record of an execution that has ended, and no other. */
    ENDED("ended"),
    /** No source knows it. */
    ABSENT("absent"),
    /** They can't be asked now, or there is no permit for it. */
    UNSAID("unsaid"),
    /** Asking them failed in an unexpected way, which has been reported. */
    FAILED("failed");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The word for metrics. */
    String label() {
      return label;
    }
  }
}
