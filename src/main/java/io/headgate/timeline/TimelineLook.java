package io.headgate.timeline;

import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;

/**
 * What has to be known of a timeline to decide whether its job should be asked after (T12).
 *
 * @param active whether a record is unresolved
 * @param endedAt when the job ended, or {@link Timeline#NEVER}
 * @param changedAt when anything changed last
 */
public record TimelineLook(boolean active, long endedAt, long changedAt) {
  private static final int VERSION = 1;

  public static TimelineLook of(Timeline timeline) {
    return new TimelineLook(timeline.isActive(), timeline.endedAt(), timeline.changedAt());
  }

  /** Whether the job has ended, as far as its timeline was told. */
  public boolean ended() {
    return endedAt != Timeline.NEVER;
  }

  /** Its form between members. */
  public byte[] toBytes() {
    PackedWriter out = new PackedWriter(32, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.octet(active ? 1 : 0);
    out.signed(endedAt);
    out.signed(changedAt);
    return out.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} has written.
   *
   * @throws io.headgate.wire.UnreadableBytesException if the bytes are something else
   */
  public static TimelineLook fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new TimelineLook(in.octet() != 0, in.signed(), in.signed());
  }
}
