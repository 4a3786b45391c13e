package io.headgate.house;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Collects what certain loggers say at warning level or above. Safe on any thread. */
final class Complaints extends AppenderBase<ILoggingEvent> {
  private static final int SHOWN_LINES = 3;

  private final Queue<String> said = new ConcurrentLinkedQueue<>();

  private Complaints() {}

  static Complaints listenTo(List<String> names) {
    Complaints complaints = new Complaints();
    for (String name : names) {
      Logger logger = (Logger) LoggerFactory.getLogger(name);
      complaints.setContext(logger.getLoggerContext());
      logger.addAppender(complaints);
    }
    complaints.start();
    return complaints;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
      said.add(event.getFormattedMessage().lines().limit(SHOWN_LINES).reduce("", this::indented));
    }
  }

  private String indented(String text, String line) {
    return text + "\n    " + line;
  }

  /** Fails with everything that was said since the last call. */
  void throwIfAny(String who) {
    List<String> taken = new ArrayList<>();
    for (String complaint = said.poll(); complaint != null; complaint = said.poll()) {
      taken.add(complaint);
    }
    if (!taken.isEmpty()) {
      throw new AssertionError(
          "house rules broken during " + who + " (see target/test.log):" + String.join("", taken));
    }
  }
}
