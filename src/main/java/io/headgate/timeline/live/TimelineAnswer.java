package io.headgate.timeline.live;

import org.jspecify.annotations.Nullable;

/**
 * How a question for a timeline ended. Immutable once published; {@code body} is never written to
 * again.
 *
 * @param outcome the kind of answer
 * @param reason the word for log lines and metrics, from a closed set
 * @param body the complete JSON object, for {@link Outcome#OK} only
 * @param etag the strong entity tag of the body, quotes included, for {@link Outcome#OK} only
 */
public record TimelineAnswer(
    Outcome outcome, String reason, byte @Nullable [] body, @Nullable String etag) {
  /** The kinds of answer. */
  public enum Outcome {
    OK,
    /** Nothing was reported of the job, and no source knows it. */
    NOT_FOUND,
    TEMPORARILY_UNAVAILABLE,
    INTERNAL_ERROR
  }

  static TimelineAnswer without(Outcome outcome, String reason) {
    return new TimelineAnswer(outcome, reason, null, null);
  }
}
