package io.headgate;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One configuration key: its name, what its text must look like, and what it means. The table of
 * all keys is {@link ConfigKeys}.
 *
 * @param path the name in the file, with dots
 * @param kind how its text is read
 * @param defaultText the default as an operator would write it, or null for none
 * @param least the smallest allowed value; counts, bytes or milliseconds
 * @param most the hard ceiling; counts, bytes or milliseconds
 * @param meaning what it is, for the documentation
 */
record ConfigKey(
    String path, Kind kind, @Nullable String defaultText, long least, long most, String meaning) {
  enum Kind {
    TEXT,
    SECRET,
    COUNT,
    BYTES,
    DURATION,
    FLAG,
    LIST
  }

  /**
   * The environment variable that overrides it: {@code http.basePath} is HEADGATE_HTTP_BASE_PATH.
   */
  String variable() {
    return "HEADGATE_"
        + path.replace('.', '_').replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
  }

  /** Reads a number of the key's kind, without looking at its bounds. */
  long number(String text) {
    return switch (kind) {
      case DURATION -> Units.millis(text);
      case BYTES -> Units.bytes(text);
      default -> Long.parseLong(text);
    };
  }

  /** The bounds as an operator would write them. */
  String expected() {
    return switch (kind) {
      case DURATION -> Units.durationText(least) + " to " + Units.durationText(most);
      case BYTES -> Units.bytesText(least) + " to " + Units.bytesText(most);
      case COUNT -> least + " to " + most;
      case FLAG -> "true or false";
      default -> "text";
    };
  }

  /** Numbers with units, in both directions. */
  static final class Units {
    private record Unit(String suffix, long size) {}

    private static final List<Unit> TIMES =
        List.of(
            new Unit("ms", 1),
            new Unit("s", 1_000),
            new Unit("m", 60_000),
            new Unit("h", 3_600_000));
    private static final List<Unit> SIZES =
        List.of(
            new Unit("KiB", 1L << 10),
            new Unit("MiB", 1L << 20),
            new Unit("GiB", 1L << 30),
            new Unit("B", 1));

    private Units() {}

    static long millis(String text) {
      return read(text, TIMES);
    }

    static long bytes(String text) {
      return read(text, SIZES);
    }

    private static long read(String text, List<Unit> units) {
      String trimmed = text.trim();
      for (Unit unit : units) {
        String digits = trimmed.substring(0, Math.max(0, trimmed.length() - unit.suffix.length()));
        if (trimmed.endsWith(unit.suffix) && digits.matches("[0-9]+(\\.[0-9]+)? ?")) {
          return new java.math.BigDecimal(digits.trim())
              .multiply(java.math.BigDecimal.valueOf(unit.size))
              .longValueExact();
        }
      }
      return Long.parseLong(trimmed);
    }

    static String durationText(long millis) {
      return text(millis, TIMES, "ms");
    }

    static String bytesText(long bytes) {
      return text(bytes, SIZES, "B");
    }

    private static String text(long value, List<Unit> units, String smallest) {
      return units.stream()
          .filter(unit -> value >= unit.size && value % unit.size == 0)
          .max(java.util.Comparator.comparingLong(Unit::size))
          .map(unit -> value / unit.size + unit.suffix)
          .orElse(value + smallest);
    }
  }
}
