package io.headgate.upstream.zeta;

import io.headgate.graph.Excess;
import io.headgate.wire.CapExceededException;
import io.headgate.wire.CappedBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
  /** How the graph member of the body looked. */
  enum Graph {
    MISSING,
    NULL,
    OBJECT,
    /** The graph's own JSON text was wrapped into a string; what is kept is unwrapped. */
    STRING,
    OTHER
  }

  /** The members that are kept, by their names in the body. */
  enum Member {
    JOB_ID("jobId"),
    JOB_STATUS("jobStatus"),
    CREATE_TIME("createTime"),
    FINISH_TIME("finishTime"),
    JOB_DAG("jobDag");

    private final byte[] name;

    Member(String name) {
      this.name = name.getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Deeper than any recorded body by far; one level of a hostile body costs a bit. */
  static final int MAX_DEPTH = 64;

  /** Longer than any 64-bit integer or double needs to be. */
  static final int MAX_NUMBER_LENGTH = 64;

  /** The scalars that are kept are ids, states and times; the recordings stay below 32. */
  private static final int MAX_SCALAR_BYTES = 128;

  /** What stands for a scalar that is no scalar or far too long: present, and never right. */
  static final String UNUSABLE = "?";

  private static final int MAX_KEY_BYTES = 16;
  private static final int FIRST_SLICE_BYTES = 4 * 1024;
  private static final boolean[] ENDS_RUN = new boolean[256];

  static {
    Arrays.fill(ENDS_RUN, 0, 0x20, true);
    ENDS_RUN['"'] = true;
    ENDS_RUN['\\'] = true;
  }

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
  private final byte[] key = new byte[MAX_KEY_BYTES];
  private final NumberScanner number = new NumberScanner();
  private final @Nullable String[] scalars = new String[Member.JOB_DAG.ordinal()];

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

  // The member of the outermost object being read, and what is kept of it.
  private @Nullable Member member;
  private int membersSeen;
  private boolean otherMembers;
  private @Nullable CappedBuffer capture;
  private int captureFrom;
  private @Nullable StringUnwrapper unwrapper;
  private Graph graph = Graph.MISSING;
  private @Nullable CappedBuffer slice;

  /**
   * @param maxBytes the most bytes a body may have; past it the body counts as too large
   */
  JobInfoSlicer(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Takes the next bytes of the body.
   *
   * @return false once nothing more is worth reading: the text is no JSON, or a limit is passed
   */
  boolean feed(byte[] chunk) {
    bytesSeen += chunk.length;
    if (bytesSeen > maxBytes) {
      exceed(Excess.UPSTREAM_BYTES);
    }
    captureFrom = 0;
    try {
      for (int i = 0; i < chunk.length && state != State.BROKEN; ) {
        i = state == State.STRING ? string(chunk, i) : structure(chunk, i);
      }
      if (state != State.BROKEN && capture != null && unwrapper == null) {
        keep(capture, chunk, captureFrom, chunk.length);
      }
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
  Graph graph() {
    return graph;
  }

  /** The graph's JSON text, for {@link Graph#OBJECT} and {@link Graph#STRING}. */
  @Nullable CappedBuffer slice() {
    return slice;
  }

  /** The JSON text of a scalar member, or null where it is missing or null. */
  @Nullable String scalar(Member wanted) {
    String text = scalars[wanted.ordinal()];
    return "null".equals(text) ? null : text;
  }

  /** Whether the object has members besides the id of the job. */
  boolean hasMembersBesidesId() {
    return otherMembers;
  }

  private void exceed(Excess reason) {
    if (excess == null) {
      excess = reason;
    }
    broken();
  }

  private int broken() {
    state = State.BROKEN;
    capture = null;
    slice = null;
    return Integer.MAX_VALUE;
  }

  /** Reads on inside a string; returns the index of the next byte to look at. */
  private int string(byte[] chunk, int from) {
    int end = from;
    while (end < chunk.length && !ENDS_RUN[chunk[end] & 0xFF]) {
      end++;
    }
    if (readingKey) {
      keepKey(chunk, from, end);
    } else if (unwrapper != null) {
      unwrapper.run(chunk, from, end);
    }
    if (end == chunk.length || state == State.BROKEN) {
      return end;
    }
    switch (chunk[end]) {
      case '"' -> {
        if (readingKey) {
          readingKey = false;
          endKey();
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
          state = State.STRING;
          readingKey = true;
          keyLength = 0;
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
      case AFTER_VALUE -> afterValue(chunk, at);
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
      beginMember(b, at);
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

  private void afterValue(byte[] chunk, int at) {
    byte b = chunk[at];
    boolean object = (objects & 1) == 1;
    if (b == ',') {
      state = object ? State.KEY : State.VALUE;
    } else if (b == (object ? '}' : ']')) {
      endContainer(chunk, at);
    } else if (!isSpace(b)) {
      broken();
    }
  }

  private void escape(byte b) {
    switch (b) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
        state = State.STRING;
        if (readingKey) {
          keyLength = MAX_KEY_BYTES; // no wanted name needs one
        } else if (unwrapper != null) {
          unwrapper.escape(b);
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
    } else if (unwrapper != null) {
      unwrapper.unit(hexValue);
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

  private void endKey() {
    state = State.COLON;
    if (depth != 1) {
      return;
    }
    member = null;
    for (Member wanted : Member.values()) {
      if (Arrays.equals(key, 0, keyLength, wanted.name, 0, wanted.name.length)) {
        member = wanted;
      }
    }
    if (member != Member.JOB_ID) {
      otherMembers = true;
    }
    if (member != null) {
      int bit = 1 << member.ordinal();
      if ((membersSeen & bit) != 0) {
        broken(); // which of the two is meant can't be told
      }
      membersSeen |= bit;
    }
  }

  private void beginMember(byte first, int at) {
    if (member == null) {
      return;
    }
    boolean container = first == '{' || first == '[';
    if (member != Member.JOB_DAG) {
      if (container) {
        scalars[member.ordinal()] = UNUSABLE;
      } else {
        capture = new CappedBuffer(MAX_SCALAR_BYTES, MAX_SCALAR_BYTES);
        captureFrom = at;
      }
      return;
    }
    graph =
        switch (first) {
          case '{' -> Graph.OBJECT;
          case '"' -> Graph.STRING;
          case 'n' -> Graph.NULL;
          default -> Graph.OTHER;
        };
    if (graph == Graph.OBJECT || graph == Graph.STRING) {
      capture = new CappedBuffer(FIRST_SLICE_BYTES, maxBytes);
      captureFrom = at;
      slice = capture;
      if (graph == Graph.STRING) {
        unwrapper = new StringUnwrapper(capture);
      }
    }
  }

  /** A value ended before {@code end}; if it is a member's, what was to be kept of it is whole. */
  private void endValue(byte[] chunk, int end) {
    state = depth == 0 ? State.DONE : State.AFTER_VALUE;
    if (depth != 1 || member == null) {
      return;
    }
    if (unwrapper != null) {
      unwrapper.end();
      unwrapper = null;
    } else if (capture != null) {
      keep(capture, chunk, captureFrom, end);
      if (state != State.BROKEN && member != Member.JOB_DAG && scalars[member.ordinal()] == null) {
        scalars[member.ordinal()] =
            new String(capture.array(), 0, capture.length(), StandardCharsets.UTF_8);
      }
    }
    capture = null;
    member = null;
  }

  private void keep(CappedBuffer into, byte[] chunk, int from, int to) {
    int count = to - from;
    if (member != null && member != Member.JOB_DAG && into.length() + count > MAX_SCALAR_BYTES) {
      scalars[member.ordinal()] = UNUSABLE;
    } else {
      into.put(chunk, from, count);
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
