package io.headgate.fn;

import io.headgate.observe.Meters;

/** Why a state request is answered with an error: a closed set, each with its one fixed text. */
public enum StateRefusal {
  NOT_ACTIVE("The bundle is not active."),
  MALFORMED("The request has no key, or asks for nothing that is known."),
  CELL_IN_USE("The state is used by another bundle."),
  FOREIGN_TOKEN("The continuation token does not belong to this request."),
  TOO_LARGE("The appended data is too large."),
  TOO_MUCH("The bundle has written too much state."),
  UNAVAILABLE("State can't be reached now.");

  private final String text;

  StateRefusal(String text) {
    this.text = text;
  }

  /** What the harness is told. */
  public String text() {
    return text;
  }

  /** The word for metrics. */
  public String label() {
    return Meters.label(this);
  }
}
