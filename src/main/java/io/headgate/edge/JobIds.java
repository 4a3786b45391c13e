package io.headgate.edge;

import io.headgate.wire.Decimal;

/** The job id in a path (L1). */
final class JobIds {
  /** Stands for a segment that is no job id; ids are positive. */
  static final long INVALID = -1;

  private JobIds() {}

  /**
   * Reads the raw, undecoded segment of {@code path} from {@code from} on: {@code
   * [1-9][0-9]{0,18}}, at most 2^63 - 1.
   */
  static long parse(String path, int from) {
    return parse(path, from, path.length());
  }

  /** The same for a segment that ends before {@code to}. */
  static long parse(String path, int from, int to) {
    int length = to - from;
    if (length < 1 || length > 19 || path.charAt(from) == '-' || path.charAt(from) == '0') {
      return INVALID;
    }
    if (!Decimal.isCanonical(path.subSequence(from, to))) {
      return INVALID;
    }
    return Long.parseLong(path, from, to, 10);
  }
}
