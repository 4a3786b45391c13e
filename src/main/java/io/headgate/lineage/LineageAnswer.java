package io.headgate.lineage;

import io.headgate.observe.LookupTimes;
import io.headgate.wire.CappedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * How a lineage lookup ended. Immutable once published; {@code body} is never written to again.
 *
 * @param outcome the kind of answer
 * @param reason the word for log lines and metrics, from a closed set; {@code ok} for a graph
 * @param ended whether what is known of the job is the record of an ended execution; false for an
 *     active one, and where nothing is known
 * @param body the complete JSON object, for {@link Outcome#OK} only
 * @param etag the strong entity tag of the body, quotes included, for {@link Outcome#OK} only
 * @param times when its parts were done, or null where nobody has looked at the clock
 */
public record LineageAnswer(
    Outcome outcome,
    String reason,
    boolean ended,
    @Nullable CappedBuffer body,
    @Nullable String etag,
    @Nullable LookupTimes times) {
  /** The kinds of answer, as the contract's classification lists them. */
  public enum Outcome {
    OK,
    NOT_FOUND,
    /** Known job, graph missing or inconsistent. */
    UNAVAILABLE,
    TOO_LARGE,
    TEMPORARILY_UNAVAILABLE,
    INTERNAL_ERROR
  }

  /** An answer without a body, on a job that has not ended as far as is known. */
  static LineageAnswer without(Outcome outcome, String reason) {
    return without(outcome, reason, false);
  }

  /** An answer without a body. */
  static LineageAnswer without(Outcome outcome, String reason, boolean ended) {
    return new LineageAnswer(outcome, reason, ended, null, null, null);
  }

  /** The same with times. */
  LineageAnswer at(LookupTimes when) {
    return new LineageAnswer(outcome, reason, ended, body, etag, when);
  }
}
