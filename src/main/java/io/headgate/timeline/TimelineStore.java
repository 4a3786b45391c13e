package io.headgate.timeline;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The store of timelines: one {@link Timeline} a job, changed atomically where it is owned.
 *
 * <p>Called on any thread; never blocks. A call that can't be made, or is not answered in time,
 * completes exceptionally with {@link TimelineUnavailableException}. Its change may have been made
 * all the same; every call may be repeated without harm.
 */
public interface TimelineStore {
  /**
   * Applies a change to the timeline of its job, as {@link Timeline#apply} says. What is answered
   * for is also in the copy, so that it outlasts the loss of one member (T12).
   */
  Call<Receipt> apply(TimelineChange change, Deadline deadline);

  /**
   * The page of a job's timeline that {@link TimelinePage#write} makes, as of one moment; null if
   * the job has none or it has expired. Changes nothing. Fails with {@link
   * io.headgate.wire.CapExceededException} if the cap does not even hold one record without its
   * details.
   *
   * @param errorSummaries whether error texts may be told (T11)
   * @param cap the most bytes of the page
   */
  Call<byte @Nullable []> page(
      long jobId, TimelineQuery query, boolean errorSummaries, int cap, Deadline deadline);
}
