package io.headgate.directory;

import io.headgate.graph.JobListing;
import io.headgate.graph.JobSelection;
import io.headgate.graph.JobSummary;
import io.headgate.graph.JobTime;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import io.headgate.wire.UnreadableBytesException;
import java.util.List;

/**
 * The first of some records by {@link JobSummary#FIRST_TO_KEEP}, put together where they are kept,
 * so that a list of a whole cluster's jobs needs no more from each member than it can show. Not
 * thread-safe.
 */
public final class ListedRecords {
  private static final int VERSION = 1;

  /** The fewest bytes of a job's part: its length, id, state, and what tells its times. */
  private static final int FEWEST_BYTES = 4;

  private static final int TYPICAL_BYTES = 24;
  private static final int MOST_BYTES = 64;

  private static final int ACTIVE = 1;
  private static final int CREATED = 2;
  private static final int ENDED = 4;

  private final int most;
  private final long nowMillis;
  private final JobSelection selection;
  private boolean leftOut;

  /**
   * @param most the most jobs to keep
   * @param nowMillis the time by which records expire, in milliseconds since 1970
   */
  public ListedRecords(int most, long nowMillis) {
    this.most = most;
    this.nowMillis = nowMillis;
    this.selection = new JobSelection(most);
  }

  /** Takes a record in its stored form. */
  public void add(long jobId, byte[] stored) {
    try {
      JobSummary job = jobId > 0 ? JobRecord.summary(jobId, stored, nowMillis) : null;
      if (job != null) {
        selection.add(job);
      }
      leftOut |= jobId <= 0;
    } catch (UnreadableBytesException e) {
      leftOut = true;
    }
  }

  /** Takes what others kept. */
  public void addAll(ListedRecords others) {
    others.selection.jobs().forEach(selection::add);
    leftOut |= others.leftOut();
  }

  private boolean leftOut() {
    return leftOut || selection.leftOut();
  }

  /** What a source says of them. */
  public JobListing.Read listing() {
    return new JobListing.Read(selection.jobs(), !leftOut());
  }

  /**
   * Its stored form, on the way between members of any versions.
   *
   * <pre>{@code
   * all: version, most, now, left out, count, part(job)...
   * job: id, state, flags (active, created, ended), created at, ended at
   * }</pre>
   */
  public byte[] toBytes() {
    List<JobSummary> jobs = selection.jobs();
    PackedWriter out =
        new PackedWriter(32 + jobs.size() * TYPICAL_BYTES, 64 + jobs.size() * MOST_BYTES);
    out.octet(VERSION);
    out.number(most);
    out.signed(nowMillis);
    out.octet(leftOut() ? 1 : 0);
    out.number(jobs.size());
    for (JobSummary job : jobs) {
      out.bytes(toBytes(job));
    }
    return out.toByteArray();
  }

  private static byte[] toBytes(JobSummary job) {
    PackedWriter out = new PackedWriter(TYPICAL_BYTES, MOST_BYTES);
    out.number(job.jobId());
    out.octet(Run.stored(job.status()));
    JobTime created = job.created();
    JobTime ended = job.ended();
    out.octet(
        (job.active() ? ACTIVE : 0)
            | (created == null ? 0 : CREATED)
            | (ended == null ? 0 : ENDED));
    if (created != null) {
      out.signed(created.millis());
    }
    if (ended != null) {
      out.signed(ended.millis());
    }
    return out.toByteArray();
  }

  /**
   * Reads a stored form.
   *
   * @throws UnreadableBytesException if it is none
   */
  public static ListedRecords fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    long most = in.number();
    if (most < 1 || most > Integer.MAX_VALUE) {
      throw in.unreadable();
    }
    ListedRecords records = new ListedRecords((int) most, in.signed());
    records.leftOut = in.octet() != 0;
    for (int left = in.count(FEWEST_BYTES); left > 0; left--) {
      records.selection.add(job(in.part()));
    }
    return records;
  }

  private static JobSummary job(PackedReader in) {
    long id = in.number();
    if (id <= 0) {
      throw in.unreadable();
    }
    int state = in.octet();
    int flags = in.octet();
    JobTime created = (flags & CREATED) == 0 ? null : JobTime.ofMillis(in.signed());
    JobTime ended = (flags & ENDED) == 0 ? null : JobTime.ofMillis(in.signed());
    boolean active = (flags & ACTIVE) != 0;
    return new JobSummary(id, null, Run.status(state), active, created, ended);
  }
}
