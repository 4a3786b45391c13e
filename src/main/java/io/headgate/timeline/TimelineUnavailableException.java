package io.headgate.timeline;

import io.headgate.graph.Unavailability;

/** Why the store of timelines could not do what it was asked; the call may be tried again. */
public final class TimelineUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Unavailability reason;

  public TimelineUnavailableException(Unavailability reason) {
    super(reason.label(), null, false, false);
    this.reason = reason;
  }

  /** The reason, from the closed set. */
  public Unavailability reason() {
    return reason;
  }
}
