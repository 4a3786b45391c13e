package io.headgate.graph;

/** Which limit a graph passed: the closed set behind 413 (L12 to L14). */
public enum Excess {
  NODES("nodes"),
  EDGES("edges"),
  PATHS("paths"),
  STRING_BYTES("string-bytes"),
  RESPONSE_BYTES("response-bytes"),
  UPSTREAM_BYTES("upstream-bytes"),
  DESCRIPTOR_BYTES("descriptor-bytes"),
  DESCRIPTOR_PARTS("descriptor-parts"),
  PORTS("ports"),
  /** Depth, number length or string length past what the JSON parser accepts. */
  PARSER_BOUND("parser-bound");

  private final String label;

  Excess(String label) {
    this.label = label;
  }

  /** The word for log lines and metrics. */
  public String label() {
    return label;
  }
}
