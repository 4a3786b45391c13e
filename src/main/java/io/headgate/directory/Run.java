package io.headgate.directory;

import io.headgate.graph.Execution;
import io.headgate.graph.GraphCodec;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.JobStatus;
import io.headgate.graph.Lookup;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was published of one execution. Immutable; nobody may write to the graph's bytes.
 *
 * @param epoch the number of the execution
 * @param status its last state
 * @param createdAt when it began, in milliseconds since 1970
 * @param graph its graph as {@link GraphCodec} wrote it, or null if none was published
 */
public record Run(long epoch, JobStatus status, long createdAt, byte @Nullable [] graph) {
  private static final JobStatus[] STATUSES = JobStatus.values();

  /** Set beside the state, so that one that only a newer version knows is still an end, or none. */
  private static final int END = 0x80;

  Run with(JobStatus newStatus, byte @Nullable [] newGraph) {
    return new Run(epoch, newStatus, createdAt, newGraph == null ? graph : newGraph);
  }

  Run withoutGraph() {
    return new Run(epoch, status, createdAt, null);
  }

  boolean hasGraph(byte[] other) {
    return Arrays.equals(graph, other);
  }

  /** What it means for a lookup; decodes the graph. */
  Lookup lookup(GraphLimits limits, boolean retained) {
    if (graph == null) {
      return new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, retained);
    }
    JobGraphBuilder.Built built = GraphCodec.decode(graph, limits);
    if (built instanceof JobGraphBuilder.Built.Checked checked) {
      Execution execution = Execution.ofEpoch(epoch, Instant.ofEpochMilli(createdAt));
      return new Lookup.Found(checked.graph(), execution, retained);
    }
    return built instanceof JobGraphBuilder.Built.TooLarge tooLarge
        ? new Lookup.TooLarge(tooLarge.reason(), retained)
        : new Lookup.Inconsistent(((JobGraphBuilder.Built.Inconsistent) built).reason(), retained);
  }

  /** The same execution as two halves of a cluster know it; the larger of each in some order. */
  static Run merge(Run a, Run b) {
    return new Run(
        a.epoch,
        a.status.compareTo(b.status) >= 0 ? a.status : b.status,
        Math.min(a.createdAt, b.createdAt),
        compareGraphs(a.graph, b.graph) >= 0 ? a.graph : b.graph);
  }

  /** Any graph is more than none, and a longer one more than a shorter. */
  static int compareGraphs(byte @Nullable [] a, byte @Nullable [] b) {
    if (a == null || b == null) {
      return Boolean.compare(a != null, b != null);
    }
    return a.length != b.length ? Integer.compare(a.length, b.length) : Arrays.compare(a, b);
  }

  static int graphBytes(byte @Nullable [] graph) {
    return graph == null ? 0 : graph.length;
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(24 + graphBytes(graph), Integer.MAX_VALUE);
    out.number(epoch);
    out.octet(stored(status));
    out.signed(createdAt);
    out.octet(graph == null ? 0 : 1);
    if (graph != null) {
      out.bytes(graph);
    }
    return out.toByteArray();
  }

  static Run read(PackedReader in) {
    Run run = readWithoutGraph(in);
    return in.octet() == 1 ? run.with(run.status, in.bytes()) : run;
  }

  /** Reads what stands before the graph, and leaves the rest unread. */
  static Run readWithoutGraph(PackedReader in) {
    long epoch = in.number();
    JobStatus status = status(in.octet());
    long createdAt = in.signed();
    return new Run(epoch, status, createdAt, null);
  }

  /** The stored form of a state, one byte. */
  static int stored(JobStatus status) {
    return status.ordinal() | (status.isEnd() ? END : 0);
  }

  /** The state of a stored form, which a newer version may have written. */
  static JobStatus status(int stored) {
    int ordinal = stored & ~END;
    if (ordinal < STATUSES.length) {
      return STATUSES[ordinal];
    }
    return (stored & END) != 0 ? JobStatus.UNKNOWABLE : JobStatus.RUNNING;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Run that
        && epoch == that.epoch
        && status == that.status
        && createdAt == that.createdAt
        && Arrays.equals(graph, that.graph);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(epoch) + status.hashCode();
  }

  /** Without the bytes of the graph. */
  @Override
  public String toString() {
    return "epoch " + epoch + " " + status + ", graph of " + graphBytes(graph) + " bytes";
  }
}
