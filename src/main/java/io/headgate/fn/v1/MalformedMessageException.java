package io.headgate.fn.v1;

/** Bytes that are no message of the kind expected. Carries no stack trace: hostile input. */
final class MalformedMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedMessageException() {
    super("malformed", null, false, false);
  }
}
