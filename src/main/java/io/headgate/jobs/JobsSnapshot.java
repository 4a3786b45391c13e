package io.headgate.jobs;

import io.headgate.graph.JobSelection;
import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.JobTime;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of all sources as they were read last. Immutable; its entries are written once, when it
 * is made, so that a page is a copy of bytes and can be made on an event loop.
 *
 * <pre>{@code
 * {"schemaVersion":1,"ageMillis":17,"complete":true,
 *  "jobs":[{"jobId":"42","name":"copy","state":"RUNNING","createTime":"2026-11-30T09:41:54",
 *           "finishTime":null,"source":"ZETA"}],
 *  "next":null}
 * }</pre>
 */
public final class JobsSnapshot {
  /** The most jobs that are listed; two or three megabytes of them, with names as people give. */
  public static final int MOST_JOBS = 10_000;

  /**
   * A page ends early rather than pass this many bytes; more than the longest entry, and less than
   * the smallest budget of unwritten bytes.
   */
  static final int PAGE_BYTES = 512 * 1024;

  /** What an entry has beside its name, and a little more. */
  private static final int ENTRY_BYTES = 256;

  /** One character of a name in a JSON string. */
  private static final int MOST_CHAR_BYTES = 6;

  /**
   * The ceiling of {@code limits.stringBytes}; a page has room for such a name, whatever is in it.
   */
  static final int MOST_NAME_CHARS = 64 * 1024;

  private static final byte[] AGE = ascii("{\"schemaVersion\":1,\"ageMillis\":");
  private static final byte[] WHOLE = ascii(",\"complete\":true,\"jobs\":[");
  private static final byte[] PARTIAL = ascii(",\"complete\":false,\"jobs\":[");
  private static final byte[] NEXT = ascii("],\"next\":\"");
  private static final byte[] LAST = ascii("],\"next\":null}");
  private static final int ENVELOPE_BYTES = 256;

  /** Ids, from the highest to the lowest. */
  private final long[] ids;

  private final JobStatus[] states;

  /** The entry of {@code ids[i]} is what stands from {@code ends[i - 1]} to {@code ends[i]}. */
  private final int[] ends;

  private final byte[] text;
  private final boolean complete;
  private final long readAtNanos;

  /**
   * What is known of one source.
   *
   * @param origin how the list calls it
   * @param jobs its jobs
   * @param readAtNanos when the reading of them began, on the clock of {@link System#nanoTime()}
   */
  record Part(Origin origin, List<JobSummary> jobs, long readAtNanos) {}

  /**
   * Puts sources together: one entry a job, active ones before ended ones and then the newest, and
   * of equal ones the first source's.
   *
   * @param parts at least one, in the order of the sources
   * @param complete false if a source has more to tell
   */
  static JobsSnapshot of(List<Part> parts, boolean complete) {
    JobSelection selection = new JobSelection(MOST_JOBS);
    Map<Long, Origin> origins = new HashMap<>();
    long oldest = parts.get(0).readAtNanos;
    for (Part part : parts) {
      oldest = part.readAtNanos - oldest < 0 ? part.readAtNanos : oldest;
      for (JobSummary job : part.jobs) {
        if (selection.add(job)) {
          origins.put(job.jobId(), part.origin);
        }
      }
    }
    List<JobSummary> jobs = new ArrayList<>(selection.jobs());
    jobs.sort(Comparator.comparingLong(JobSummary::jobId).reversed());
    return new JobsSnapshot(jobs, origins, complete && !selection.leftOut(), oldest);
  }

  private JobsSnapshot(
      List<JobSummary> jobs, Map<Long, Origin> origins, boolean complete, long readAtNanos) {
    this.complete = complete;
    this.readAtNanos = readAtNanos;
    ids = new long[jobs.size()];
    states = new JobStatus[jobs.size()];
    ends = new int[jobs.size()];
    CappedBuffer out = new CappedBuffer((long) jobs.size() * ENTRY_BYTES, mostBytes(jobs));
    for (int i = 0; i < ids.length; i++) {
      JobSummary job = jobs.get(i);
      ids[i] = job.jobId();
      states[i] = job.status();
      write(job, Objects.requireNonNull(origins.get(job.jobId())), out);
      ends[i] = out.length();
    }
    text = out.toByteArray();
  }

  /** A selection bounds the characters of names, so this can't overflow. */
  private static int mostBytes(List<JobSummary> jobs) {
    int most = ENVELOPE_BYTES;
    for (JobSummary job : jobs) {
      String name = job.name();
      most += ENTRY_BYTES + MOST_CHAR_BYTES * (name == null ? 0 : name.length());
    }
    return most;
  }

  private static void write(JobSummary job, Origin origin, CappedBuffer out) {
    out.putAscii("{\"jobId\":\"");
    out.putDecimal(job.jobId());
    out.putAscii("\",\"name\":");
    String name = job.name();
    if (name != null && name.length() <= MOST_NAME_CHARS && JsonText.isWellFormed(name)) {
      JsonText.writeQuoted(name, JsonText.isPlain(name), out);
    } else {
      out.putAscii("null");
    }
    out.putAscii(",\"state\":\"");
    out.putAscii(job.status().name());
    out.putAscii("\",\"createTime\":");
    write(job.created(), out);
    out.putAscii(",\"finishTime\":");
    write(job.ended(), out);
    out.putAscii(",\"source\":\"");
    out.putAscii(origin.name());
    out.putAscii("\"}");
  }

  private static void write(@Nullable JobTime time, CappedBuffer out) {
    out.putAscii(time == null ? "null" : "\"" + time + "\"");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Writes one page: jobs by id, from the highest to the lowest, and the id to go on after if there
   * are more. It may have fewer jobs than wanted and still not be the last.
   *
   * @param nowNanos the time on the clock of {@link System#nanoTime()}
   */
  public CappedBuffer page(JobsQuery query, long nowNanos) {
    int first = query.after() == JobsQuery.FROM_THE_TOP ? 0 : firstBelow(query.after());
    int hint = Math.min(PAGE_BYTES, Math.min(query.limit(), ids.length - first) * ENTRY_BYTES);
    CappedBuffer out = new CappedBuffer(hint + ENVELOPE_BYTES, PAGE_BYTES + ENVELOPE_BYTES);
    out.put(AGE);
    out.putDecimal(TimeUnit.NANOSECONDS.toMillis(ageNanos(nowNanos)));
    out.put(complete ? WHOLE : PARTIAL);
    int count = 0;
    long last = 0;
    for (int i = first; i < ids.length; i++) {
      if (query.state() != null && states[i] != query.state()) {
        continue;
      }
      int begin = i == 0 ? 0 : ends[i - 1];
      if (count == query.limit() || count > 0 && out.length() + ends[i] - begin >= PAGE_BYTES) {
        out.put(NEXT);
        out.putDecimal(last);
        out.putAscii("\"}");
        return out;
      }
      if (count++ > 0) {
        out.put((byte) ',');
      }
      out.put(text, begin, ends[i] - begin);
      last = ids[i];
    }
    out.put(LAST);
    return out;
  }

  private int firstBelow(long id) {
    int from = 0;
    int to = ids.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (ids[middle] < id) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }

  /** How many jobs are listed. */
  public int jobs() {
    return ids.length;
  }

  /** False if there are jobs that are not listed, or may be. */
  public boolean complete() {
    return complete;
  }

  /** How long ago the reading of its oldest part began. */
  public long ageNanos(long nowNanos) {
    return Math.max(0, nowNanos - readAtNanos);
  }
}
