package io.headgate.observe.access;

import org.slf4j.Logger;

/** Lines as messages of a logger, which the embedding service sends where it likes. */
final class LoggerOutput implements LineOutput {
  private final Logger logger;

  LoggerOutput(Logger logger) {
    this.logger = logger;
  }

  @Override
  public void write(StringBuilder lines) {
    int from = 0;
    for (int end = lines.indexOf("\n"); end >= 0; end = lines.indexOf("\n", from)) {
      logger.info("{}", lines.subSequence(from, end));
      from = end + 1;
    }
  }
}
