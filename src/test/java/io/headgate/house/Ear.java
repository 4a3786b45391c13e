package io.headgate.house;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/** Counts a latch down when a logger says something; listens until it is closed. */
final class Ear extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger logger;
  private final CountDownLatch heard;

  Ear(String loggerName, CountDownLatch heard) {
    this.logger = (Logger) LoggerFactory.getLogger(loggerName);
    this.heard = heard;
    setContext(logger.getLoggerContext());
    start();
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    heard.countDown();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
  }
}
