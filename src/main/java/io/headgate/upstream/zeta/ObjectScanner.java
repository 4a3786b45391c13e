package io.headgate.upstream.zeta;

import io.headgate.graph.Excess;
import io.headgate.wire.NumberScanner;
import io.headgate.wire.StringRuns;
import org.jspecify.annotations.Nullable;

/**
 * A strict scanner of one JSON object that comes in piece by piece. It tells {@link Members} what
 * the object's own members are; everything deeper is checked, passed over and never stored (L14).
 *
 * <p>What it holds does not grow with the object. Not thread-safe: one object, one thread.
 */
final class ObjectScanner {
  /** Deeper than any recorded body by far; one level of a hostile body costs a bit. */
  static final int MAX_DEPTH = 64;

  /** Longer than any 64-bit integer or double needs to be. */
  static final int MAX_NUMBER_LENGTH = 64;

  /** One more than the longest name that matters. */
  private static final int MAX_KEY_BYTES = 16;

  private enum State {
    VALUE,
    VALUE_OR_END,
    KEY,
    KEY_OR_END,
    COLON,
    AFTER_VALUE,
    STRING,
    ESCAPE,
    HEX,
    NUMBER,
    LITERAL,
    DONE,
    BROKEN
  }

  private final Members members;
  private final byte[] key = new byte[MAX_KEY_BYTES];
  private final NumberScanner number = new NumberScanner();

  private State state = State.VALUE;
  private boolean reading = true;
  private @Nullable Excess excess;

  // The containers around the current place: how many, and a bit each, set for an object.
  private int depth;
  private long objects;

  // The string, number or literal being read.
  private boolean readingKey;
  private int keyLength;
  private int hexLeft;
  private int hexValue;
  private String literal = "";
  private int literalAt;

  ObjectScanner(Members members) {
    this.members = members;
  }

  /**
   * Takes the bytes of {@code chunk} from {@code from} on, up to the object's end.
   *
   * @return the index behind the last byte taken: the chunk's length, unless the object ended
   *     before or the text is not worth reading on
   */
  int feed(byte[] chunk, int from) {
    int i = from;
    while (i < chunk.length && reading) {
      i = state == State.STRING ? string(chunk, i) : structure(chunk, i);
    }
    members.endChunk(chunk);
    return Math.min(i, chunk.length);
  }

  /** The limit that was passed, if one was. */
  @Nullable Excess excess() {
    return excess;
  }

  /** Whether the object is there from its first byte to its last. */
  boolean complete() {
    return state == State.DONE;
  }

  /** Whether what came so far begins no JSON object, or passes a limit. */
  boolean broken() {
    return state == State.BROKEN;
  }

  /** Gives up: more came than is allowed. */
  void exceed(Excess reason) {
    if (excess == null) {
      excess = reason;
    }
    breakOff();
  }

  private int breakOff() {
    state = State.BROKEN;
    reading = false;
    members.drop();
    return Integer.MAX_VALUE;
  }

  /** Reads on inside a string; returns the index of the next byte to look at. */
  private int string(byte[] chunk, int from) {
    int end = StringRuns.end(chunk, from);
    if (readingKey) {
      keepKey(chunk, from, end);
    } else {
      members.run(chunk, from, end);
    }
    if (end == chunk.length) {
      return end;
    }
    switch (chunk[end]) {
      case '"' -> {
        if (readingKey) {
          return endKey(chunk, end + 1);
        } else {
          endValue(chunk, end + 1);
        }
      }
      case '\\' -> state = State.ESCAPE;
      default -> breakOff();
    }
    return end + 1;
  }

  /** Takes one byte outside a run of a string; returns the index of the next byte to look at. */
  private int structure(byte[] chunk, int at) {
    byte b = chunk[at];
    switch (state) {
      case VALUE -> value(chunk, at);
      case VALUE_OR_END -> {
        if (b == ']') {
          endContainer(chunk, at);
        } else {
          value(chunk, at);
        }
      }
      case KEY, KEY_OR_END -> {
        if (b == '"') {
          beginKey();
        } else if (b == '}' && state == State.KEY_OR_END) {
          endContainer(chunk, at);
        } else if (!isSpace(b)) {
          breakOff();
        }
      }
      case COLON -> {
        if (b == ':') {
          state = State.VALUE;
        } else if (!isSpace(b)) {
          breakOff();
        }
      }
      case AFTER_VALUE -> {
        return afterValue(chunk, at);
      }
      case ESCAPE -> escape(b);
      case HEX -> hex(b);
      case NUMBER -> {
        if (!number.next(b)) {
          if (!number.whole()) {
            return breakOff();
          }
          endValue(chunk, at);
          return at; // the byte belongs to what follows
        }
        if (number.length() > MAX_NUMBER_LENGTH) {
          exceed(Excess.PARSER_BOUND);
        }
      }
      case LITERAL -> {
        if (b != literal.charAt(literalAt++)) {
          breakOff();
        } else if (literalAt == literal.length()) {
          endValue(chunk, at + 1);
        }
      }
      default -> {
        if (!isSpace(b)) {
          breakOff();
        }
      }
    }
    return at + 1;
  }

  private void value(byte[] chunk, int at) {
    byte b = chunk[at];
    if (isSpace(b)) {
      return;
    }
    if (depth == 0 && b != '{') {
      breakOff();
      return;
    }
    if (depth == 1) {
      members.beginValue(b, at);
    }
    switch (b) {
      case '{', '[' -> beginContainer(b == '{');
      case '"' -> state = State.STRING;
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> {
        if (b == '-' || b >= '0' && b <= '9') {
          state = State.NUMBER;
          number.begin(b);
        } else {
          breakOff();
        }
      }
    }
  }

  private void literal(String word) {
    literal = word;
    literalAt = 1;
    state = State.LITERAL;
  }

  private void beginContainer(boolean object) {
    if (depth == MAX_DEPTH) {
      exceed(Excess.PARSER_BOUND);
      return;
    }
    objects = objects << 1 | (object ? 1 : 0);
    depth++;
    state = object ? State.KEY_OR_END : State.VALUE_OR_END;
  }

  private void endContainer(byte[] chunk, int at) {
    objects >>>= 1;
    depth--;
    endValue(chunk, at + 1);
  }

  private int afterValue(byte[] chunk, int at) {
    byte b = chunk[at];
    boolean object = (objects & 1) == 1;
    if (b == ',') {
      state = object ? State.KEY : State.VALUE;
      if (object && at + 1 < chunk.length && chunk[at + 1] == '"') {
        beginKey(); // as a rule at once
        return at + 2;
      }
    } else if (b == (object ? '}' : ']')) {
      endContainer(chunk, at);
    } else if (!isSpace(b)) {
      breakOff();
    }
    return at + 1;
  }

  private void beginKey() {
    state = State.STRING;
    readingKey = true;
    keyLength = 0;
  }

  private void escape(byte b) {
    switch (b) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
        state = State.STRING;
        if (readingKey) {
          keyLength = MAX_KEY_BYTES; // no wanted name needs one
        } else {
          members.escape(b);
        }
      }
      case 'u' -> {
        state = State.HEX;
        hexLeft = 4;
        hexValue = 0;
      }
      default -> breakOff();
    }
  }

  private void hex(byte b) {
    int digit = Character.digit(b, 16);
    if (digit < 0) {
      breakOff();
      return;
    }
    hexValue = hexValue << 4 | digit;
    if (--hexLeft > 0) {
      return;
    }
    state = State.STRING;
    if (readingKey) {
      keyLength = MAX_KEY_BYTES;
    } else {
      members.unit(hexValue);
    }
  }

  private void keepKey(byte[] chunk, int from, int to) {
    if (depth != 1) {
      return;
    }
    int count = to - from;
    if (keyLength + count >= MAX_KEY_BYTES) {
      keyLength = MAX_KEY_BYTES;
      return;
    }
    System.arraycopy(chunk, from, key, keyLength, count);
    keyLength += count;
  }

  /** A key ended before {@code end}; returns the index of the next byte to look at. */
  private int endKey(byte[] chunk, int end) {
    readingKey = false;
    state = State.COLON;
    if (depth == 1 && !members.beginMember(key, keyLength)) {
      return breakOff(); // which of the two is meant can't be told
    }
    // As a rule a colon and a string follow at once: two rounds of the loop less.
    if (depth > 1 && end + 1 < chunk.length && chunk[end] == ':' && chunk[end + 1] == '"') {
      state = State.STRING;
      return end + 2;
    }
    return end;
  }

  /** A value ended before {@code end}. */
  private void endValue(byte[] chunk, int end) {
    if (depth == 0) {
      state = State.DONE;
      reading = false;
      return;
    }
    state = State.AFTER_VALUE;
    if (depth == 1) {
      members.endValue(chunk, end);
    }
  }

  /** Whether JSON lets this byte stand between values. */
  static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
