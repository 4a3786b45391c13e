package io.headgate.fn;

/** A bundle has failed while its input was being written or its output read. */
public final class BundleFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final BundleFailure reason;

  BundleFailedException(BundleFailure reason) {
    super(reason.name(), null, false, false);
    this.reason = reason;
  }

  /** Why. */
  public BundleFailure reason() {
    return reason;
  }
}
