package io.headgate.wire;

import java.util.Arrays;

/**
 * Checks JSON text that is in memory as a whole, value by value (RFC 8259): where each ends and how
 * deep it is. Strings are looked at for their structure, not for whether their bytes are UTF-8.
 *
 * <p>Takes no stack and a bit a level, however deep the text. Not thread-safe.
 */
public final class JsonScan {
  /** The text is not JSON. */
  public static final int BROKEN = -1;

  /** The text ends before the value does. */
  public static final int CUT = -2;

  private final byte[] text;
  private final NumberScanner number = new NumberScanner();

  // The containers around the current place: how many, and a bit each, set for an object.
  private long[] objects = new long[1];
  private int depth;
  private int deepest;
  private int longest;

  // Whether the scan stands before the first value of a container that it has entered.
  private boolean inside;

  /**
   * @param text all of it is looked at
   */
  public JsonScan(byte[] text) {
    this.text = text;
  }

  /** The index of the first byte at or behind {@code from} that is no white space, or the end. */
  public int space(int from) {
    int at = from;
    while (at < text.length && isSpace(text[at])) {
      at++;
    }
    return at;
  }

  /** How many containers of the value checked last are one inside the other; 0 for a scalar. */
  public int depth() {
    return deepest;
  }

  /** How many bytes the longest string or name of the values checked so far has in the text. */
  public int longestString() {
    return longest;
  }

  /**
   * Checks the value at {@code from}, white space before it allowed.
   *
   * @return the index behind it, {@link #BROKEN} or {@link #CUT}
   */
  public int value(int from) {
    depth = 0;
    deepest = 0;
    int at = from;
    do {
      at = first(space(at));
      if (at >= 0 && !inside) {
        at = behindValue(at);
      }
    } while (at >= 0 && depth > 0);
    return at;
  }

  /** Takes a scalar, an empty container, or what stands before the first value of another. */
  private int first(int at) {
    inside = false;
    if (at == text.length) {
      return CUT;
    }
    byte b = text[at];
    if (b != '{' && b != '[') {
      return scalar(at);
    }
    push(b == '{');
    int next = space(at + 1);
    if (next == text.length) {
      return CUT;
    }
    if (text[next] == closing()) {
      depth--;
      return next + 1;
    }
    inside = true;
    return b == '{' ? name(next) : next;
  }

  /** Closes what ends here, up to a comma or the end of the outermost value. */
  private int behindValue(int from) {
    int at = from;
    while (depth > 0) {
      at = space(at);
      if (at == text.length) {
        return CUT;
      }
      if (text[at] == ',') {
        return isObject() ? name(space(at + 1)) : at + 1;
      }
      if (text[at++] != closing()) {
        return BROKEN;
      }
      depth--;
    }
    return at;
  }

  private void push(boolean object) {
    int word = depth >>> 6;
    if (word == objects.length) {
      objects = Arrays.copyOf(objects, 2 * word);
    }
    long bit = 1L << depth;
    objects[word] = object ? objects[word] | bit : objects[word] & ~bit;
    depth++;
    deepest = Math.max(deepest, depth);
  }

  private boolean isObject() {
    int top = depth - 1;
    return (objects[top >>> 6] & 1L << top) != 0;
  }

  private byte closing() {
    return isObject() ? (byte) '}' : (byte) ']';
  }

  /** Takes a member's name and the colon behind it. */
  private int name(int at) {
    if (at == text.length) {
      return CUT;
    }
    if (text[at] != '"') {
      return BROKEN;
    }
    int end = string(at);
    if (end < 0) {
      return end;
    }
    int colon = space(end);
    if (colon == text.length) {
      return CUT;
    }
    return text[colon] == ':' ? colon + 1 : BROKEN;
  }

  private int scalar(int at) {
    byte b = text[at];
    return switch (b) {
      case '"' -> string(at);
      case 't' -> literal(at, "true");
      case 'f' -> literal(at, "false");
      case 'n' -> literal(at, "null");
      default -> b == '-' || b >= '0' && b <= '9' ? number(at) : BROKEN;
    };
  }

  private int literal(int from, String word) {
    for (int i = 0; i < word.length(); i++) {
      if (from + i == text.length) {
        return CUT;
      }
      if (text[from + i] != word.charAt(i)) {
        return BROKEN;
      }
    }
    return from + word.length();
  }

  private int number(int from) {
    number.begin(text[from]);
    int at = from + 1;
    while (at < text.length && number.next(text[at])) {
      at++;
    }
    if (at == text.length && depth > 0) {
      return CUT;
    }
    return number.whole() ? at : BROKEN;
  }

  private int string(int from) {
    int at = from + 1;
    while (true) {
      at = StringRuns.end(text, at);
      if (at == text.length) {
        return CUT;
      }
      if (text[at] == '"') {
        longest = Math.max(longest, at - from - 1);
        return at + 1;
      }
      at = text[at] == '\\' ? escape(at + 1) : BROKEN;
      if (at < 0) {
        return at;
      }
    }
  }

  private int escape(int at) {
    if (at == text.length) {
      return CUT;
    }
    switch (text[at]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
        return at + 1;
      }
      case 'u' -> {
        for (int i = 1; i <= 4; i++) {
          if (at + i == text.length) {
            return CUT;
          }
          if (Character.digit(text[at + i], 16) < 0) {
            return BROKEN;
          }
        }
        return at + 5;
      }
      default -> {
        return BROKEN;
      }
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
