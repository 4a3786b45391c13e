package io.headgate.wire;

/**
 * Thrown by {@link CappedBuffer} when one more byte would pass its cap. It carries no stack trace:
 * it is an expected outcome of writing foreign data, raised where the reader can already see why.
 */
public final class CapExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CapExceededException(int cap) {
    super("more than " + cap + " bytes", null, false, false);
  }
}
