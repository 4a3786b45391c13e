package io.headgate.fn;

/** So many bytes and no more. Taken on the loop; the sum may be read on any thread. */
final class ByteBudget {
  private final long limit;
  private volatile long used;

  ByteBudget(long limit) {
    this.limit = limit;
  }

  /** Takes so many, or none. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer, the loop
  boolean take(long bytes) {
    if (used + bytes > limit) {
      return false;
    }
    used += bytes;
    return true;
  }

  /** Gives back what was taken. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer, the loop
  void give(long bytes) {
    used -= bytes;
  }

  long used() {
    return used;
  }
}
