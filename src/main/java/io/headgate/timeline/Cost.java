package io.headgate.timeline;

import io.headgate.wire.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * What things count for in a job's byte budget (T10): at least what they take on the heap and at
 * least what they take when stored, so that one number bounds both.
 */
final class Cost {
  private Cost() {}

  /** A text that may be missing. */
  static int of(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    // Two bytes a character on the heap if one of them is not Latin-1, three at most in UTF-8.
    return 48 + (JsonText.isPlain(text) ? text.length() : 3 * text.length());
  }
}
