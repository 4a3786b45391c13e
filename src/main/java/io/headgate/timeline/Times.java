package io.headgate.timeline;

import io.headgate.wire.CappedBuffer;
import java.time.DateTimeException;
import java.time.OffsetDateTime;

/** Points in time, in milliseconds since 1970 in UTC, and their text in answers. */
final class Times {
  /** A time that was not reported; earlier than every other. */
  static final long NONE = Long.MIN_VALUE;

  /** The last millisecond that four digits of the year can say. */
  private static final long LAST = 253_402_300_799_999L;

  private static final long MILLIS_A_DAY = 86_400_000;
  private static final long DAYS_IN_400_YEARS = 146_097;

  /** From the first of March of the year 0. */
  private static final long DAYS_FROM_MARCH_0_TO_1970 = 719_468;

  private Times() {}

  /** Whether {@code millis} is a time that can be kept and written. */
  static boolean isUsable(long millis) {
    return millis >= 0 && millis <= LAST;
  }

  /** The time in {@code text}, ISO 8601 with an offset, or {@link #NONE} if it can't be read. */
  static long parse(String text) {
    try {
      long millis = OffsetDateTime.parse(text).toInstant().toEpochMilli();
      return isUsable(millis) ? millis : NONE;
    } catch (DateTimeException | ArithmeticException e) {
      return NONE;
    }
  }

  /** Puts {@code "2026-11-30T09:41:54.123Z"}, or {@code null} for a time that is none. */
  static void write(long millis, CappedBuffer out) {
    if (!isUsable(millis)) {
      out.putAscii("null");
      return;
    }
    long days = millis / MILLIS_A_DAY;
    int ofDay = (int) (millis % MILLIS_A_DAY);
    out.put((byte) '"');
    date(days, out);
    out.put((byte) 'T');
    digits(ofDay / 3_600_000, 2, out);
    out.put((byte) ':');
    digits(ofDay / 60_000 % 60, 2, out);
    out.put((byte) ':');
    digits(ofDay / 1_000 % 60, 2, out);
    out.put((byte) '.');
    digits(ofDay % 1_000, 3, out);
    out.put((byte) 'Z');
    out.put((byte) '"');
  }

  /**
   * Puts a day of the Gregorian calendar. Years are taken to begin in March, so that the day that
   * some of them lack is their last; {@code java.time} would cost a third of a whole page.
   */
  private static void date(long daysSince1970, CappedBuffer out) {
    long days = daysSince1970 + DAYS_FROM_MARCH_0_TO_1970;
    long era = days / DAYS_IN_400_YEARS;
    long ofEra = days % DAYS_IN_400_YEARS;
    long yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365;
    long ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int marchMonth = (int) ((5 * ofYear + 2) / 153);
    int day = (int) (ofYear - (153L * marchMonth + 2) / 5 + 1);
    int month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
    digits((int) (era * 400 + yearOfEra) + (month <= 2 ? 1 : 0), 4, out);
    out.put((byte) '-');
    digits(month, 2, out);
    out.put((byte) '-');
    digits(day, 2, out);
  }

  private static void digits(int value, int count, CappedBuffer out) {
    int unit = 1;
    for (int i = 1; i < count; i++) {
      unit *= 10;
    }
    for (; unit > 0; unit /= 10) {
      out.put((byte) ('0' + value / unit % 10));
    }
  }
}
