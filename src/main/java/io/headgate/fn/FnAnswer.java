package io.headgate.fn;

import org.jspecify.annotations.Nullable;

/**
 * What a question over HTTP came to. Immutable; the body is not to be written to.
 *
 * @param outcome the kind of answer
 * @param reason the word for metrics and log lines, from a closed set
 * @param body the whole body, for {@link Outcome#OK} and {@link Outcome#BYTES} only
 * @param length how much of it counts
 */
public record FnAnswer(Outcome outcome, String reason, byte @Nullable [] body, int length) {
  /** The kinds of answer. */
  public enum Outcome {
    /** A JSON object. */
    OK,
    /** The bytes of a message. */
    BYTES,
    NO_DESCRIPTOR,
    NO_HARNESS,
    NO_BUNDLE,
    /** The bundle has no such data port. */
    NO_PORT,
    /** The data port is in use, or has been. */
    PORT_TAKEN,
    /** The bundle is not at work now. */
    NOT_AT_WORK,
    /** The harness did not answer, or with an error. */
    HARNESS_REFUSED,
    /** It is no message of the kind expected. */
    INVALID_BODY,
    /** JSON can't say all that the descriptor has. */
    NO_JSON_FORM,
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
