package io.headgate.timeline;

/**
 * Whether a sink can do what a change asks for. Stored by ordinal, so a new one goes to the end.
 */
public enum Capability {
  SUPPORTED,
  UNSUPPORTED,
  UNKNOWN
}
