package io.headgate.state;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.observe.Meters;
import io.headgate.timeline.OwnedTimelines;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.SchemaChangeId;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLimits;
import io.headgate.timeline.TimelineLook;
import io.headgate.timeline.TimelineQuery;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import io.headgate.wire.CapExceededException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The timelines in a map of the cluster, one entry a job. Answers come on the executor that was
 * given.
 */
public final class ClusterTimelines implements TimelineStore, OwnedTimelines {
  /** As many as there may be questions and more. */
  private static final int MOST_READS = 64;

  /** What reports of a batch each may need; a batch asks for one job after the other. */
  private static final int MOST_WRITES = 256;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Cluster cluster;
  private final TimelineLimits limits;
  private final InstantSource clock;
  private final StoreCalls reads;
  private final StoreCalls writes;
  private final StoreCalls lists;

  /**
   * @param limits the same at every member
   * @param clock of the day
   * @param callbacks where answers are given, such as an event loop; it must not reject any
   */
  public ClusterTimelines(
      Cluster cluster, TimelineLimits limits, InstantSource clock, Executor callbacks) {
    this.cluster = cluster;
    this.limits = limits;
    this.clock = clock;
    reads = cluster.calls("timeline-read", MOST_READS, callbacks);
    writes = cluster.calls("timeline-write", MOST_WRITES, callbacks);
    lists = cluster.calls("timeline-list", 1, callbacks);
  }

  @Override
  public Call<Receipt> apply(TimelineChange change, Deadline deadline) {
    long now = clock.millis();
    Call<byte[]> call =
        writes.begin(
            () ->
                cluster
                    .timelines()
                    .submitToKey(change.jobId(), new TimelineApply(change, now, limits)),
            deadline);
    return told(call.map(Receipt::fromBytes));
  }

  @Override
  public Call<byte @Nullable []> page(
      long jobId, TimelineQuery query, boolean errorSummaries, int cap, Deadline deadline) {
    long expiredUpTo = clock.millis() - limits.retentionMillis();
    TimelineRead read = new TimelineRead(query, errorSummaries, cap, expiredUpTo);
    Call<byte @Nullable []> call =
        told(reads.begin(() -> cluster.timelines().submitToKey(jobId, read), deadline));
    return call.map(
        page -> {
          if (page != null && page.length == 0) {
            throw new CapExceededException(cap);
          }
          return page;
        });
  }

  /** Blocks a thread that is there for such calls: there is no other way to go through a map. */
  @Override
  public Call<Set<Long>> jobs(Deadline deadline) {
    return told(
        lists.begin(
            () ->
                CompletableFuture.supplyAsync(
                    () -> cluster.timelines().localKeySet(), cluster.threads()),
            deadline));
  }

  @Override
  public Call<@Nullable TimelineLook> look(long jobId, Deadline deadline) {
    Call<byte @Nullable []> call =
        told(
            reads.begin(
                () -> cluster.timelines().submitToKey(jobId, new TimelineGlance()), deadline));
    return call.map(look -> look == null ? null : TimelineLook.fromBytes(look));
  }

  /** As {@link io.headgate.timeline.ClusterHistory} says. */
  public Call<String> historyId(Deadline deadline) {
    byte[] drawn = ByteBuffer.allocate(Long.BYTES).putLong(RANDOM.nextLong()).array();
    Call<byte[]> call =
        told(
            reads.begin(
                () ->
                    cluster
                        .map(StoreMaps.HISTORY)
                        .submitToKey(StoreMaps.HISTORY_KEY, new DrawOnce(drawn)),
                deadline));
    return call.map(known -> SchemaChangeId.historyText(ByteBuffer.wrap(known).getLong()));
  }

  /** The same call, failing as the interface says. */
  private static <T extends @Nullable Object> Call<T> told(Call<T> call) {
    CompletionStage<T> answer =
        call.answer()
            .exceptionally(
                failure -> {
                  throw new TimelineUnavailableException(StoreException.reason(failure));
                });
    return new Call<>(answer, call.ended());
  }

  /** Puts what it counts into {@code meters}. */
  public void observe(Meters meters) {
    reads.observe(meters);
    writes.observe(meters);
    lists.observe(meters);
  }
}
