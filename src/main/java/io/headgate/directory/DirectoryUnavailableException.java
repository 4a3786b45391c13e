package io.headgate.directory;

import io.headgate.graph.Unavailability;

/** Why the directory could not do what it was asked; the call may be tried again. */
public final class DirectoryUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Unavailability reason;

  public DirectoryUnavailableException(Unavailability reason) {
    super(reason.label(), null, false, false);
    this.reason = reason;
  }

  /** The reason, from the closed set. */
  public Unavailability reason() {
    return reason;
  }
}
