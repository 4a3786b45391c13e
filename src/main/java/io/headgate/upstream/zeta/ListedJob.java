package io.headgate.upstream.zeta;

import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.JobTime;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.Decimal;
import io.headgate.wire.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a list keeps of one job-info object: id, name, state and times. Everything else, its graph
 * and metrics first of all, is not looked at. Not thread-safe.
 */
final class ListedJob implements Members {
  private enum Member {
    JOB_ID("jobId"),
    NAME("jobName"),
    STATUS("jobStatus"),
    CREATED("createTime"),
    FINISHED("finishTime");

    private static final Member[] ALL = values();

    private final byte[] name;

    Member(String name) {
      this.name = name.getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Ids, states and times are far shorter, and no number is longer than half of it. */
  private static final int MOST_OTHER_BYTES = 128;

  /** What one escape can add to a text beyond its bound before that is looked at. */
  private static final int SLACK = 8;

  private final CappedBuffer text;
  private final int maxNameBytes;
  private final @Nullable String[] values = new String[Member.ALL.length];
  private int seen;

  // The member being read, if it is wanted, and its value while it may be kept.
  private @Nullable Member member;
  private int maxBytes;
  private @Nullable StringUnwrapper string;
  private boolean number;
  private int numberFrom;

  /**
   * @param text from {@link #buffer}
   * @param maxNameBytes the most bytes of a name; a longer one is left out
   */
  ListedJob(CappedBuffer text, int maxNameBytes) {
    this.text = text;
    this.maxNameBytes = maxNameBytes;
  }

  /** What values are put together in; for one job after the other. */
  static CappedBuffer buffer(int maxNameBytes) {
    int most = Math.max(MOST_OTHER_BYTES, maxNameBytes) + SLACK;
    return new CappedBuffer(MOST_OTHER_BYTES, most);
  }

  /**
   * The job, once its object is complete, or null if it has no usable id.
   *
   * @param active whether it stands in a list of active jobs
   */
  @Nullable JobSummary summary(boolean active) {
    String id = value(Member.JOB_ID);
    if (id == null || !Decimal.isCanonical(id) || Long.parseLong(id) <= 0) {
      return null;
    }
    String state = value(Member.STATUS);
    JobStatus status = state == null ? null : JobStatus.of(state);
    return new JobSummary(
        Long.parseLong(id),
        value(Member.NAME),
        status == null ? JobStatus.UNKNOWABLE : status,
        active,
        time(Member.CREATED),
        time(Member.FINISHED));
  }

  /** Whether the job has an end, as only the record of an ended execution does. */
  boolean hasEnded() {
    return value(Member.FINISHED) != null;
  }

  private @Nullable JobTime time(Member wanted) {
    String value = value(wanted);
    return value == null ? null : JobTime.ofEngine(value);
  }

  private @Nullable String value(Member wanted) {
    return values[wanted.ordinal()];
  }

  @Override
  public boolean beginMember(byte[] key, int keyLength) {
    member = null;
    for (Member wanted : Member.ALL) {
      if (Arrays.equals(key, 0, keyLength, wanted.name, 0, wanted.name.length)) {
        member = wanted;
      }
    }
    if (member == null) {
      return true;
    }
    int bit = 1 << member.ordinal();
    boolean first = (seen & bit) == 0;
    seen |= bit;
    return first;
  }

  @Override
  public void beginValue(byte first, int at) {
    if (member == null) {
      return;
    }
    text.clear();
    maxBytes = member == Member.NAME ? maxNameBytes : MOST_OTHER_BYTES;
    number = first == '-' || first >= '0' && first <= '9';
    numberFrom = at;
    string = first == '"' ? new StringUnwrapper(text) : null;
  }

  @Override
  public void run(byte[] chunk, int from, int to) {
    if (string != null && fits(to - from)) {
      string.run(chunk, from, to);
    }
  }

  @Override
  public void escape(byte second) {
    if (string != null && fits(1)) {
      string.escape(second);
    }
  }

  @Override
  public void unit(int value) {
    if (string != null && fits(1)) {
      string.unit(value);
    }
  }

  /** Whether so many more bytes fit; else the value is not kept. */
  private boolean fits(int bytes) {
    if (text.length() + bytes > maxBytes) {
      string = null;
    }
    return string != null;
  }

  @Override
  public void endValue(byte[] chunk, int end) {
    takeNumber(chunk, end);
    if (member != null && (number || endString())) {
      values[member.ordinal()] = new String(text.array(), 0, text.length(), StandardCharsets.UTF_8);
    }
    member = null;
    number = false;
    string = null;
  }

  /** Whether a string has ended that is short enough and well-formed. */
  private boolean endString() {
    if (string == null) {
      return false;
    }
    string.end();
    return text.length() <= maxBytes && !Utf8.mend(text.array(), text.length());
  }

  @Override
  public void endChunk(byte[] chunk) {
    takeNumber(chunk, chunk.length);
    numberFrom = 0;
  }

  private void takeNumber(byte[] chunk, int to) {
    if (number) {
      text.put(chunk, numberFrom, to - numberFrom);
    }
  }

  @Override
  public void drop() {
    member = null;
    number = false;
    string = null;
  }
}
