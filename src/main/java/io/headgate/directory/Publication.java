package io.headgate.directory;

import io.headgate.graph.JobStatus;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a service says about one execution of a job at one moment. Immutable; nobody may write to
 * the graph's bytes afterwards.
 *
 * @param jobId positive
 * @param epoch positive; a later execution of the job has a larger one
 * @param status the state of the execution
 * @param createdAt when it began, cut to milliseconds and to the years 0 to 9999; what the first
 *     publication of an epoch says stays
 * @param graph the checked graph as {@link io.headgate.graph.GraphCodec} wrote it; null if there is
 *     nothing new to say about it
 */
public record Publication(
    long jobId, long epoch, JobStatus status, Instant createdAt, byte @Nullable [] graph) {
  private static final int VERSION = 1;
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  public Publication {
    if (jobId <= 0 || epoch <= 0) {
      throw new IllegalArgumentException("job id and epoch are positive");
    }
    Instant within = createdAt.isBefore(FIRST) ? FIRST : createdAt.isAfter(LAST) ? LAST : createdAt;
    createdAt = Instant.ofEpochMilli(within.toEpochMilli());
  }

  /** What it says about the execution, as a record keeps it. */
  Run run() {
    return new Run(epoch, status, createdAt.toEpochMilli(), graph);
  }

  /** Its form for the way to the job's owner. */
  public byte[] toBytes() {
    PackedWriter out = new PackedWriter(48 + Run.graphBytes(graph), Integer.MAX_VALUE);
    out.octet(VERSION);
    out.number(jobId);
    out.bytes(run().toBytes());
    return out.toByteArray();
  }

  /**
   * Reads a form of this version, an older or a newer one.
   *
   * @throws io.headgate.wire.UnreadableBytesException if it is none
   */
  public static Publication fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    long jobId = in.number();
    Run run = Run.read(in.part());
    if (jobId <= 0 || run.epoch() <= 0) {
      throw in.unreadable();
    }
    return new Publication(
        jobId, run.epoch(), run.status(), Instant.ofEpochMilli(run.createdAt()), run.graph());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Publication that && jobId == that.jobId && run().equals(that.run());
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(jobId) + run().hashCode();
  }

  /** Without the bytes of the graph. */
  @Override
  public String toString() {
    return "Publication[job " + jobId + ", " + run() + "]";
  }
}
