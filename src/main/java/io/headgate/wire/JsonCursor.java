package io.headgate.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Goes through JSON text that is known to be well-formed, as {@link JsonScan} finds it, value by
 * value: no tree, no tokens, no strings but those that are asked for. It trusts the text and its
 * caller: whoever is told of a member or an element reads or skips its value before going on.
 *
 * <p>Takes no stack, however deep the text. Not thread-safe.
 */
public final class JsonCursor {
  /** The object has no more members. */
  public static final int END = -1;

  /** A member whose name is not among those given. */
  public static final int OTHER = -2;

  /** Twenty characters, six bytes each. */
  private static final int MAX_ESCAPED_INTEGER_BYTES = 120;

  /** Forty characters, six bytes each; no name that anybody asks for is as long. */
  private static final int MAX_ESCAPED_NAME_BYTES = 240;

  private final byte[] text;
  private int at;

  // The string or number read last, without its quotes.
  private int from;
  private int to;
  private boolean escaped;
  private long integer;

  /**
   * @param text one JSON value, in well-formed UTF-8; what stands behind it is not looked at
   */
  public JsonCursor(byte[] text) {
    this(text, 0);
  }

  /** The same for a value that stands at {@code at}, white space before it allowed. */
  public JsonCursor(byte[] text, int at) {
    this.text = text;
    this.at = at;
  }

  /** Where the cursor stands: before the next value or what separates it from the last. */
  int at() {
    return at;
  }

  /** Where the string or name read last begins, behind its quote. */
  int from() {
    return from;
  }

  /** Where the string or name read last ends, before its quote. */
  int to() {
    return to;
  }

  /** The first byte of the value that comes next, which tells its kind. */
  public byte peek() {
    byte b = text[at];
    while (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
      b = text[++at];
    }
    return b;
  }

  /** Goes into the object or array that comes next. */
  public void enter() {
    peek();
    at++;
  }

  /** Goes on to the next element of an array, or behind its end. */
  public boolean nextElement() {
    if (peek() == ',') {
      at++;
      peek();
    }
    if (text[at] == ']') {
      at++;
      return false;
    }
    return true;
  }

  /**
   * Goes on to the value of an object's next member, or behind its end.
   *
   * @return which of {@code names} it is, {@link #OTHER} or {@link #END}
   */
  public int nextMember(byte[][] names) {
    if (!readName()) {
      return END;
    }
    if (escaped) {
      if (to - from > MAX_ESCAPED_NAME_BYTES) {
        return OTHER; // whatever it is; no need to find out
      }
      byte[] name = string().getBytes(StandardCharsets.UTF_8);
      return indexOf(names, name, 0, name.length);
    }
    return indexOf(names, text, from, to);
  }

  private static int indexOf(byte[][] names, byte[] text, int from, int to) {
    int length = to - from;
    for (int i = 0; i < names.length; i++) {
      if (names[i].length == length && Arrays.equals(text, from, to, names[i], 0, length)) {
        return i;
      }
    }
    return OTHER;
  }

  /**
   * The name of an object's next member where names are integers, or null behind its end. Of a name
   * that is too long for one only the beginning is given, still too long.
   */
  public @Nullable String nextKey() {
    if (!readName()) {
      return null;
    }
    to = Math.min(to, from + MAX_ESCAPED_INTEGER_BYTES + 1);
    return string();
  }

  /** Goes on to the value of an object's next member, whatever its name, or behind its end. */
  boolean nextName() {
    return readName();
  }

  private boolean readName() {
    if (peek() == ',') {
      at++;
      peek();
    }
    if (text[at] == '}') {
      at++;
      return false;
    }
    scanString();
    peek();
    at++; // the colon
    return true;
  }

  /** Skips the value that comes next. */
  public void skip() {
    byte first = peek();
    if (first == '"') {
      scanString();
    } else if (first == '{' || first == '[') {
      skipContainer();
    } else {
      scanScalar();
    }
  }

  private void skipContainer() {
    int depth = 0;
    do {
      switch (text[at]) {
        case '"' -> {
          scanString();
          continue;
        }
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      at++;
    } while (depth > 0);
  }

  /** Reads the value that comes next if it is a string, and skips it otherwise. */
  public boolean readString() {
    boolean string = peek() == '"';
    skip();
    return string;
  }

  /**
   * Reads the value that comes next if it is an integer, as a number or a string, in its canonical
   * spelling, and skips it otherwise.
   */
  public boolean readInteger() {
    byte first = peek();
    skip();
    if (first != '"' && first != '-' && (first < '0' || first > '9')) {
      return false;
    }
    if (escaped && to - from <= MAX_ESCAPED_INTEGER_BYTES) {
      byte[] digits = string().getBytes(StandardCharsets.UTF_8);
      return takeInteger(digits, 0, digits.length);
    }
    return takeInteger(text, from, to);
  }

  private boolean takeInteger(byte[] digits, int first, int end) {
    if (!Decimal.isCanonical(digits, first, end - first)) {
      return false;
    }
    integer = Decimal.parse(digits, first, end - first);
    return true;
  }

  /** The integer read last. */
  public long integer() {
    return integer;
  }

  /** How many bytes the string read last has in the text. */
  public int stringBytes() {
    return to - from;
  }

  /**
   * Shortens the string read last to at most {@code maxBytes} of its text, whole characters and
   * whole escapes: before a long one is made an object of which only the beginning is wanted.
   *
   * @return whether anything was cut off
   */
  public boolean cutString(int maxBytes) {
    if (to - from <= maxBytes) {
      return false;
    }
    int limit = from + maxBytes;
    int end = from;
    while (end < limit) {
      int run = StringRuns.end(text, end);
      if (run >= limit) {
        end = startOfCharacter(limit);
        break;
      }
      int next = run + (text[run + 1] == 'u' ? 6 : 2);
      if (next > limit) {
        end = run;
        break;
      }
      end = next;
    }
    to = end;
    return true;
  }

  /** The first byte of the character that the byte at {@code index} belongs to. */
  private int startOfCharacter(int index) {
    int start = index;
    while ((text[start] & 0xC0) == 0x80) {
      start--;
    }
    return start;
  }

  /** The string read last. */
  public String string() {
    return escaped ? unescaped() : new String(text, from, to - from, StandardCharsets.UTF_8);
  }

  private void scanScalar() {
    from = at;
    escaped = false;
    while (at < text.length && isPartOfScalar(text[at])) {
      at++;
    }
    to = at;
  }

  private static boolean isPartOfScalar(byte b) {
    return b >= 'a' && b <= 'z'
        || b >= '0' && b <= '9'
        || b == '-'
        || b == '+'
        || b == '.'
        || b == 'E';
  }

  private void scanString() {
    from = at + 1;
    escaped = false;
    at = StringRuns.end(text, from);
    while (text[at] != '"') {
      escaped = true;
      at = StringRuns.end(text, at + 2); // the character behind a backslash ends nothing
    }
    to = at++;
  }

  private String unescaped() {
    StringBuilder string = new StringBuilder(to - from);
    int run = from;
    while (run < to) {
      int end = Math.min(to, StringRuns.end(text, run));
      if (end > run) {
        string.append(new String(text, run, end - run, StandardCharsets.UTF_8));
      }
      run = end == to ? to : unescape(end + 1, string);
    }
    return string.toString();
  }

  /**
   * Appends the escape whose second character stands at {@code second}; returns what follows it.
   */
  private int unescape(int second, StringBuilder string) {
    switch (text[second]) {
      case 'b' -> string.append('\b');
      case 'f' -> string.append('\f');
      case 'n' -> string.append('\n');
      case 'r' -> string.append('\r');
      case 't' -> string.append('\t');
      case 'u' -> {
        int value = 0;
        for (int i = second + 1; i < second + 5; i++) {
          value = value << 4 | Character.digit(text[i], 16);
        }
        string.append((char) value);
        return second + 5;
      }
      default -> string.append((char) text[second]);
    }
    return second + 1;
  }
}
