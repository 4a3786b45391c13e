package io.headgate.fn;

import java.util.ArrayDeque;
import java.util.List;

/** The last log entries of one harness, bounded in bytes: the oldest go first (F8). On the loop. */
final class LogRing {
  private final int limit;
  private final ArrayDeque<LogLine> lines = new ArrayDeque<>();
  private int bytes;
  private long gone;

  LogRing(int limit) {
    this.limit = limit;
  }

  void add(LogLine line) {
    lines.add(line);
    bytes += line.weight();
    while (bytes > limit) {
      bytes -= lines.remove().weight();
      gone++;
    }
  }

  /** What is kept, the oldest first. */
  List<LogLine> lines() {
    return List.copyOf(lines);
  }

  /** How many bytes are kept. */
  int bytes() {
    return bytes;
  }

  /** How many have gone. */
  long gone() {
    return gone;
  }
}
