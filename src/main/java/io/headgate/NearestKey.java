package io.headgate;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Finds the key that somebody may have meant. */
final class NearestKey {
  private NearestKey() {}

  /** The known key that is most like {@code unknown}, or null if none is much like it. */
  static @Nullable String of(String unknown) {
    String nearest =
        ConfigKeys.ALL.keySet().stream()
            .min(Comparator.comparingInt(key -> distance(unknown, key)))
            .orElseThrow();
    return distance(unknown, nearest) <= unknown.length() / 2 ? nearest : null;
  }

  /** Levenshtein's edit distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
