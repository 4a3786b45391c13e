package io.headgate.graph;

/** Why a bundle descriptor is refused: the closed set of F3, size apart. */
public enum DescriptorFault {
  /** It is no such message, or none that ends where it should. */
  UNREADABLE("unreadable"),
  /** The descriptor, a transform or a coder has an empty id. */
  MISSING_ID("missing-id"),
  DUPLICATE_TRANSFORM("duplicate-transform"),
  /** An input is fed by a transform that isn't there. */
  UNKNOWN_TRANSFORM("unknown-transform"),
  /** An input is fed by an output that its transform does not have. */
  UNKNOWN_OUTPUT("unknown-output"),
  /** An output's coder isn't there. */
  UNKNOWN_CODER("unknown-coder"),
  /** A coder is made of one that isn't there. */
  UNKNOWN_COMPONENT("unknown-component"),
  CYCLE("cycle"),
  /** A data port names another endpoint than this gateway's, or its parameters can't be read. */
  FOREIGN_ENDPOINT("foreign-endpoint");

  private final String label;

  DescriptorFault(String label) {
    this.label = label;
  }

  /** The word for log lines and metrics. */
  public String label() {
    return label;
  }
}
