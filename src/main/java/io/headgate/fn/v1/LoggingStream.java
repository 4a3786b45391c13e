package io.headgate.fn.v1;

import com.google.protobuf.Timestamp;
import io.headgate.fn.Drop;
import io.headgate.fn.FnCore;
import io.headgate.fn.Harness;
import io.headgate.fn.HarnessLog;
import io.headgate.fn.LogLine;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import org.apache.beam.fn.v1.BeamFnApi.LogEntry;

/**
 * A harness's Logging stream (F8). The gateway never ends it because of what comes: a harness would
 * exit. Entries that can't be read, and those past the rate, are counted and dropped. A harness
 * that floods with bytes is made to wait for the rest of the second, so that reading them takes no
 * time from others. On the loop.
 */
final class LoggingStream extends HarnessStream {
  /** About what a loop reads in a few hundredths of a second, at the worst. */
  private static final int BYTES_A_SECOND = 16 << 20;

  private static final KnownFields<LogEntry> ENTRIES = new KnownFields<>(LogEntry.parser());

  private static final long LAST_SECOND = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
  private static final long FIRST_SECOND = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();

  private final HarnessLog log;
  private long bytes;

  LoggingStream(FnCore core, Harness harness, HarnessCall call) {
    super(core, harness, call);
    log = harness.log();
  }

  @Override
  boolean open() {
    return harness.openLogging();
  }

  @Override
  void read(Buffer list) throws MalformedMessageException {
    slowDown(list.length());
    WireCursor entries = new WireCursor(list);
    for (int field = entries.next(); field != 0; field = entries.next()) {
      boolean entry = field == LogEntry.List.LOG_ENTRIES_FIELD_NUMBER && entries.hasLength();
      if (entry && log.admit()) {
        add(entries.slice());
      } else {
        entries.skip();
      }
    }
  }

  private void slowDown(int length) {
    if (bytes == 0) {
      core.afterASecond(
          () -> {
            if (bytes >= BYTES_A_SECOND) {
              call.resume();
            }
            bytes = 0;
          });
    }
    boolean below = bytes < BYTES_A_SECOND;
    bytes += length;
    if (below && bytes >= BYTES_A_SECOND) {
      call.pause();
    }
  }

  private void add(Buffer bytesOfEntry) {
    LogEntry entry;
    try {
      entry = ENTRIES.read(bytesOfEntry);
    } catch (MalformedMessageException e) {
      core.dropped(Drop.MALFORMED, 1);
      return;
    }
    log.add(
        new LogLine(
            LogLine.Severity.of(entry.getSeverityValue()),
            instant(entry.getTimestamp()),
            entry.getMessage(),
            entry.getTrace(),
            entry.getInstructionReference(),
            entry.getPrimitiveTransformReference(),
            entry.getLogLocation(),
            entry.getThread()));
  }

  /** The time, or the nearest that a timestamp may have. */
  private static Instant instant(Timestamp time) {
    long seconds = Math.max(FIRST_SECOND, Math.min(LAST_SECOND, time.getSeconds()));
    return Instant.ofEpochSecond(seconds, Math.max(0, Math.min(999_999_999, time.getNanos())));
  }

  @Override
  void unreadable(HarnessCall.Ending ending) {
    // Nothing more: see above.
  }

  @Override
  void gone() {
    harness.loggingEnded();
  }

  @Override
  public void roomAgain() {
    // Nothing is ever sent on it.
  }
}
