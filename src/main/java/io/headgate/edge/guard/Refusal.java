package io.headgate.edge.guard;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import org.jspecify.annotations.Nullable;

/**
 * Why a request head was refused. Shared instances without stack traces: an attack costs little.
 */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of refusal; each is one error code of the edge. */
  public enum Kind {
    MALFORMED,
    /** Content with a method that takes none. */
    CONTENT,
    LATE,
    LONG_LINE,
    HEADERS,
    CODING
  }

  static final Refusal MALFORMED = new Refusal(Kind.MALFORMED);
  static final Refusal CONTENT = new Refusal(Kind.CONTENT);
  static final Refusal LATE = new Refusal(Kind.LATE);
  static final Refusal LONG_LINE = new Refusal(Kind.LONG_LINE);
  static final Refusal HEADERS = new Refusal(Kind.HEADERS);
  static final Refusal CODING = new Refusal(Kind.CODING);

  private final Kind kind;

  private Refusal(Kind kind) {
    super(kind.name(), null, false, false);
    this.kind = kind;
  }

  /** What it is about. */
  public Kind kind() {
    return kind;
  }

  /** The refusal that stands for what the decoder reported. */
  public static Refusal of(@Nullable Throwable cause) {
    if (cause instanceof Refusal refusal) {
      return refusal;
    }
    if (cause instanceof TooLongHttpLineException) {
      return LONG_LINE;
    }
    return cause instanceof TooLongHttpHeaderException ? HEADERS : MALFORMED;
  }
}
