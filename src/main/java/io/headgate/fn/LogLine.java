package io.headgate.fn;

import io.headgate.wire.JsonText;
import java.time.Instant;

/**
 * A log entry of a harness. All text is foreign: escape it before it goes anywhere. Texts are cut
 * to what an entry may have.
 *
 * @param severity how much it matters
 * @param at when the harness says it was logged
 * @param message what it says
 * @param trace where it came from, or empty
 * @param instruction the instruction that it belongs to, or empty
 * @param transform the transform that it belongs to, or empty
 * @param location the place in the code, or empty
 * @param thread the thread, or empty
 */
public record LogLine(
    Severity severity,
    Instant at,
    String message,
    String trace,
    String instruction,
    String transform,
    String location,
    String thread) {
  /** How long message and trace may be each, in UTF-8 (F8). */
  public static final int TEXT_BYTES = 8 * 1024;

  /** How long the others may be. */
  private static final int NAME_BYTES = 256;

  /** What an entry costs besides its text. */
  private static final int OVERHEAD = 128;

  /** The protocol's severities, from the least on. */
  public enum Severity {
    TRACE,
    DEBUG,
    INFO,
    NOTICE,
    WARN,
    ERROR,
    CRITICAL;

    /** The severity of a number on the wire; of one in between, the next lower one. */
    public static Severity of(int number) {
      int last = values().length - 1;
      return values()[Math.max(0, Math.min(last, Math.floorDiv(number, 10)))];
    }
  }

  public LogLine {
    message = cut(message, TEXT_BYTES);
    trace = cut(trace, TEXT_BYTES);
    instruction = cut(instruction, NAME_BYTES);
    transform = cut(transform, NAME_BYTES);
    location = cut(location, NAME_BYTES);
    thread = cut(thread, NAME_BYTES);
  }

  /** The beginning of {@code text} that fits; no character is cut in two. */
  private static String cut(String text, int bytes) {
    if (text.length() <= bytes && JsonText.utf8Length(text) <= bytes) {
      return text;
    }
    int length = 0;
    int end = 0;
    while (end < text.length()) {
      int point = text.codePointAt(end);
      length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      if (length > bytes) {
        break;
      }
      end += Character.charCount(point);
    }
    return text.substring(0, end);
  }

  /** About how many bytes it takes to keep. */
  int weight() {
    return OVERHEAD
        + message.length()
        + trace.length()
        + instruction.length()
        + transform.length()
        + location.length()
        + thread.length();
  }
}
