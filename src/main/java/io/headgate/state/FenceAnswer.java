package io.headgate.state;

import io.headgate.state.ServedJob.Verdict;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a job says to a gateway that asked for passage.
 *
 * @param verdict whether the answer may be served
 * @param yielded whether it is older and is served again after the hold
 * @param ids to serve it under, in the order of the names; null for its own
 * @param untold whether it may only be served once all other gateways know that its job has moved
 *     on to another execution
 */
record FenceAnswer(Verdict verdict, boolean yielded, long @Nullable [] ids, boolean untold) {
  private static final int OLDER = 1;
  private static final int YIELDED = 2;
  private static final int NUMBERED = 4;
  private static final int UNTOLD = 8;

  /** Its form on the way back; anything that is added goes to the end. */
  byte[] toBytes() {
    PackedWriter out = new PackedWriter(8 + (ids == null ? 0 : 2 * ids.length), Integer.MAX_VALUE);
    out.octet(
        (verdict == Verdict.OLDER ? OLDER : 0)
            | (yielded ? YIELDED : 0)
            | (ids != null ? NUMBERED : 0)
            | (untold ? UNTOLD : 0));
    if (ids != null) {
      ServedJobBytes.putIds(ids, out);
    }
    return out.toByteArray();
  }

  static FenceAnswer fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    int flags = in.octet();
    return new FenceAnswer(
        (flags & OLDER) != 0 ? Verdict.OLDER : Verdict.SERVE,
        (flags & YIELDED) != 0,
        (flags & NUMBERED) != 0 ? ServedJobBytes.ids(in) : null,
        (flags & UNTOLD) != 0);
  }
}
