package io.headgate.directory;

import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobSummary;
import io.headgate.graph.JobTime;
import io.headgate.graph.Lookup;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything the directory knows about one job, as one value: the execution that is active and the
 * one that ended last. A lookup that reads it can't see half a transition. Immutable.
 *
 * <p>The active execution's epoch is always higher than that of the ended one: an execution that
 * has ended never becomes active again, and one that was overtaken is gone.
 */
public final class JobRecord {
  private static final int VERSION = 1;
  private static final byte[] NOTHING = {};
  private static final JobRecord EMPTY = new JobRecord(null, null);

  private final @Nullable Run active;
  private final @Nullable EndedRun retained;

  private JobRecord(@Nullable Run active, @Nullable EndedRun retained) {
    this.active = active;
    this.retained = retained;
  }

  /** The execution that has not ended, or null. */
  public @Nullable Run active() {
    return active;
  }

  /** The execution that ended last, or null; what of it has expired is for the reader to see. */
  public @Nullable EndedRun retained() {
    return retained;
  }

  /**
   * A publication applied.
   *
   * @param outcome what became of it
   * @param record the job's record from now on; the very same object if nothing has changed
   */
  public record Change(PublishOutcome outcome, JobRecord record) {}

  /**
   * Applies {@code said} to what is known.
   *
   * <p>An execution that ends takes the place of the one that ended before it. A graph that was
   * published stays until another is, or until it expires. A higher epoch takes the active place
   * even if nobody ever ended the execution before: its publisher may have died.
   *
   * @param current what is known, or null of a job never published
   * @param historyMillis how long the state and the graph of an ended execution are kept
   */
  public static Change publish(
      @Nullable JobRecord current, Publication said, long nowMillis, long historyMillis) {
    JobRecord known = current == null ? EMPTY : current;
    long epoch = said.epoch();
    EndedRun ended = known.retained;
    Run open = known.active;
    if (ended != null && epoch < ended.run().epoch() || open != null && epoch < open.epoch()) {
      return new Change(PublishOutcome.STALE_EPOCH, known);
    }
    if (ended != null && epoch == ended.run().epoch()) {
      return said.status().isEnd()
          ? known.changedTo(null, ended.amended(said.run(), nowMillis, historyMillis))
          : new Change(PublishOutcome.ENDED, known);
    }
    Run run =
        open != null && epoch == open.epoch() ? open.with(said.status(), said.graph()) : said.run();
    if (run.status().isEnd()) {
      return known.changedTo(null, EndedRun.of(run, nowMillis, historyMillis));
    }
    return run.equals(open)
        ? new Change(PublishOutcome.UNCHANGED, known)
        : known.changedTo(run, unexpired(ended, nowMillis));
  }

  private static @Nullable EndedRun unexpired(@Nullable EndedRun ended, long nowMillis) {
    return ended == null || nowMillis >= ended.expiresAt() ? null : ended;
  }

  private Change changedTo(@Nullable Run newActive, @Nullable EndedRun newRetained) {
    if (newActive == active && newRetained == retained) {
      return new Change(PublishOutcome.UNCHANGED, this);
    }
    return new Change(PublishOutcome.PUBLISHED, new JobRecord(newActive, newRetained));
  }

  /**
   * What it means for a lookup (L22): the active execution wins, whatever its graph. Decodes the
   * graph, so it belongs on a worker.
   */
  public Lookup lookup(long nowMillis, GraphLimits limits) {
    if (active != null) {
      return active.lookup(limits, false);
    }
    return retained == null ? new Lookup.NotFound() : retained.lookup(nowMillis, limits);
  }

  /** When nothing of it will be known any more; {@link Long#MAX_VALUE} with an active execution. */
  public long expiresAtMillis() {
    if (active != null) {
      return Long.MAX_VALUE;
    }
    return retained == null ? 0 : retained.expiresAt();
  }

  /** How many bytes its graphs take, which is nearly all of it. */
  public int graphBytes() {
    return (active == null ? 0 : Run.graphBytes(active.graph()))
        + (retained == null ? 0 : Run.graphBytes(retained.run().graph()));
  }

  /**
   * What two halves of a cluster know of one job, put together after they were apart. Any number of
   * halves give the same, in whatever order: of each kind of execution the highest epoch wins, and
   * an execution that ended in one half has ended.
   */
  public static JobRecord merge(JobRecord a, JobRecord b) {
    EndedRun ended = merge(a.retained, b.retained);
    Run open = merge(a.active, b.active);
    boolean overtaken = ended != null && open != null && open.epoch() <= ended.run().epoch();
    return new JobRecord(overtaken ? null : open, ended);
  }

  private static @Nullable EndedRun merge(@Nullable EndedRun a, @Nullable EndedRun b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    int order = Long.compare(a.run().epoch(), b.run().epoch());
    return order == 0 ? EndedRun.merge(a, b) : order > 0 ? a : b;
  }

  private static @Nullable Run merge(@Nullable Run a, @Nullable Run b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    int order = Long.compare(a.epoch(), b.epoch());
    return order == 0 ? Run.merge(a, b) : order > 0 ? a : b;
  }

  /**
   * Its stored form, which members of different versions read.
   *
   * <pre>{@code
   * record:   version, part(active run), part(retained)
   * run:      epoch, status, created at, has graph, bytes(graph)
   * retained: part(run), state expires at, graph expires at, ended at
   * }</pre>
   *
   * <p>A part has its length before it and may be empty. New fields only ever go to the end of a
   * part or of the whole: who does not know them passes over them.
   */
  public byte[] toBytes() {
    byte[] activeBytes = active == null ? NOTHING : active.toBytes();
    byte[] retainedBytes = retained == null ? NOTHING : retained.toBytes();
    PackedWriter out =
        new PackedWriter(16 + activeBytes.length + retainedBytes.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(activeBytes);
    out.bytes(retainedBytes);
    return out.toByteArray();
  }

  /**
   * Reads a stored form of this version, an older or a newer one.
   *
   * @throws io.headgate.wire.UnreadableBytesException if it is none
   */
  public static JobRecord fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    PackedReader active = in.part();
    PackedReader retained = in.part();
    return new JobRecord(
        active.hasMore() ? Run.read(active) : null,
        retained.hasMore() ? EndedRun.read(retained) : null);
  }

  /**
   * What a list says about a job, from its stored form; graphs are not looked at.
   *
   * @return null if nothing of the job is known any more
   * @throws io.headgate.wire.UnreadableBytesException if the bytes are no stored form
   */
  public static @Nullable JobSummary summary(long jobId, byte[] bytes, long nowMillis) {
    PackedReader in = new PackedReader(bytes);
    in.octet();
    PackedReader active = in.part();
    PackedReader retained = in.part();
    if (active.hasMore()) {
      Run run = Run.readWithoutGraph(active);
      JobTime created = JobTime.ofMillis(run.createdAt());
      return new JobSummary(jobId, null, run.status(), true, created, null);
    }
    if (!retained.hasMore()) {
      return null;
    }
    EndedRun ended = EndedRun.readWithoutGraph(retained);
    if (nowMillis >= ended.stateExpiresAt()) {
      return null;
    }
    return new JobSummary(
        jobId,
        null,
        ended.run().status(),
        false,
        JobTime.ofMillis(ended.run().createdAt()),
        ended.endedAt() == 0 ? null : JobTime.ofMillis(ended.endedAt()));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JobRecord that
        && Objects.equals(active, that.active)
        && Objects.equals(retained, that.retained);
  }

  @Override
  public int hashCode() {
    return Objects.hash(active, retained);
  }

  /** Without the bytes of graphs. */
  @Override
  public String toString() {
    return "JobRecord[active " + active + ", retained " + retained + "]";
  }
}
