package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What is logged in this JVM while this is open. */
public final class LoggedLines implements AutoCloseable {
  private final Logger logger;
  private final boolean additive;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  // Null where levels stay as they are.
  private final @Nullable Level before;

  private LoggedLines(Logger logger, boolean additive, @Nullable Level before) {
    this.logger = logger;
    this.additive = logger.isAdditive();
    this.before = before;
    logger.setAdditive(additive);
    lines.start();
    logger.addAppender(lines);
  }

  /** Those that appear of every class, as the tests' levels are. */
  public static LoggedLines all() {
    return new LoggedLines(logger(org.slf4j.Logger.ROOT_LOGGER_NAME), true, null);
  }

  /** Those of one class. */
  public static LoggedLines of(Class<?> who) {
    return new LoggedLines(logger(who.getName()), true, null);
  }

  /** Those of one class, which then appear nowhere else. */
  public static LoggedLines insteadOf(Class<?> who) {
    return new LoggedLines(logger(who.getName()), false, null);
  }

  /** Those of every class, of ours at any level, of others from debug on. */
  public static LoggedLines detailed() {
    Logger root = logger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Level before = root.getLevel();
    root.setLevel(Level.DEBUG);
    ours().setLevel(Level.TRACE);
    return new LoggedLines(root, true, before);
  }

  private static Logger ours() {
    return logger("io.headgate");
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }

  /** So far, in order. */
  public List<ILoggingEvent> events() {
    return List.copyOf(lines.list);
  }

  public List<String> messages() {
    return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** The messages of warnings and errors. */
  public List<String> faults() {
    return events().stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  /** Something was logged, and no part of it has one of these texts, in whatever case. */
  public void assertFreeOf(String... secrets) {
    assertThat(events())
        .isNotEmpty()
        .allSatisfy(event -> assertThat(everythingOf(event)).doesNotContainIgnoringCase(secrets));
  }

  private static String everythingOf(ILoggingEvent event) {
    String line =
        String.join(
            " ",
            event.getLoggerName(),
            event.getThreadName(),
            event.getFormattedMessage(),
            event.getMDCPropertyMap().toString());
    return event.getThrowableProxy() == null
        ? line
        : line + " " + ThrowableProxyUtil.asString(event.getThrowableProxy());
  }

  @Override
  public void close() {
    logger.detachAppender(lines);
    logger.setAdditive(additive);
    if (before != null) {
      logger.setLevel(before);
      ours().setLevel(null);
    }
  }
}
