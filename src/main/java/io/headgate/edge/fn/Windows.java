package io.headgate.edge.fn;

/**
 * HTTP/2 windows of the Fn port (F10). What a stream that is not read has sent stays on the heap,
 * up to its window, so a small heap gives small windows: a thousand such streams take a quarter of
 * it, or 64 MiB. Four fill a connection, as many as a harness has; else one that waits would hold
 * up its others. Immutable.
 *
 * @param stream bytes on their way in, on one stream
 * @param connection the same, on all streams of a connection
 */
record Windows(int stream, int connection) {
  private static final int LEAST = 64 << 10;

  /** Twice the throughput of 64 KiB, as measured; see docs/benchmarks.md. */
  private static final int MOST = 1 << 20;

  private static final int STREAMS_OF_A_HARNESS = 4;
  private static final int PART_OF_HEAP = 4_096;

  /**
   * @param heap most bytes of it
   */
  static Windows of(long heap) {
    int stream = (int) Math.max(LEAST, Math.min(MOST, heap / PART_OF_HEAP));
    return new Windows(stream, STREAMS_OF_A_HARNESS * stream);
  }
}
