package io.headgate;

import java.util.List;

/**
 * The configuration can't be used; {@link #faults()} says why, one line a fault, each with its key.
 */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final List<String> faults;

  ConfigException(List<String> faults) {
    super(String.join(System.lineSeparator(), faults));
    this.faults = List.copyOf(faults);
  }

  /** At least one line, each of the form {@code key: value (expected: …)}; without secrets. */
  public List<String> faults() {
    return faults;
  }
}
