package io.headgate.upstream.zeta;

import io.headgate.directory.Publication;
import io.headgate.graph.Excess;
import io.headgate.graph.GraphCodec;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.GraphWriter;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.JobStatus;
import io.headgate.wire.CapExceededException;
import io.headgate.wire.JsonCursor;
import io.headgate.wire.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a service publishes about one execution of a job:
 *
 * <pre>{@code
 * {"epoch":1,"status":"RUNNING","createdAt":"2026-11-30T09:41:54Z","graph":{…}}
 * }</pre>
 *
 * <p>{@code graph} may be missing; if it is there it is the engine's {@code jobDag} of shape A and
 * is checked like one that the engine reports (L10, L12). Everything around it is read strictly:
 * another member, one that is there twice, or a value of another type makes the whole unreadable.
 * Holds no state between bodies; safe on any thread. Takes time, so it belongs on a worker.
 */
public final class PublicationParser {
  private static final byte[][] MEMBERS =
      Stream.of("epoch", "status", "createdAt", "graph")
          .map(name -> name.getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);

  /** Longer than any status and any instant, escapes included. */
  private static final int MAX_TEXT_BYTES = 256;

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant BEYOND = Instant.parse("+10000-01-01T00:00:00Z");

  private final GraphLimits limits;

  public PublicationParser(GraphLimits limits) {
    this.limits = limits;
  }

  /** What a body turned out to be. */
  public sealed interface Parsed {
    /** A publication, its graph checked and encoded. */
    record Accepted(Publication publication) implements Parsed {}

    /** It is not of the form above. */
    record Malformed() implements Parsed {}

    /** Its graph is missing something, contradicts itself or is another job's. */
    record Inconsistent(Inconsistency reason) implements Parsed {}

    /** Its graph passes a limit, or the text passes a bound of the parser. */
    record TooLarge(Excess reason) implements Parsed {}
  }

  /**
   * Reads one body.
   *
   * @param body the whole body; handed over, since ill-formed bytes in it are replaced
   * @param jobId the job that the path names
   */
  public Parsed parse(byte[] body, long jobId) {
    boolean mended = Utf8.mend(body, body.length);
    JobInfoSlicer scanner = JobInfoSlicer.keepingNothing();
    scanner.feed(body);
    if (scanner.excess() != null) {
      return new Parsed.TooLarge(scanner.excess());
    }
    if (!scanner.complete()) {
      return new Parsed.Malformed();
    }
    Fields fields = new Fields(new JsonCursor(body), jobId, limits);
    if (!fields.read()) {
      return new Parsed.Malformed();
    }
    if (mended && fields.graph != null) {
      // Anywhere but in the graph, a replaced byte has made a member or a value unknown.
      fields.graph.fault(Inconsistency.ILL_FORMED_TEXT);
    }
    return fields.checked();
  }

  /** The members of one body, as they come. */
  private static final class Fields {
    private final JsonCursor json;
    private final long jobId;
    private final GraphLimits limits;

    private long epoch;
    private @Nullable JobStatus status;
    private @Nullable Instant createdAt;
    private @Nullable JobGraphBuilder graph;

    Fields(JsonCursor json, long jobId, GraphLimits limits) {
      this.json = json;
      this.jobId = jobId;
      this.limits = limits;
    }

    /** Reads the whole object; false if it is not of the form. */
    boolean read() {
      int seen = 0;
      json.enter();
      for (int m; (m = json.nextMember(MEMBERS)) != JsonCursor.END; ) {
        if (m == JsonCursor.OTHER || (seen & 1 << m) != 0 || !readValue(m)) {
          return false;
        }
        seen |= 1 << m;
      }
      return epoch > 0 && status != null && createdAt != null;
    }

    private boolean readValue(int member) {
      return switch (member) {
        case 0 -> readEpoch();
        case 1 -> (status = JobStatus.of(readText())) != null;
        case 2 -> (createdAt = instant(readText())) != null;
        default -> readGraph();
      };
    }

    private boolean readEpoch() {
      boolean number = json.peek() != '"';
      boolean integer = json.readInteger();
      epoch = integer ? json.integer() : 0;
      return number && epoch > 0;
    }

    /** The string that comes next, or an empty one if it is none that could be meant. */
    private String readText() {
      return json.readString() && json.stringBytes() <= MAX_TEXT_BYTES ? json.string() : "";
    }

    private static @Nullable Instant instant(String text) {
      try {
        Instant instant = Instant.parse(text);
        return instant.isBefore(FIRST) || !instant.isBefore(BEYOND) ? null : instant;
      } catch (DateTimeException e) {
        return null;
      }
    }

    private boolean readGraph() {
      if (json.peek() != '{') {
        return false;
      }
      graph = new JobGraphBuilder(jobId, limits);
      new JobDagReader(json, jobId, graph).read();
      return true;
    }

    Parsed checked() {
      if (graph == null) {
        return accepted(null);
      }
      JobGraphBuilder.Built built = graph.build();
      if (built instanceof JobGraphBuilder.Built.TooLarge tooLarge) {
        return new Parsed.TooLarge(tooLarge.reason());
      }
      if (built instanceof JobGraphBuilder.Built.Inconsistent inconsistent) {
        return new Parsed.Inconsistent(inconsistent.reason());
      }
      JobGraph whole = ((JobGraphBuilder.Built.Checked) built).graph();
      try {
        // Better to tell the publisher now than everybody who asks for the job.
        GraphWriter.write(whole, limits.responseBytes());
        return accepted(GraphCodec.encode(whole, limits.responseBytes()));
      } catch (CapExceededException e) {
        return new Parsed.TooLarge(Excess.RESPONSE_BYTES);
      }
    }

    private Parsed accepted(byte @Nullable [] encoded) {
      if (status == null || createdAt == null) {
        return new Parsed.Malformed();
      }
      return new Parsed.Accepted(new Publication(jobId, epoch, status, createdAt, encoded));
    }
  }
}
