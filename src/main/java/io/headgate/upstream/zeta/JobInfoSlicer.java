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
 * <p>A body that ends early or is not JSON is told apart from one that is (L21). A graph that the
 * engine wrapped into a JSON string is unwrapped on the way. What it holds is bounded by the
 * upstream limit. Not thread-safe: one body, one event loop; afterwards the kept part may be handed
 * to a worker.
 */
final class JobInfoSlicer {
  private final int maxBytes;
  private final KeptParts kept;
  private final ObjectScanner scanner;

  private long bytesSeen;
  private boolean goesOn;

  /**
   * @param maxBytes the most bytes a body may have; past it the body counts as too large
   */
  JobInfoSlicer(int maxBytes) {
    this(maxBytes, maxBytes);
  }

  private JobInfoSlicer(int maxBytes, int maxKeptBytes) {
    this.maxBytes = maxBytes;
    this.kept = new KeptParts(maxKeptBytes);
    this.scanner = new ObjectScanner(kept);
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
      scanner.exceed(Excess.UPSTREAM_BYTES);
    }
    try {
      int end = scanner.feed(chunk, 0);
      if (scanner.complete() && !onlySpace(chunk, end)) {
        goesOn = true;
        kept.drop();
      }
    } catch (CapExceededException e) {
      scanner.exceed(Excess.UPSTREAM_BYTES);
    }
    return !scanner.broken() && !goesOn;
  }

  private static boolean onlySpace(byte[] chunk, int from) {
    for (int i = from; i < chunk.length; i++) {
      if (!ObjectScanner.isSpace(chunk[i])) {
        return false;
      }
    }
    return true;
  }

  /** The limit that was passed, if one was. */
  @Nullable Excess excess() {
    return scanner.excess();
  }

  /** Whether the body so far is one complete JSON object. */
  boolean complete() {
    return scanner.complete() && !goesOn;
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
}
