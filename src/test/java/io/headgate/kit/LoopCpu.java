package io.headgate.kit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/** Processor time that all event loops of this JVM have used since this was made. */
public final class LoopCpu {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long before = nanos();

  /** How much since then. */
  public Duration used() {
    return Duration.ofNanos(nanos() - before);
  }

  private static long nanos() {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith("vert.x-eventloop-thread")) {
        sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return sum;
  }
}
