package io.headgate.fn;

import org.jspecify.annotations.Nullable;

/**
 * What a question over HTTP came to. Immutable; the body is not to be written to.
 *
 * @param outcome the kind of answer
 * @param reason the word for metrics and log lines, from a closed set
 * @param body the whole body, for {@link Outcome#OK} and {@link Outcome#DESCRIPTOR} only
 * @param length how much of it counts
 */
public record FnAnswer(Outcome outcome, String reason, byte @Nullable [] body, int length) {
  /** The kinds of answer. */
  public enum Outcome {
    /** A JSON object. */
    OK,
    /** The bytes of a descriptor. */
    DESCRIPTOR,
    NO_DESCRIPTOR,
    NO_HARNESS,
    /** Another descriptor has the id. */
    CONFLICT,
    TOO_LARGE,
    /** The descriptor can't be read, is missing something, or contradicts itself. */
    INVALID,
    /** There is no room for a further descriptor. */
    FULL,
    UNAVAILABLE,
    INTERNAL_ERROR
  }

  static FnAnswer without(Outcome outcome, String reason) {
    return new FnAnswer(outcome, reason, null, 0);
  }
}
