package io.headgate.wire;

/**
 * Thrown by {@link PackedReader} where bytes are not what a {@link PackedWriter} has written. It
 * carries no stack trace and no content: stored bytes may hold foreign text.
 */
public final class UnreadableBytesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnreadableBytesException(String what) {
    super(what, null, false, false);
  }
}
