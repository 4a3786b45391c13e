package io.headgate.observe;

import java.util.List;

/**
 * When the parts of a lookup were done, on the clock of {@link System#nanoTime()}. A lookup may be
 * older than the request that gets its answer. Immutable.
 *
 * @param begunAt when its source was asked
 * @param foundAt when the source had said all it had to say
 * @param doneAt when the bytes of the answer were there
 * @param calls what the source asked of others meanwhile
 */
public record LookupTimes(long begunAt, long foundAt, long doneAt, List<UpstreamCall> calls) {
  public LookupTimes {
    calls = List.copyOf(calls);
  }

  /**
   * A call to a member.
   *
   * @param member its index in the configuration
   * @param outcome a word from a closed set; {@code answered} if there was a body
   */
  public record UpstreamCall(int member, String outcome, long begunAt, long endedAt) {}
}
