package io.headgate.timeline;

import io.headgate.wire.Decimal;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The name of one recorded schema change (T5). Its text is opaque to clients; for us it carries all
 * that is needed to find the record, and to tell that it was evicted.
 *
 * @param jobId the engine's id of the job, at least 1
 * @param sequence the place in the job's history, at least 1
 * @param history which history of the job; sequences begin anew with another one (T6)
 */
public record SchemaChangeId(long jobId, long sequence, long history) {
  private static final HexFormat HEX = HexFormat.of();
  private static final int HISTORY_DIGITS = 16;

  /** The text of a history's id: 16 hexadecimal digits. */
  public static String historyText(long history) {
    return HEX.toHexDigits(history);
  }

  /** The history with the text {@code text}, or null if it is no such text. */
  public static @Nullable Long history(String text) {
    if (text.length() != HISTORY_DIGITS) {
      return null;
    }
    for (int i = 0; i < HISTORY_DIGITS; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return null;
      }
    }
    return HexFormat.fromHexDigitsToLong(text);
  }

  /** The id with the text {@code text}, or null if no id has it. */
  public static @Nullable SchemaChangeId parse(String text) {
    String[] parts = text.split("-", -1);
    if (parts.length != 3) {
      return null;
    }
    Long job = positive(parts[0]);
    Long sequence = positive(parts[1]);
    Long history = history(parts[2]);
    return job == null || sequence == null || history == null
        ? null
        : new SchemaChangeId(job, sequence, history);
  }

  private static @Nullable Long positive(String text) {
    if (!Decimal.isCanonical(text)) {
      return null;
    }
    long value = Long.parseLong(text);
    return value > 0 ? value : null;
  }

  @Override
  public String toString() {
    return jobId + "-" + sequence + "-" + historyText(history);
  }
}
