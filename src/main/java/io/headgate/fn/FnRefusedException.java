package io.headgate.fn;

/**
 * A runner's wish was not carried out. It carries no stack trace: it is an answer, not a fault of
 * the program.
 */
public final class FnRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Refusal reason;

  FnRefusedException(Refusal reason) {
    super(reason.name(), null, false, false);
    this.reason = reason;
  }

  /** Why. */
  public Refusal reason() {
    return reason;
  }
}
