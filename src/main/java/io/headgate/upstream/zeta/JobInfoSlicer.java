package io.headgate.upstream.zeta;

import io.headgate.graph.Excess;
import io.headgate.wire.CapExceededException;
import io.headgate.wire.CappedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a job-info body as it streams in and keeps only what the lineage needs: the job's id,
 * status and times, and the text of its graph. Metrics, environment, jar URLs and error text are
 * passed over byte by byte and never stored (L14); they are most of a large body.
 *
 * <p>It is a strict, incremental JSON scanner: a body that ends early or is not JSON is told apart
 * from one that is (L21). A graph that the engine wrapped into a JSON string is unwrapped on the
 * way. What it holds is bounded by the upstream limit. Not thread-safe: one body, one event loop;
 * afterwards the kept part may be handed to a worker.
 */
final class JobInfoSlicer {
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

  private final int maxBytes;
  private final KeptParts kept;
  private final byte[] key = new byte[MAX_KEY_BYTES];
  private final NumberScanner number = new NumberScanner();

  private State state = State.VALUE;
  private @Nullable Excess excess;
  private long bytesSeen;

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

  /**
   * @param maxBytes the most bytes a body may have; past it the body counts as too large
   */
  JobInfoSlicer(int maxBytes) {
    this(maxBytes, maxBytes);
  }

  private JobInfoSlicer(int maxBytes, int maxKeptBytes) {
    this.maxBytes = maxBytes;
    this.kept = new KeptParts(maxKeptBytes);
  }

  /** One that only says whether a text is one JSON object. */
  static JobInfoSlicer keepingNothing() {
    return new JobInfoSlicer(Integer.MAX_VALUE, 0);
  }

  /**
   * Takes the next bytes of the body. They must not be changed afterwards: the graph's are kept.
   *
   * @return false once nothing more is worth reading: the text is no JSON, or a limit is passed
   */
  boolean feed(byte[] chunk) {
    bytesSeen += chunk.length;
    if (bytesSeen > maxBytes) {
      exceed(Excess.UPSTREAM_BYTES);
    }
    try {
      for (int i = 0; i < chunk.length && state != State.BROKEN; ) {
        i = state == State.STRING ? string(chunk, i) : structure(chunk, i);
      }
      kept.endChunk(chunk);
    } catch (CapExceededException e) {
      exceed(Excess.UPSTREAM_BYTES);
    }
    return state != State.BROKEN;
  }

  /** The limit that was passed, if one was. */
  @Nullable Excess excess() {
    return excess;
  }

  /** Whether the body so far is one complete JSON object. */
  boolean complete() {
    return state == State.DONE;
  }

  /** What stands where the graph is expected. */
  KeptParts.Graph graph() {
    return kept.graph();
  }

  /** The graph's JSON text, if it is an object or a string; for the worker to call. */
  @Nullable CappedBuffer slice() {
    return kept.slice();
  }

  /** The JSON text of a scalar member, or null where it is missing or null. */
  @Nullable String scalar(KeptParts.Member wanted) {
    return kept.scalar(wanted);
  }

  /** Whether the object has members besides the id of the job. */
  boolean hasMembersBesidesId() {
    return kept.hasMembersBesidesId();
  }

  private void exceed(Excess reason) {
    if (excess == null) {
      excess = reason;
    }
    broken();
  }

  private int broken() {
    state = State.BROKEN;
    kept.drop();
    return Integer.MAX_VALUE;
  }

  /** Reads on inside a string; returns the index of the next byte to look at. */
  private int string(byte[] chunk, int from) {
    int end = StringRuns.end(chunk, from);
    if (readingKey) {
      keepKey(chunk, from, end);
    } else {
      kept.run(chunk, from, end);
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
      default -> broken();
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
          broken();
        }
      }
      case COLON -> {
        if (b == ':') {
          state = State.VALUE;
        } else if (!isSpace(b)) {
          broken();
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
            return broken();
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
          broken();
        } else if (literalAt == literal.length()) {
          endValue(chunk, at + 1);
        }
      }
      default -> {
        if (!isSpace(b)) {
          broken();
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
      broken();
      return;
    }
    if (depth == 1) {
      kept.beginValue(b, at);
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
          broken();
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
      broken();
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
          kept.escape(b);
        }
      }
      case 'u' -> {
        state = State.HEX;
        hexLeft = 4;
        hexValue = 0;
      }
      default -> broken();
    }
  }

  private void hex(byte b) {
    int digit = Character.digit(b, 16);
    if (digit < 0) {
      broken();
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
      kept.unit(hexValue);
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
    if (depth == 1 && !kept.beginMember(key, keyLength)) {
      return broken(); // which of the two is meant can't be told
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
    state = depth == 0 ? State.DONE : State.AFTER_VALUE;
    if (depth == 1) {
      kept.endValue(chunk, end);
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
