package io.headgate.fn;

import io.headgate.wire.LogText;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The log of one harness (F8): to the logger that all harnesses share, and into a ring. At most so
 * many entries a second; more are counted and dropped before they are looked at, so that a flood
 * costs little. On the loop.
 */
public final class HarnessLog {
  /** Everything that harnesses say; to be levelled and sent where an operator likes. */
  static final String LOGGER = "io.headgate.fn.harness";

  private static final Logger log = LoggerFactory.getLogger(LOGGER);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final String shownId;
  private final LogRing ring;
  private final int rate;
  private final Loop loop;
  private final FnMeters meters;
  private long secondBegan;
  private int inSecond;
  private long dropped;

  HarnessLog(String harness, FnLimits limits, Loop loop, FnMeters meters) {
    this.shownId = LogText.escape(harness);
    this.ring = new LogRing(limits.logBytes());
    this.rate = limits.logRate();
    this.loop = loop;
    this.meters = meters;
    this.secondBegan = loop.nanos();
  }

  /** Whether one more entry is taken now; if not, it has been counted as dropped. */
  public boolean admit() {
    long now = loop.nanos();
    if (now - secondBegan >= SECOND) {
      secondBegan = now;
      inSecond = 0;
    }
    if (inSecond < rate) {
      inSecond++;
      return true;
    }
    dropped++;
    meters.dropped(Drop.LOG_FLOOD);
    return false;
  }

  /** Keeps an entry that was admitted. */
  public void add(LogLine line) {
    ring.add(line);
    meters.logged(1);
    Level level = level(line.severity());
    if (log.isEnabledForLevel(level)) {
      String trace = line.trace().isEmpty() ? "" : "\n" + line.trace();
      log.atLevel(level)
          .log(
              "{} [{}] {}",
              shownId,
              LogText.escape(line.instruction()),
              LogText.escape(line.message() + trace));
    }
  }

  private static Level level(LogLine.Severity severity) {
    return switch (severity) {
      case TRACE -> Level.TRACE;
      case DEBUG -> Level.DEBUG;
      case INFO, NOTICE -> Level.INFO;
      case WARN -> Level.WARN;
      case ERROR, CRITICAL -> Level.ERROR;
    };
  }

  LogRing ring() {
    return ring;
  }

  /** How many entries were dropped because there were too many. */
  long dropped() {
    return dropped;
  }
}
